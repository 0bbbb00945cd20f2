// The sample memory in English: Mai, who runs a bakery.

import type { Sample } from "./person.js";

export const en: Sample = {
  profile: {
    name: "Mai",
    about: { city: "Da Nang", work: "runs the bakery Brick Oven", family: ["Aiko", "Noah"] },
    style: { tone: "plain and friendly" },
    constraints: { mornings: "no calls before 10:00, the oven is on" },
  },
  entries: [
    {
      id: "sample-allergy",
      content: "Noah is allergic to sesame and carries an EpiPen in his school bag.",
      tags: ["family", "health"],
      importance: 1,
      days: 80,
      trust: "high",
    },
    {
      id: "sample-flour",
      content: "Mrs Pham delivers the flour on Tuesdays and Fridays before six in the morning.",
      tags: ["bakery", "supply"],
      importance: 0.8,
      days: 61,
      before: "Mrs Pham delivers the flour on Tuesdays.",
    },
    {
      id: "sample-oven",
      content: "The old oven runs 15 °C hotter than its display shows.",
      tags: ["bakery", "oven"],
      importance: 0.7,
      days: 55,
    },
    {
      id: "sample-starter",
      content: "The sourdough starter is called Clementine and lives on the shelf above the sink.",
      tags: ["bakery", "sourdough"],
      importance: 0.6,
      days: 54,
    },
    {
      id: "sample-aiko",
      content: "Aiko’s birthday is on 3 March; she wants a matcha chiffon cake, not chocolate.",
      tags: ["family"],
      importance: 0.9,
      days: 47,
    },
    {
      id: "sample-rent",
      content: "The rent of the shop goes up to 18 million dong in January.",
      tags: ["money"],
      importance: 0.8,
      days: 40,
      before: "The rent of the shop is 15 million dong a month.",
    },
    {
      id: "sample-hotel",
      content: "The harbour hotel orders 60 baguettes for every Saturday and pays by the end of the month.",
      tags: ["bakery", "customers"],
      importance: 0.8,
      days: 33,
    },
    {
      id: "sample-tom",
      content: "Tom, the night baker, cannot work on Wednesdays because of his Vietnamese class.",
      tags: ["bakery", "team"],
      importance: 0.7,
      days: 30,
    },
    {
      id: "sample-price",
      content: "A croissant costs 32,000 dong since the price of butter rose.",
      tags: ["bakery", "money"],
      importance: 0.5,
      days: 26,
    },
    {
      id: "sample-kyoto",
      content: "We fly to Kyoto on 20 December and come back on 4 January; the shop is closed then.",
      tags: ["family", "travel"],
      importance: 0.9,
      days: 21,
    },
    {
      id: "sample-school",
      content: "Noah’s school play is on 12 December at 17:30; he is the moon.",
      tags: ["family"],
      importance: 0.8,
      days: 17,
    },
    {
      id: "sample-rumour",
      content: "A new supermarket may open opposite the shop next summer.",
      tags: ["bakery"],
      importance: 0.4,
      days: 13,
      trust: "low",
    },
    {
      id: "sample-rye",
      content: "Customers asked for rye bread eleven times this month.",
      tags: ["bakery", "ideas"],
      importance: 0.6,
      days: 9,
    },
    {
      id: "sample-mixer",
      content: "The dough mixer was repaired by Mr Duc; his number is on the fuse box.",
      tags: ["bakery", "repairs"],
      importance: 0.6,
      days: 5,
    },
    {
      id: "sample-dinner",
      content: "Dinner with Sora on Thursday at seven, at the noodle place by the bridge.",
      tags: ["friends"],
      importance: 0.5,
      days: 2,
    },
  ],
  long: {
    id: "sample-planning",
    title: "Planning the winter break",
    days: 6,
    turns: [
      [
        "We want to close the shop for Kyoto this winter. Can you help me keep track?",
        "Tell me the dates and what has to happen before, and I will keep track of it.",
      ],
      [
        "We fly on 20 December and come back on 4 January.",
        "I will remember: closed from 20 December to 4 January.",
        "sample-kyoto",
      ],
      ["Aiko’s parents pick us up at the station, so we need no car.", "Noted: no rental car in Kyoto."],
      [
        "The hotel has to know early. They order sixty baguettes every Saturday.",
        "They would miss three Saturdays: 20 and 27 December, and 3 January.",
        "sample-hotel",
      ],
      [
        "I could ask the bakery in Hoi An to take over for those three weeks.",
        "That would be a new arrangement. I keep it as an idea until you decide.",
      ],
      [
        "Decided: Hoi An bakes for the hotel while we are away, at our price.",
        "I will remember that Hoi An takes the hotel’s Saturdays at your price.",
      ],
      [
        "Mrs Pham must not deliver flour in those weeks.",
        "Her days are Tuesday and Friday. The last delivery would be Friday, 18 December.",
        "sample-flour",
      ],
      [
        "Who feeds the starter while we are gone?",
        "Nobody so far. Tom works nights and knows how.",
        "sample-tom",
        "sample-starter",
      ],
      [
        "Tom will feed it twice a week. I leave him the key.",
        "I will remember: Tom feeds Clementine twice a week and has the key.",
      ],
      [
        "Noah’s play is on the 12th, so I cannot work that evening.",
        "The play begins at 17:30. Somebody else closes the shop that day.",
        "sample-school",
      ],
      ["Aiko closes the shop on the 12th, then comes over.", "Noted: Aiko closes on 12 December."],
      [
        "Please remind me what has to be paid before we leave.",
        "The rent for January, at the new amount, and Mr Duc’s bill for the mixer.",
        "sample-rent",
        "sample-mixer",
      ],
      ["I will pay both on the 15th.", "I will remember: both bills on 15 December."],
      [
        "Then only the sign for the door is missing.",
        "It could say: closed from 20 December to 4 January, baguettes at the harbour hotel.",
      ],
    ],
  },
  short: {
    id: "sample-today",
    title: "What Noah may eat",
    days: 1,
    turns: [
      [
        "A new recipe for Saturday: buns with black tahini. Can Noah have one?",
        "No. Tahini is made of sesame, and he is allergic to it.",
        "sample-allergy",
      ],
      [
        "Right, thank you. Who brings the flour tomorrow?",
        "Mrs Pham, if tomorrow is a Tuesday or a Friday, before six in the morning.",
        "sample-flour",
      ],
      [
        "And how hot should I set the old oven for 230 degrees?",
        "Set it to 215. It runs 15 degrees hotter than it shows.",
        "sample-oven",
      ],
    ],
  },
  documents: [
    {
      id: "house-rules.md",
      title: "House rules",
      tags: ["bakery"],
      content:
        "# House rules of the Brick Oven\n\n## Opening\n\nThe shop opens at seven and closes when the shelves are empty, at six at the latest.\n\n## Allergens\n\nEvery bread with nuts or sesame is made on the left bench and nowhere else. The bench is washed with hot water afterwards.\n\n## Wholesale\n\nOrders for a Saturday come in by Thursday noon. Whoever sends an order out checks the stock first.",
    },
  ],
  skills: [
    {
      id: "sample-feed",
      use: "feed the sourdough starter",
      steps: [
        "take 50 g of Clementine and throw the rest into the pancake bowl",
        "stir in 50 g of flour and 50 g of lukewarm water",
        "mark the height on the jar",
        "leave it above the sink for six hours",
      ],
      mind: "In the hot months three hours are enough.",
    },
    {
      id: "sample-close",
      use: "close the shop in the evening",
      steps: [
        "put tomorrow’s flour next to the mixer",
        "wash the left bench with hot water",
        "switch the old oven off at the wall",
        "lock the back door first",
      ],
    },
    {
      id: "sample-invoice",
      use: "write an invoice for the hotel",
      steps: ["count the Saturdays of the month", "multiply by sixty baguettes", "send it before the 28th"],
    },
  ],
  entities: [
    { name: "Mai", type: "person", observations: ["runs the Brick Oven"] },
    { name: "Aiko", type: "person", observations: ["comes from Kyoto", "wants a matcha cake"] },
    { name: "Noah", type: "person", observations: ["is allergic to sesame", "is seven years old"] },
    { name: "Tom", type: "person", observations: ["bakes at night", "is learning Vietnamese"] },
    { name: "Mrs Pham", type: "supplier", observations: ["delivers flour"] },
    { name: "Brick Oven", type: "bakery", observations: ["opens at seven"] },
    { name: "Harbour hotel", type: "customer", observations: ["orders 60 baguettes a week"] },
    { name: "Clementine", type: "starter", observations: ["lives above the sink"] },
    { name: "Kyoto", type: "city", observations: [] },
  ],
  relations: [
    { from: "Mai", to: "Aiko", type: "is married to" },
    { from: "Noah", to: "Mai", type: "is the son of" },
    { from: "Mai", to: "Brick Oven", type: "runs" },
    { from: "Tom", to: "Brick Oven", type: "works at" },
    { from: "Mrs Pham", to: "Brick Oven", type: "supplies" },
    { from: "Harbour hotel", to: "Brick Oven", type: "buys from" },
    { from: "Tom", to: "Clementine", type: "feeds" },
    { from: "Aiko", to: "Kyoto", type: "comes from" },
  ],
  outOfStock: "The stock was not enough for the order",
  task: "wholesale order",
  files: [
    {
      path: "recipes/country-loaf.md",
      text: "# Country loaf\n\n- 800 g wheat flour, 200 g rye\n- 720 g water, 20 g salt, 200 g starter\n\nFold four times in two hours. Bake at 230 °C, which is 215 on the old oven.\n",
    },
    {
      path: "notes/rye.md",
      text: "# Rye bread?\n\nEleven customers asked this month. Try a batch of ten on a Thursday, sell by the half loaf.\n",
    },
  ],
  decisions: [
    {
      title: "Hoi An bakes for the hotel in winter",
      decision: "Three Saturdays, at our price",
      reason: "The hotel must not look for another baker",
    },
    {
      title: "Sesame only on the left bench",
      decision: "One bench, washed after use",
      reason: "Noah, and customers like him",
    },
  ],
  focus: ["Winter break from 20 December", "A first batch of rye bread"],
  next: ["Ask Tom for his hours in December", "Write the sign for the door"],
};

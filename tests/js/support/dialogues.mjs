// Moves from one city to another, told in several languages, for the tests of language packs in Node and in browsers.

/** Where the user lived, and lives since; a question about it; and the two cities. */
export const MOVES = {
  vi: ["Mình sống ở Hà Nội", "Mình chuyển vào Đà Nẵng rồi", "mình sống ở đâu?", "Hà Nội", "Đà Nẵng"],
  en: ["I live in Hanoi", "I moved to Da Nang", "where do I live?", "Hanoi", "Da Nang"],
  ja: ["大阪に住んでいます", "福岡に引っ越しました", "私はどこに住んでいますか？", "大阪", "福岡"],
};

/** Records a move in a memory and asks for the city. Returns whether the answer has the old and the new one. */
export async function move(memory, language) {
  const [before, after, question, from, to] = MOVES[language];
  const longTerm = memory.longTerm();
  for (const content of [before, after]) await longTerm.record([{ role: "user", content }]);
  const answer = await longTerm.retrieve(question);
  return { old: answer.includes(from), new: answer.includes(to) };
}

/** What a user tells, the questions that follow, and the words that an answer must and must not have. */
export const DIALOGUES = [
  ...Object.entries(MOVES).map(([language, [before, after, question, from, to]]) => ({
    name: `moved city (${language})`,
    language,
    told: [before, after],
    asked: [{ question, has: to, not: from }],
  })),
  {
    name: "wife's name corrected",
    told: ["My wife's name is Anna", "Sorry, my wife's name is Hanna"],
    asked: [{ question: "What is my wife's name?", has: "Hanna", not: "Anna" }],
  },
  {
    name: "no longer vegetarian",
    told: ["I'm vegetarian", "I'm no longer vegetarian"],
    asked: [{ question: "Am I vegetarian?", has: "no longer vegetarian", not: "I'm vegetarian" }],
  },
  {
    name: "phone number changed",
    told: ["My phone number is 0113 496 0021", "My new phone number is 0113 496 0099"],
    asked: [{ question: "What is my phone number?", has: "0099", not: "0021" }],
  },
  {
    name: "two children with different allergies",
    told: ["My son Tom is allergic to peanuts", "My daughter Eva is allergic to milk"],
    asked: [
      { question: "What is my son allergic to?", has: "peanuts", not: "milk" },
      { question: "What is my daughter allergic to?", has: "milk", not: "peanuts" },
    ],
  },
  {
    name: "the subject carries over one turn",
    told: ["My daughter Eva is allergic to milk"],
    asked: [{ question: "What can she not eat?", has: "milk" }],
  },
  {
    name: "a password is not kept",
    told: ["My netflix password is Tr0mbone!77"],
    asked: [{ question: "What is my netflix password?", not: "Tr0mbone!77" }],
  },
  {
    name: "silence",
    told: ["I live in Hanoi", "I love jazz"],
    asked: [{ question: "What is the capital of France?", silent: true, not: "Hanoi" }],
  },
];

/** Whether a text has a word as a whole: `Anna` is not in `Hanna`. */
export function hasWord(text, word) {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "iu").test(text);
}

// A synthetic corpus that is the same everywhere: document `n` and question `n` depend on nothing but their number.
//
// It imitates English where that matters to an index: word frequencies follow Zipf's law, the most frequent words are
// real function words, and the others take endings. Each question has one document that holds all of its words, and
// decoys that hold all but one, some of them twice.

export const CHARACTERS = 500;
export const QUESTIONS = 200;

/** Answers and decoys are among the first documents, as many as this. */
export const SPREAD = 20_000;

const WORDS = 30_000;
const DECOYS = 12;

/** Topics are rare enough to mean something and frequent enough to be found elsewhere too. */
const TOPICS = { from: 400, to: 6_000 };

const FUNCTION_WORDS =
  `the of and to a in is that it was for on are as with his they at be this from have or by had not
but what all were when we there can an your which their said if do will each about how up out them then she many some so
these would other into has her two like him see could no make than been its who now people my over did down only way find
use may long little very after just where most through back much before too any same tell does set want`.split(
    /\s+/,
  );

const ENDINGS = ["", "", "", "", "", "", "s", "s", "ed", "ing"];

const OPENINGS = [
  ["what", "did", "they", "say", "about"],
  ["when", "was", "the"],
  ["how", "many"],
  ["which", "of", "the"],
  ["where", "is", "my"],
  ["who", "said", "that", "the"],
];

/** Numbers from 0 up to 1; the same seed gives the same numbers (mulberry32). */
function numbers(seed) {
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x6b656570;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = (list, next) => list[Math.floor(next() * list.length)];

/** Function words, then invented ones of two to four syllables. */
function inventWords() {
  const next = numbers(1);
  const words = new Set(FUNCTION_WORDS);
  while (words.size < WORDS) {
    let word = "";
    for (let syllables = 2 + Math.floor(next() * 2.6); syllables > 0; syllables -= 1) {
      word += pick("bcdfghjklmnprstvwz", next) + pick("aeiou", next);
    }
    words.add(word + pick("bdgklmnprt", next));
  }
  return [...words];
}

const vocabulary = inventWords();

/** How likely a word of this rank or a more frequent one is (Zipf's law as Mandelbrot corrected it). */
const likelihood = (() => {
  let sum = 0;
  const sums = vocabulary.map((_, rank) => {
    sum += 1 / (rank + 2.7);
    return sum;
  });
  return sums.map((part) => part / sum);
})();

function drawWord(next) {
  const wanted = next();
  let [low, high] = [0, likelihood.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (likelihood[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < FUNCTION_WORDS.length ? vocabulary[low] : inflect(vocabulary[low], next);
}

const inflect = (word, next) => word + pick(ENDINGS, next);

/** The question with this number: its text, and the number of the document that answers it. */
function question(number) {
  const next = numbers(1_000_000 + number);
  const count = 3 + (number % 2);
  const topics = new Set();
  while (topics.size < count) {
    topics.add(vocabulary[TOPICS.from + Math.floor(next() * (TOPICS.to - TOPICS.from))]);
  }
  const words = [...topics];
  const asked = words.map((word) => inflect(word, next));
  // People remember most words as they were said, not all: every other question has one in another form.
  const said = number % 4 < 2 ? asked : [inflect(words[0], next), ...asked.slice(1)];
  return {
    text: [...pick(OPENINGS, next), ...asked].join(" "),
    answer: Math.floor(((number + 0.5) * SPREAD) / QUESTIONS),
    said,
    next,
  };
}

/** All questions, and by document number the words that they plant there. */
const { questions, planted } = (() => {
  const planted = new Map();
  const plant = (document, words) => planted.set(document, [...(planted.get(document) ?? []), ...words]);
  const all = Array.from({ length: QUESTIONS }, (_, number) => question(number));
  const answers = new Set(all.map(({ answer }) => answer));
  const questions = all.map(({ text, answer, said, next }) => {
    plant(answer, said);
    for (let decoy = 0; decoy < DECOYS; decoy += 1) {
      let document = answer;
      while (answers.has(document)) document = Math.floor(next() * SPREAD);
      const missing = Math.floor(next() * said.length);
      const rest = said.filter((_, at) => at !== missing);
      plant(document, decoy % 3 === 0 ? [...rest, ...rest] : rest);
    }
    return { text, answer };
  });
  return { questions, planted };
})();

export { questions };

/** The text of the document with this number. */
export function document(number) {
  const next = numbers(2_000_000 + number);
  const extra = planted.get(number) ?? [];
  const room = CHARACTERS - extra.join(" ").length;
  const words = [];
  for (let length = 0; length < room; length += words.at(-1).length + 1) words.push(drawWord(next));
  for (const word of extra) words.splice(Math.floor(next() * words.length * 0.8), 0, word);
  return words.join(" ").slice(0, CHARACTERS);
}

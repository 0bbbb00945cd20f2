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

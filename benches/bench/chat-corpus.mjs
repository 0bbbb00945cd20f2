// Chats between a user and an assistant, made as large as a comparison needs. `chats` are in the neutral form.
//
// Copies of a chat would have the same rare words, and a search for them would find every copy. So each copy speaks of
// something else: a word that only few entries have gets an ending of the copy's own, in entries and questions alike.
// Frequent words stay frequent, rare ones rare, and lengths as they were.

/** A word is rare if at most one in so many entries has it. */
const RARE = 50;
const ENDINGS = ["", "ba", "ke", "do", "mi", "tu", "lan", "ser", "vok", "pim", "gra", "nel"];
const WORDS = /\p{L}{3,}/gu;

/** As many questions as these are asked, evenly taken from all. */
const QUESTIONS = 100;

/** The first `count` entries of copy after copy: `{ id, text, session, speaker, at }`, and questions to them. */
export function scaled(chats, count) {
  const all = chats.reduce((sum, { entries }) => sum + entries.length, 0);
  const copies = Math.ceil(count / all);
  if (copies > ENDINGS.length)
    throw new Error(`the chats have ${all} entries, which is too few for ${count}`);
  const rare = rareWords(chats);
  const entries = [];
  const questions = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const say = (text) => text.replace(WORDS, (word) => (rare.has(key(word)) ? word + ENDINGS[copy] : word));
    for (const chat of chats) {
      const numbers = new Map(chat.entries.map(({ id }, at) => [id, entries.length + at]));
      for (const { content, session, speaker, at } of chat.entries) {
        const place = `${copy}/${chat.user}/${session}`;
        entries.push({ id: entries.length, text: say(content), session: place, speaker, at });
      }
      for (const { query, gold } of chat.questions) {
        const answers = gold.map((id) => numbers.get(id));
        if (Math.max(...answers) < count) questions.push({ text: say(query), answers });
      }
    }
  }
  const step = Math.max(1, questions.length / QUESTIONS);
  const asked = Array.from({ length: Math.min(QUESTIONS, questions.length) }, (_, at) => {
    return questions[Math.floor(at * step)];
  });
  return { entries: entries.slice(0, count), questions: asked };
}

const key = (word) => word.toLowerCase();

function rareWords(chats) {
  const counts = new Map();
  const entries = chats.flatMap((chat) => chat.entries);
  for (const { content } of entries) {
    const words = Array.from(content.matchAll(WORDS), ([word]) => key(word));
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const most = Math.max(1, entries.length / RARE);
  return new Set([...counts].filter(([, count]) => count <= most).map(([word]) => word));
}

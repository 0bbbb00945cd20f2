// Runs in the page: one memory that grows to a million entries, and one conversation of long messages.

import { document, questions } from "./corpus.mjs";
import { ask, spread, timed } from "./measure.mjs";

export { wasmMemory } from "./linear.mjs";

/** So many drafts are in the page at once. */
const SLICE = 10_000;

/** A long message is so many documents of 500 characters, about 1,000 tokens in all. */
const PARTS = 8;
const BUDGET = 4_000;

let memory;

async function open(name) {
  const { openMemory } = await import("keepsake");
  const config = { namespaces: { "long-term": { maxEntries: 2_000_000 } } };
  memory = await openMemory({ name, user: "u-1", storage: "indexeddb", config });
}

async function search(text) {
  const hits = await memory.search(text, { ranking: "best", limit: 5 });
  return hits.map(({ id }) => Number(id));
}

/** Adds the documents from `from` up to `to`; answers the milliseconds. */
export async function grow(name, from, to) {
  await open(name);
  const ms = await timed(async () => {
    for (let at = from; at < to; at += SLICE) {
      const numbers = Array.from({ length: Math.min(SLICE, to - at) }, (_, n) => at + n);
      await memory.addMany(
        numbers.map((number) => ({
          content: document(number),
          id: String(number),
          namespace: "long-term",
        })),
      );
    }
  });
  return ms;
}

export const searches = () => ask(search, questions);

/** From nothing loaded to the first hit, the code's own loading included. */
export async function coldOpen(name, question) {
  const opened = await timed(() => open(name));
  const searched = await timed(() => search(questions[question].text));
  return { opened, firstHit: opened + searched };
}

const long = (number) =>
  Array.from({ length: PARTS }, (_, part) => document(number * PARTS + part)).join(" ");

/** Appends long messages to one conversation, one after the other, from `from` up to `to`. */
export async function talk(name, from, to) {
  await open(name);
  const session = memory.session("talk");
  const times = [];
  for (let number = from; number < to; number += 1) {
    const message = { role: number % 2 === 0 ? "user" : "assistant", content: long(number) };
    times.push(await timed(() => session.append(message)));
  }
  const idle = await timed(() => session.idle());
  return { append: spread(times), idle };
}

/** Prompts for new questions in that conversation, in a page that has loaded nothing. */
export async function prompts(name) {
  await open(name);
  const session = memory.session("talk");
  const prompt = ({ text }) => session.context({ budget: BUDGET, query: text });
  const first = await timed(() => prompt(questions[0]));
  const times = [];
  for (const question of questions.slice(1)) times.push(await timed(() => prompt(question)));
  return { first, prompt: spread(times) };
}

export const close = () => memory.close();

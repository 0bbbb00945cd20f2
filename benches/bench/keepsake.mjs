// Runs in the page: what is measured of keepsake. The memory is in IndexedDB, as it is by default.

import { document, questions } from "./corpus.mjs";
import { ask, spread, timed } from "./measure.mjs";

export { wasmMemory } from "./linear.mjs";

/** So many adds are timed one by one; the others overlap. */
const TIMED_ADDS = 200;
const AT_ONCE = 200;

let memory;

async function open() {
  const { openMemory } = await import("keepsake");
  const config = { namespaces: { "long-term": { maxEntries: 1_000_000 } } };
  memory = await openMemory({ name: "bench", user: "u-1", storage: "indexeddb", config });
  if (typeof memory.search !== "function") {
    throw new Error("the built package has no search: run `cargo xtask build`");
  }
}

const add = (number) => memory.add(document(number), { id: String(number), namespace: "long-term" });

async function search(text) {
  const hits = await memory.search(text, { ranking: "best", limit: 5 });
  return hits.map(({ id }) => Number(id));
}

/** Adds the documents from `from` up to `to`; answers what one add costs at the end, when nothing else is under way. */
export async function fill(from, to) {
  if (!memory) await open();
  const last = Math.max(from, to - TIMED_ADDS);
  for (let at = from; at < last; at += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, last - at) }, (_, n) => at + n);
    await Promise.all(numbers.map(add));
  }
  const times = [];
  for (let number = last; number < to; number += 1) times.push(await timed(() => add(number)));
  return spread(times);
}

/** What a search costs, and how often the answer is among the first five. */
export const searches = () => ask(search, questions);

/** From nothing loaded to the first hit, the code's own loading included. */
export async function coldOpen(question) {
  const opened = await timed(open);
  const searched = await timed(() => search(questions[question].text));
  return { opened, firstHit: opened + searched };
}

export const close = () => memory.close();

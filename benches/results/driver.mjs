// What is measured of one system, in a page or in a process of Node: opening, adding, searching, opening again.
//
// A system is a module in systems/ with `open(name)` and `reopen(name)`. Both return a handle: `addMany(documents)`,
// `addOne(document)`, `search(text, limit)` → ids, `close()`; where there is something to do, `save()` writes the index to
// the disk and `wasm()` returns the bytes of memory in a worker; `batch` and `storage` are words for the tables.

import { document, questions } from "../bench/corpus.mjs";
import { timed } from "../bench/measure.mjs";
import { wasmBytes } from "./wasm.mjs";

const LIMIT = 5;

/** Texts are made before the clock runs, so many at a time: a million of them would be half a gigabyte. */
const CHUNK = 20_000;

let handle;

const load = (system) => import(`./systems/${system}.mjs`);

const documentsFrom = (from, count) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, text: document(from + at) }));

/** Opens an empty system and adds documents until they are saved; `ms` is without opening it. */
export async function fill(system, name, count) {
  await handle?.close();
  handle = undefined;
  handle = await (await load(system)).open(name);
  let ms = 0;
  for (let from = 0; from < count; from += CHUNK) {
    const documents = documentsFrom(from, Math.min(CHUNK, count - from));
    ms += await timed(() => handle.addMany(documents));
  }
  if (handle.save && typeof indexedDB !== "undefined") ms += await timed(() => handle.save());
  return { ms, batch: handle.batch, storage: handle.storage };
}

/** The times of so many adds, one after another. */
export async function addOnes(from, count) {
  const documents = documentsFrom(from, count);
  const times = [];
  for (const one of documents) times.push(await timed(() => handle.addOne(one)));
  return times;
}

/**
 * Asks up to `most` questions for the first time: how long they took, and in how many of 100 the answer is among the hits.
 * Only questions whose answer is among the entries count.
 */
export async function warmUp(entries, most) {
  const asked = questions.slice(0, most);
  const answerable = asked.filter(({ answer }) => answer < entries);
  let found = 0;
  const ms = await timed(async () => {
    for (const { text, answer } of asked) {
      const hits = await handle.search(text, LIMIT);
      if (answer < entries && hits.includes(answer)) found += 1;
    }
  });
  return { ms, questions: asked.length, r5: (100 * found) / answerable.length };
}

/** The times of the first questions. */
export async function ask(count) {
  const times = [];
  for (const { text } of questions.slice(0, count)) times.push(await timed(() => handle.search(text, LIMIT)));
  return times;
}

/** From nothing loaded to the first hit, the code's own loading included. */
export async function coldOpen(system, name, question) {
  let hits;
  const firstHit = await timed(async () => {
    handle = await (await load(system)).reopen(name);
    hits = await handle.search(questions[question % questions.length].text, LIMIT);
  });
  if (hits.length === 0) throw new Error("nothing was found after opening again");
  return firstHit;
}

/** Bytes of wasm memory, those in a worker included. */
export const wasm = async () => wasmBytes() + ((await handle.wasm?.()) ?? 0);

export async function close() {
  await handle?.close();
  handle = undefined;
}

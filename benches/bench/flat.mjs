// Runs in the page: adds and searches without end, in a namespace that keeps the newest two thousand.

import { document, questions } from "./corpus.mjs";
import { wasmMemory } from "./linear.mjs";

/** So many of each are under way at once. */
const AT_ONCE = 100;

let memory;
let made = 0;

/** Adds and searches, half of each, until so many calls were made. */
export async function callUntil(count, storage) {
  if (!memory) {
    const { openMemory } = await import("keepsake");
    memory = await openMemory({ name: "flat", user: "u-1", storage });
  }
  while (made < count) {
    const adds = Array.from({ length: AT_ONCE }, (_, at) => memory.add(document(made / 2 + at)));
    const searches = Array.from({ length: AT_ONCE }, (_, at) => {
      const { text } = questions[(made / 2 + at) % questions.length];
      return memory.search(text, { ranking: at % 2 ? "best" : "formula" });
    });
    await Promise.all([...adds, ...searches]);
    made += 2 * AT_ONCE;
  }
  return { entries: await memory.count(), wasm: wasmMemory(), page: await pageBytes() };
}

/** What the page's scripts hold, after what nobody holds is gone. */
async function pageBytes() {
  const { bytes } = await performance.measureUserAgentSpecificMemory();
  return bytes;
}

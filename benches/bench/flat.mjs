// Runs in the page: operations of many kinds without end, on a bounded number of things.

import { document, questions } from "./corpus.mjs";
import { wasmMemory } from "./linear.mjs";

/** Operations under way at a time. */
const AT_ONCE = 100;
/** The ids of entries that are updated, read and deleted again. The other entries are evicted by their namespace's cap. */
const KNOWN = 1_000;
const SESSIONS = 20;
/** A session that has this many messages is deleted, and begins again. */
const MESSAGES = 100;
const KEYS = 500;

let memory;
let made = 0;
const known = [];
/** Not all of them are deleted at the same time. */
const lengths = Array.from({ length: SESSIONS }, (_, at) => (at * MESSAGES) / SESSIONS);

const idOf = (n) => known[(n * 7919) % known.length];
const questionOf = (n) => questions[n % questions.length].text;

/** What the operations of each hundred are. */
const KINDS = [
  [8, add],
  [2, (n) => memory.update(idOf(n), { content: document(n) }).catch(unlessGone)],
  [44, (n) => memory.get(idOf(n))],
  [12, (n) => memory.search(questionOf(n), { ranking: n % 2 ? "best" : "formula" })],
  [2, (n) => memory.delete(known.length > 1 ? known.splice((n * 7919) % known.length, 1)[0] : idOf(n))],
  [14, append],
  [1, (n) => memory.session(`session-${n % SESSIONS}`).context({ budget: 2_000, query: questionOf(n) })],
  [3, (n) => memory.collection("values").set(`key-${n % KEYS}`, { n, text: document(n).slice(0, 100) })],
  [14, (n) => memory.collection("values").get(`key-${(n * 7919) % KEYS}`)],
].flatMap(([weight, kind]) => Array(weight).fill(kind));

async function add(n) {
  const { id } = await memory.add(document(n), { importance: (n % 10) / 10 });
  if (known.length < KNOWN) known.push(id);
  else known[n % KNOWN] = id;
}

async function append(n) {
  const at = n % SESSIONS;
  lengths[at] += 1;
  const session = memory.session(`session-${at}`);
  if (lengths[at] % MESSAGES === 0) await session.delete();
  else await session.append({ role: n % 2 ? "assistant" : "user", content: document(n).slice(0, 200) });
}

/** The cap of the namespace may have evicted the entry. */
function unlessGone(error) {
  if (error.code !== "not-found") throw error;
}

/** Executes operations until `count` were made in all. Answers with what there is then. */
export async function callUntil(count, storage) {
  if (!memory) {
    const { openMemory } = await import("keepsake");
    memory = await openMemory({ name: "flat", user: "u-1", storage });
    while (known.length < 100) await add(known.length);
  }
  while (made < count) {
    const begun = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, at) => {
      const n = made + at;
      return KINDS[(n * 37) % KINDS.length](n);
    });
    made += begun.length;
    await Promise.all(begun);
  }
  const { usage } = await navigator.storage.estimate();
  const sessions = await memory.sessions();
  const messages = sessions.reduce((sum, session) => sum + session.messages, 0);
  return { entries: await memory.count(), messages, wasm: wasmMemory(), stored: usage };
}

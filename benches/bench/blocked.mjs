// Runs in the page: calls over many things, and how long each of them keeps the page's thread from others.

import { openMemory } from "keepsake";

const WORDS = "lamp river stone bread window garden letter harbour candle market".split(" ");

/** A document of so many passages of about 200 characters. */
const text = (passages, seed) =>
  Array.from({ length: passages }, (_, at) => {
    const word = (step) => WORDS[(at * 7 + step * 3 + seed) % WORDS.length];
    return `# ${word(0)} ${at}\n\n${Array.from({ length: 28 }, (_, step) => `${word(step)}${(at + step) % 997}`).join(" ")}.`;
  }).join("\n\n");

const ALL_AT_ONCE = 500;

const config = { namespaces: { small: { maxEntries: 1000 }, notes: { maxEntries: 1_000_000 } } };

async function talk(session, count) {
  let last;
  for (let from = 0; from < count; from += ALL_AT_ONCE) {
    const messages = Array.from({ length: ALL_AT_ONCE }, (_, at) => ({
      role: at % 2 ? "assistant" : "user",
      content: `Parcel ${from + at} went to shelf ${(from + at) % 97} by the ${WORDS[at % WORDS.length]}.`,
    }));
    last = (await session.append(messages)).at(-1);
  }
  return last;
}

/** A clock that other programs do not move, in milliseconds, where there is one. */
let clock = () => performance.now();

/** Takes the time of blocks from another clock. */
export function setClock(other) {
  clock = other;
}

/** Runs something; answers how long it took and the longest time for which nothing else could run, in milliseconds. */
async function blocking(work) {
  const channel = new MessageChannel();
  // In Node a message may wait for several timers and immediates: an immediate comes after one slice.
  const next = globalThis.setImmediate
    ? () => setImmediate(turn)
    : () => {
        channel.port2.postMessage(0);
      };
  let [longest, over, last, on] = [0, 0, clock(), true];
  function turn() {
    const now = clock();
    longest = Math.max(longest, now - last);
    if (now - last > 50) over += 1;
    last = now;
    if (on) next();
  }
  channel.port1.onmessage = turn;
  next();
  const started = performance.now();
  await work();
  const took = performance.now() - started;
  on = false;
  // The last block ends with the answer.
  turn();
  channel.port1.close();
  return { took, longest, over };
}

/** Every verb over many things; `scale` 1 is the full size. */
export async function blocked(scale) {
  const memory = await openMemory({ name: "blocked", user: "u-1", config, core: "full" });
  const session = memory.session("s", { compression: false });
  const [chunks, messages] = [20_000 * scale, 50_000 * scale];
  const rows = [];
  const row = async (name, work) => rows.push({ name, ...(await blocking(work)) });
  const into = (namespace) => ({ source: "book", namespace, targetChars: 200 });
  await row("ingest 120 KB into a namespace at its cap of 1,000", async () => {
    await memory.ingest(text(1000, 1), { ...into("small"), source: "other" });
    await memory.ingest(text(600, 2), into("small"));
  });
  await row(`ingest ${chunks} chunks`, () => memory.ingest(text(chunks, 3), into("notes")));
  await row("ingest them again, changed", () => memory.ingest(text(chunks, 4), into("notes")));
  const documents = [{ id: "d", content: text(chunks * 2, 5), namespace: "notes" }];
  await row(`addDocuments of ${(documents[0].content.length / 1e6).toFixed(1)} MB`, () =>
    memory.semantic.addDocuments(documents),
  );
  await row("search", () => memory.search("lamp river stone 17", { namespace: "notes" }));
  let last;
  await row(`append ${messages} messages, ${ALL_AT_ONCE} at a time`, async () => {
    last = await talk(session, messages);
  });
  await row("context of that session", () => session.context({ query: "parcel 17", budget: 4000 }));
  await row("fork it", () => session.fork({ at: last.id, to: "t" }));
  await row("compress it", () => session.compress({ type: "tree-reduce", contextTokens: 8000 }));
  await row("background compression of it", async () => {
    const other = memory.session("s", { compression: { type: "tree-reduce", contextTokens: 4000 } });
    await other.append([{ role: "user", content: "And one parcel more." }]);
    await other.idle();
  });
  await row("log.verify", () => memory.log.verify());
  await row("verify", () => memory.verify());
  await row("log.export of it", () => memory.log.export("s"));
  await row("delete the session", () => session.delete());
  await row("cleanup", () => memory.cleanup());
  await row("clear", () => memory.clear());
  await memory.close();
  return rows;
}

/** Opening a memory of so many entries, and its first search. */
export async function opened(name) {
  let memory;
  const rows = [];
  const row = async (what, work) => rows.push({ name: what, ...(await blocking(work)) });
  await row("open, and search first", async () => {
    memory = await openMemory({ name, user: "u-1", config });
    await memory.search("lamp river", { namespace: "notes" });
  });
  await row("clear by the first module", () => memory.clear());
  await memory.close();
  return rows;
}

/** Fills a memory of so many entries. */
export async function fill(name, count) {
  const memory = await openMemory({ name, user: "u-1", config, core: "full" });
  await memory.ingest(text(count, 9), { source: "book", namespace: "notes", targetChars: 200 });
  await memory.close();
}

// Runs in the page: many writes in one call, imports and long texts, and a first use, each beside IndexedDB itself in the
// same page. Every call has a new database.

import { document } from "./corpus.mjs";
import { timed } from "./measure.mjs";
import { blocked, database, item, medians, opened, put } from "./writes.mjs";

/** The length of a passage, unless an app says otherwise. */
const PASSAGE = 1_200;

/** Runs each way once in every round, in turn; answers the medians by way. */
async function inRounds(rounds, ways) {
  const runs = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, run] of Object.entries(ways)) runs[way].push(await run(`${way}-${round}`));
  }
  return medians(runs);
}

/** Work on a new memory; `check` sees what came of it. */
const inMemory =
  (work, check = () => {}) =>
  async (name) => {
    const memory = await opened(name);
    let answer;
    const found = await blocked(async () => {
      answer = await work(memory);
    });
    check(answer);
    await memory.close();
    return found;
  };

/** Puts into a new bare database; `itemsOf` is part of the work. */
const inRaw = (itemsOf) => async (name) => {
  const raw = await database(name);
  const found = await blocked(async () => put(raw, await itemsOf()));
  raw.close();
  return found;
};

function expected(what, count, wanted) {
  if (count !== wanted) throw new Error(`${count} of ${wanted} ${what} were written`);
}

/** So many entries in one call. */
export async function entries(count, rounds, withDexie) {
  const items = Array.from({ length: count }, (_, n) => item(n, "e"));
  const drafts = items.map(({ content, id, namespace }) => ({ content, id, namespace }));
  const ways = {
    "raw puts": inRaw(() => items),
    addMany: inMemory(
      (memory) => memory.addMany(drafts),
      (added) => expected("entries", added.length, count),
    ),
  };
  if (withDexie) {
    const { open } = await import("../results/systems/dexie.mjs");
    ways["Dexie bulkPut"] = async (name) => {
      const dexie = await open(name);
      const found = await blocked(() => dexie.addMany(items));
      await dexie.close();
      return found;
    };
  }
  return inRounds(rounds, ways);
}

/** So many messages of one session in one call. */
export function appends(count, rounds) {
  const items = Array.from({ length: count }, (_, n) => item(n, "m"));
  const messages = items.map(({ content }, n) => ({ role: n % 2 === 0 ? "user" : "assistant", content }));
  return inRounds(rounds, {
    "raw puts": inRaw(() => items),
    append: inMemory(
      (memory) => memory.session("talk", { compression: false }).append(messages),
      (said) => expected("messages", said.length, count),
    ),
  });
}

/** An import of the export beside the page, as the inspector does it: checked first, then read again. */
export async function lines(count) {
  const { checked, numbered, Taker, takeAll } = await import("/portable.mjs");
  const file = await (await fetch("/export.jsonl", { cache: "no-store" })).blob();
  const items = async () => {
    const all = (await file.text()).trimEnd().split("\n");
    return all.map((line, id) => ({ ...JSON.parse(line), id }));
  };
  return inRounds(1, {
    "parse and raw puts": inRaw(items),
    import: inMemory(
      async (memory) => {
        await checked(numbered(file.stream()));
        const rest = numbered(file.stream());
        await rest.next();
        const taker = new Taker(memory);
        await takeAll(taker, rest);
        return taker.taken;
      },
      ({ entry = 0, message = 0 }) => expected("lines", entry + message, count),
    ),
  });
}

/** A text of so many characters, of one-sentence paragraphs. */
function textOf(characters) {
  const parts = [];
  for (let [n, length] = [0, 0]; length < characters; n += 1) {
    parts.push(`${document(n)}.\n\n`);
    length += parts.at(-1).length;
  }
  return parts.join("").slice(0, characters);
}

/** One text of so many characters, in passages. */
export function text(characters, rounds) {
  const content = textOf(characters);
  const passages = Array.from({ length: Math.ceil(characters / PASSAGE) }, (_, id) => {
    return { id, content: content.slice(id * PASSAGE, (id + 1) * PASSAGE) };
  });
  return inRounds(rounds, {
    "raw puts of passages": inRaw(() => passages),
    ingest: inMemory((memory) => memory.ingest(content, { source: "book" })),
    addDocuments: inMemory((memory) => memory.semantic.addDocuments([{ id: "book", content }])),
  });
}

/** From nothing loaded to the first entry of a new memory; each run has its own. */
export async function firstUse(run) {
  let memory;
  const content = document(0);
  const loaded = await timed(() => import("keepsake"));
  const open = await timed(async () => {
    memory = await opened(`first-use-${run}`);
  });
  const write = await timed(() => memory.add(content, { namespace: "long-term" }));
  await memory.close();
  return { loaded, open, write, both: open + write };
}

/** The same of a bare database. */
export async function bareFirstUse(run) {
  let raw;
  const first = item(0, "f");
  const open = await timed(async () => {
    raw = await database(`bare-first-use-${run}`);
  });
  const write = await timed(() => put(raw, [first]));
  raw.close();
  return { loaded: 0, open, write, both: open + write };
}

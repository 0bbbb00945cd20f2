// A full namespace: a batch leaves as many entries as there is room for, and each that goes is told once (D38, X6).

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";

/** Two handles of one memory whose notes have room for five. */
async function open(now) {
  const storage = new MemoryStorage();
  const config = { namespaces: { notes: { maxEntries: 5 } } };
  const handle = () => openMemory({ user: "u-1", storage: storage.connect(), config, now });
  const told = [];
  const memory = await handle();
  memory.on("evicted", ({ id }) => told.push(id));
  return { memory, handle, told };
}

/** A document of so many passages. */
const text = (passages, word) =>
  Array.from({ length: passages }, (_, at) => `# ${word} ${at}\n\n${`${word}${at} `.repeat(30)}`).join(
    "\n\n",
  );

const ids = async (memory) => (await memory.list({ namespace: "notes" })).map(({ id }) => id);

test("D38 a document of 24 passages leaves five, and the others are told once", async () => {
  const { memory, handle, told } = await open();
  for (const id of ["a", "b", "c", "d"]) await memory.add(`Note ${id}`, { id, namespace: "notes" });
  const ingested = await memory.ingest(text(24, "passage"), {
    source: "doc",
    namespace: "notes",
    targetChars: 200,
  });
  assert.equal(ingested.chunks, 24);
  assert.equal(await memory.count("notes"), 5);
  assert.deepEqual(
    (await memory.list({ namespace: "notes" })).map(({ metadata }) => metadata.chunk),
    [23, 22, 21, 20, 19],
  );
  assert.deepEqual(told.slice(0, 4), ["a", "b", "c", "d"]);
  assert.equal(told.length, 23);
  assert.equal(new Set(told).size, 23);
  // The same for another handle, and for one that opens it anew.
  const other = await handle();
  assert.deepEqual(await ids(other), await ids(memory));
  for (const id of told) assert.equal(await other.get(id), null);
  assert.deepEqual(await other.search("passage3", { namespace: "notes" }), []);
  assert.equal((await memory.log.verify()).ok, true);
});

test("D38 many documents at once, over the end of a stored segment, and again in place of themselves", async () => {
  const { memory, handle, told } = await open();
  const documents = Array.from({ length: 150 }, (_, at) => ({
    id: `d-${at}`,
    content: `Document number ${at}`,
    namespace: "notes",
  }));
  for (const round of [0, 1]) {
    await memory.semantic.addDocuments(documents);
    assert.equal(await memory.count("notes"), 5, `round ${round}`);
    const left = (await memory.list({ namespace: "notes" })).map(({ source }) => source);
    assert.deepEqual(left, ["d-149", "d-148", "d-147", "d-146", "d-145"]);
    assert.deepEqual(await ids(await handle()), await ids(memory));
  }
  assert.equal(new Set(told).size, told.length);
});

test("D38 a document that replaces its own passages evicts no other entry", async () => {
  const { memory, told } = await open();
  await memory.add("A note", { id: "a", namespace: "notes" });
  const ingest = (word) =>
    memory.ingest(text(4, word), { source: "doc", namespace: "notes", targetChars: 200 });
  assert.equal((await ingest("one")).chunks, 4);
  assert.deepEqual(await ingest("two"), { chunks: 4, replaced: 4 });
  assert.deepEqual([told, await memory.count("notes")], [[], 5]);
  assert.ok((await ids(memory)).includes("a"));
});

test("X6 in a batch as one by one: expired ones first, then the least important, then the oldest", async () => {
  let clock = 1_735_812_000_000;
  const { memory, told } = await open(() => clock);
  const add = (id, more) => memory.add(`Note ${id}`, { id, namespace: "notes", ...more });
  await add("short", { ttl: 1000, importance: 1 });
  await add("dear", { importance: 0.9 });
  await add("dull", { importance: 0 });
  await add("dearer", { importance: 0.95 });
  await add("old", { importance: 0 });
  clock += 5000;
  await memory.ingest(text(4, "passage"), { source: "doc", namespace: "notes", targetChars: 200 });
  assert.deepEqual(told.slice(0, 3), ["short", "dull", "old"]);
  const left = await ids(memory);
  assert.ok(left.includes("dear") && left.includes("dearer") && left.length === 5);
  // Passages go before what matters more, but never the one that is being written.
  await memory.ingest(text(9, "other"), { source: "second", namespace: "notes", targetChars: 200 });
  assert.ok((await ids(memory)).includes("dear") && (await ids(memory)).includes("dearer"));
  const chunks = (await memory.list({ namespace: "notes" })).map(({ source, metadata }) => [
    source,
    metadata.chunk,
  ]);
  assert.deepEqual(chunks.slice(0, 3), [
    ["second", 8],
    ["second", 7],
    ["second", 6],
  ]);
});

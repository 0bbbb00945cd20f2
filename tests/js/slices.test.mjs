// Calls over many things leave the thread to others between their slices, report how far they have come, and can be stopped.
// Turns of the event loop are counted; nothing is timed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";

const config = { namespaces: { notes: { maxEntries: 100_000 } } };

const open = (storage = new MemoryStorage()) =>
  openMemory({ user: "u-1", storage: storage.connect(), config, core: "full" });

/** A document of so many passages. */
const text = (passages, word) =>
  Array.from({ length: passages }, (_, at) => `# ${word} ${at}\n\n${`${word}${at} `.repeat(30)}`).join(
    "\n\n",
  );

const how = { source: "book", namespace: "notes", targetChars: 200 };

/** A conversation of so many messages; answers the last. */
async function talk(session, count) {
  let last;
  for (let from = 0; from < count; from += 200) {
    const messages = Array.from({ length: 200 }, (_, at) => ({
      role: at % 2 ? "assistant" : "user",
      content: `Parcel ${from + at} went to shelf ${(from + at) % 97}.`,
    }));
    last = (await session.append(messages)).at(-1);
  }
  return last;
}

/** Runs something; answers how many turns of the event loop others had meanwhile. */
async function turnsOf(work) {
  let [turns, on] = [0, true];
  const turn = () => {
    turns += 1;
    if (on) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  on = false;
  return turns;
}

test("others have their turn while a document is taken in, replaced and cleared away", async () => {
  const memory = await open();
  assert.ok((await turnsOf(() => memory.ingest(text(400, "lamp"), how))) > 10, "ingest");
  assert.ok((await turnsOf(() => memory.ingest(text(400, "river"), how))) > 10, "ingest again");
  const documents = [{ id: "d", content: text(400, "stone"), namespace: "notes" }];
  assert.ok((await turnsOf(() => memory.semantic.addDocuments(documents))) > 10, "addDocuments");
  assert.ok((await turnsOf(() => memory.clear())) > 3, "clear");
  assert.equal(await memory.count(), 0);
});

test("others have their turn while a conversation is forked, checked, exported and compressed", async () => {
  const memory = await open();
  const session = memory.session("s", { compression: false });
  const { id } = await talk(session, 2000);
  assert.ok((await turnsOf(() => session.fork({ at: id, to: "t" }))) > 20, "fork");
  assert.ok((await turnsOf(() => memory.log.verify())) > 3, "verify");
  assert.ok((await turnsOf(() => memory.log.export("s"))) > 10, "export");
  const way = { type: "tree-reduce", contextTokens: 2000 };
  assert.ok((await turnsOf(() => session.compress(way))) > 20, "compress");
  assert.equal((await memory.session("t").info()).messages, 2000);
});

test("progress rises to its end", async () => {
  const memory = await open();
  const session = memory.session("s", { compression: false });
  const { id } = await talk(session, 1000);
  const calls = {
    ingest: (onProgress) => memory.ingest(text(400, "lamp"), { ...how, onProgress }),
    addDocuments: (onProgress) =>
      memory.semantic.addDocuments([{ content: text(300, "lamp"), namespace: "notes" }], { onProgress }),
    fork: (onProgress) => session.fork({ at: id, to: "t", onProgress }),
    verify: (onProgress) => memory.log.verify({ onProgress }),
    compress: (onProgress) => session.compress({ type: "tree-reduce", contextTokens: 2000 }, { onProgress }),
    clear: (onProgress) => memory.clear("notes", { onProgress }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const seen = [];
    await call((progress) => seen.push(progress));
    assert.ok(seen.length > 1, name);
    for (const { done, total } of seen) assert.ok(done > 0 && done <= total, name);
  }
});

test("a call that is aborted leaves nothing behind, and the next one works", async () => {
  const storage = new MemoryStorage();
  const memory = await open(storage);
  const session = memory.session("s", { compression: false });
  const { id } = await talk(session, 1000);
  await memory.ingest(text(20, "lamp"), how);
  const reason = new Error("enough");
  const aborts = async (call) => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(reason);
    await assert.rejects(call({ signal: controller.signal, onProgress }), reason);
  };
  const before = (await memory.log.verify()).links;
  await aborts((watch) => memory.ingest(text(400, "river"), { ...how, ...watch }));
  await aborts((watch) => memory.semantic.addDocuments([{ content: text(300, "river") }], watch));
  await aborts((watch) => session.fork({ at: id, to: "t", ...watch }));
  await aborts((watch) => session.compress({ type: "tree-reduce", contextTokens: 2000 }, watch));
  await aborts((watch) => memory.log.verify(watch));
  const verdict = await memory.log.verify();
  assert.deepEqual([verdict.ok, verdict.links], [true, before]);
  assert.equal(await memory.session("t").info(), null);
  assert.deepEqual(await memory.search("river3"), []);
  assert.notDeepEqual(await memory.search("lamp3"), []);
  // Nor does a signal that was aborted before let anything begin.
  await assert.rejects(memory.clear("notes", { signal: AbortSignal.abort(reason) }), reason);
  assert.ok((await memory.count("notes")) > 0);
  assert.ok((await memory.ingest(text(20, "river"), how)).replaced > 0);
  assert.notDeepEqual(await (await open(storage)).search("river3"), []);
});

test("writes that overlap a long one come after it, and searches see all of it or nothing", async () => {
  const memory = await open();
  const { chunks } = await memory.ingest(text(300, "lamp"), how);
  const writing = memory.ingest(text(300, "river"), how);
  const added = memory.add("The key lies under the mat", { namespace: "notes" });
  let [ended, looks] = [false, 0];
  writing.finally(() => {
    ended = true;
  });
  while (!ended) {
    const [old, young] = [await memory.search("lamp7"), await memory.search("river7")];
    assert.ok(old.length === 0 || young.length === 0);
    looks += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(looks > 5);
  await added;
  assert.equal(await memory.count("notes"), chunks + 1);
  assert.equal((await memory.log.verify()).ok, true);
});

test("an option that nobody knows is refused", async () => {
  const memory = await open();
  const refused = { code: "invalid-input", field: "onprogress" };
  await assert.rejects(memory.clear("notes", { onprogress() {} }), refused);
  await assert.rejects(memory.log.verify({ onprogress() {} }), refused);
  await assert.rejects(memory.semantic.addDocuments([], { onprogress() {} }), refused);
});

const bytes = (text) => new TextEncoder().encode(text);

/** So many values under keys in a row, from 1 on or taken away. */
function commit(revision, count, type) {
  const op = (_, at) => {
    const key = bytes(`k${String(at).padStart(6, "0")}`);
    return type === "put"
      ? { type, space: "records", key, value: bytes("v") }
      : { type, space: "records", key };
  };
  return {
    guard: bytes("guard"),
    expected: revision ? bytes(String(revision)) : undefined,
    next: bytes(String(revision + 1)),
    ops: Array.from({ length: count }, op),
    durability: "relaxed",
  };
}

test("a large commit to the storage in memory leaves turns to others, who see all of it or nothing", async () => {
  const storage = new MemoryStorage();
  const [writer, reader] = [storage.connect(), storage.connect()];
  const everything = { start: bytes("k"), end: undefined };
  const count = async () => (await reader.scan("records", everything, 1_000_000)).items.length;
  const seen = [];
  let written;
  const turns = await turnsOf(async () => {
    const writing = writer.commit(commit(0, 20_000, "put")).then((answer) => {
      written = answer;
    });
    while (written === undefined) {
      seen.push(await count());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
  });
  assert.equal(written, true);
  assert.ok(turns > 5, `${turns} turns`);
  assert.deepEqual([...new Set([...seen, await count()])], [20_000]);
  // A commit that came meanwhile is refused as it would be later.
  const first = writer.commit(commit(1, 15_000, "delete"));
  const second = reader.commit(commit(1, 1, "put"));
  assert.deepEqual([await first, await second], [true, false]);
  assert.equal(await count(), 5000);
  assert.equal(await writer.commit(commit(2, 3, "put")), true);
  const { items, next } = await reader.scan("records", everything, 4);
  const names = items.map(([key]) => new TextDecoder().decode(key));
  assert.deepEqual(names, ["k000000", "k000001", "k000002", "k015000"]);
  assert.deepEqual(next, bytes("k015001"));
});

test("a long answer comes in parts and is the same", async () => {
  const memory = await open();
  const session = memory.session("s", { compression: false });
  await talk(session, 2000);
  const { messages } = await session.messages({ limit: 5000 });
  assert.equal(messages.length, 2000);
  const lines = (await memory.log.export("s")).trim().split("\n");
  assert.equal(lines.length, 2001);
  assert.deepEqual(
    lines.slice(1).map((line) => JSON.parse(line).id),
    messages.map((message) => message.id),
  );
  assert.equal((await memory.log.check(lines.join("\n"))).ok, true);
});

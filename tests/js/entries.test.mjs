// All entries in turn, whatever becomes of them meanwhile; and signals that end what takes long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryOf, talk } from "./support/talk.mjs";

/** A memory with entries "0" to `count - 1`, each second one long-term. */
async function numbered(count) {
  const memory = await memoryOf();
  for (let n = 0; n < count; n++) {
    await memory.add(`${n}`, { id: `${n}`, namespace: n % 2 ? "long-term" : "short-term" });
  }
  return memory;
}

/** The ids of all entries in turn; `act` is done with each. */
async function ids(memory, options, act = async () => {}) {
  const found = [];
  for await (const { id } of memory.entries(options)) {
    found.push(Number(id));
    await act(id);
  }
  return found;
}

const down = (count) => Array.from({ length: count }, (_, at) => count - 1 - at);

test("entries come newest first, in pages, of one namespace if it is asked for", async () => {
  const memory = await numbered(7);
  for (const pageSize of [1, 2, 3, 7, 8, undefined])
    assert.deepEqual(await ids(memory, { pageSize }), down(7));
  assert.deepEqual(await ids(memory, { namespace: "long-term", pageSize: 2 }), [5, 3, 1]);
  assert.deepEqual(await ids(await numbered(0)), []);
});

test("each may be deleted when it is read, and all are read", async () => {
  const memory = await numbered(11);
  assert.deepEqual(await ids(memory, { pageSize: 3 }, (id) => memory.delete(id)), down(11));
  assert.equal(await memory.count(), 0);
});

test("the entry that a page ends with may go, and the next page begins behind those that stay", async () => {
  const memory = await numbered(9);
  const read = await ids(memory, { pageSize: 3 }, async (id) => {
    if (Number(id) % 3 === 0) await memory.delete(id);
  });
  assert.deepEqual(read, down(9));
});

test("one that is added again under its id does not come twice", async () => {
  const memory = await numbered(6);
  const read = await ids(memory, { pageSize: 2 }, async (id) => {
    if (id !== "4") return;
    await memory.delete(id);
    await memory.add("again", { id });
  });
  assert.deepEqual(read, down(6));
});

test("a page of none is refused, and so is what the list would refuse", async () => {
  const memory = await numbered(1);
  await assert.rejects(ids(memory, { pageSize: 0 }), { code: "invalid-input", field: "pageSize" });
  await assert.rejects(ids(memory, { namespace: "other" }), { code: "invalid-input", field: "namespace" });
});

test("an aborted ingest takes nothing in, or leaves what was not embedded to embedAll", async () => {
  const aborting = new AbortController();
  let batches = 0;
  const embedder = async (texts) => {
    batches += 1;
    if (batches === 1) aborting.abort(new Error("enough"));
    return texts.map(() => [1, 2]);
  };
  const memory = await memoryOf({ embedder });
  const text = Array.from({ length: 80 }, (_, n) => `# Part ${n}\n\nWhat part ${n} says.`).join("\n\n");
  const options = { source: "a.md", targetChars: 40, signal: aborting.signal };
  await assert.rejects(memory.ingest(text, options), /enough/);
  const kept = await memory.count();
  assert.ok(kept > 32, `${kept} passages`);
  assert.equal(await memory.embedAll(), kept - 32);
  await assert.rejects(memory.ingest("# Other", { ...options, source: "b.md" }), /enough/);
  assert.equal(await memory.count(), kept);
});

test("an aborted compression asks for no more summaries, and the next one can compress", async () => {
  const aborting = new AbortController();
  const errors = [];
  let asked = 0;
  const summarize = async (_messages, { signal }) => {
    asked += 1;
    if (aborting.signal.aborted) return "short";
    const waiting = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    aborting.abort(new Error("enough"));
    return waiting;
  };
  const memory = await memoryOf();
  const onError = (error) => errors.push(error);
  const chat = memory.session("s", { compression: false, contextTokens: 2000, summarize, onError });
  await chat.append(talk(60, 20));
  const stop = { signal: aborting.signal };
  await assert.rejects(chat.compress(undefined, stop), /enough/);
  assert.deepEqual([errors, (await chat.view()).length], [[], 60]);
  const before = asked;
  await assert.rejects(chat.compress("progressive", stop), /enough/);
  assert.equal(asked, before, "one that is aborted before it begins asks nothing");
  assert.equal((await chat.compress()).changed, true);
});

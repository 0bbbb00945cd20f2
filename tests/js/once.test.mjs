// Writes under an idempotency key, made once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";

const KEY = { idempotencyKey: "order-7" };

/** Every write with the option, and how often it shows that it was made. */
const WRITES = {
  add: (memory) => memory.add("Anh uống trà xanh", { tags: ["drink"] }, KEY),
  "add with a key": (memory) => memory.add("コーヒー", { key: "drink" }, KEY),
  update: (memory) => memory.update("known", { content: "Anh lives in Da Nang" }, KEY),
  delete: (memory) => memory.delete("known", KEY),
  clear: (memory) => memory.clear(undefined, KEY),
  "clear with a signal": (memory) =>
    memory.clear("short-term", { ...KEY, signal: new AbortController().signal }),
  append: (memory) => memory.session("s").append({ role: "user", content: "Привет" }, KEY),
  "append of several": (memory) =>
    memory.session("s").append(
      ["one", "two"].map((content) => ({ role: "user", content })),
      KEY,
    ),
  setTitle: (memory) => memory.session("s").setTitle("Tea", KEY),
  "delete a session": (memory) => memory.session("s").delete({ keepEntries: true, ...KEY }),
  "write values": (memory) =>
    memory.collection("c").write([{ key: "n", value: 2 }], { expect: [["n", 1]], ...KEY }),
};

async function prepared(storage, more) {
  const memory = await openMemory({ storage: storage.connect(), user: "u", ...more });
  await memory.add("Anh lives in Hanoi", { id: "known" });
  await memory.add("tea", { key: "drink" });
  await memory.session("s").append({ role: "user", content: "hi" });
  await memory.collection("c").set("n", 1);
  return memory;
}

for (const [name, write] of Object.entries(WRITES)) {
  test(`${name}: a second call under the same key gets the same answer and writes nothing`, async () => {
    const storage = new MemoryStorage();
    const memory = await prepared(storage);
    const first = await write(memory);
    const entries = await memory.list();
    assert.deepEqual(await write(memory), first);
    await memory.close();
    const again = await openMemory({ storage: storage.connect(), user: "u" });
    assert.deepEqual(await write(again), first);
    assert.deepEqual(await again.list(), entries);
    await assert.rejects(again.add("something else", {}, KEY), {
      code: "invalid-input",
      field: "idempotencyKey",
      message: "`idempotencyKey` was used for another request",
    });
  });
}

test("calls at once under one key make one write", async () => {
  const memory = await prepared(new MemoryStorage());
  const all = await Promise.all(Array.from({ length: 20 }, () => WRITES.append(memory)));
  assert.equal(new Set(all.map(({ id }) => id)).size, 1);
  assert.equal((await memory.session("s").info()).messages, 2);
});

test("an embedder that answers otherwise the next time makes no other request of it", async () => {
  let asked = 0;
  const embedder = (texts) => texts.map(() => [1, ++asked, 0]);
  const memory = await prepared(new MemoryStorage(), { embedder });
  const [first, second] = [await WRITES.add(memory), await WRITES.add(memory)];
  assert.equal(second.id, first.id);
});

test("a bad key and an unknown option are refused", async () => {
  const memory = await prepared(new MemoryStorage());
  for (const idempotencyKey of ["", 7, {}])
    await assert.rejects(memory.add("tea", {}, { idempotencyKey }), { field: "idempotencyKey" });
  await assert.rejects(memory.add("tea", {}, { idempotencykey: "k" }), /did you mean `idempotencyKey`/);
  await assert.rejects(memory.add("tea", { idempotencyKey: "k" }), { code: "invalid-input" });
});

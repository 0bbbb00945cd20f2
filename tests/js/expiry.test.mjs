// An expired or deleted entry is gone: nothing brings it back, and its text does not stay in the file.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { jsonl, MemoryStorage, openMemory } from "keepsake";
import { newPath } from "./support/jsonl.mjs";

const START = 1_735_812_000_000;

/** A clock that stands still, and memories on one storage by it. */
function world(namespaces) {
  const storage = new MemoryStorage();
  let clock = START;
  return {
    open: () =>
      openMemory({ user: "u-1", storage: storage.connect(), now: () => clock, config: { namespaces } }),
    wait: (millis) => {
      clock += millis;
    },
  };
}

test("F45 finding 5: the key of an expired entry is free, and begins a new entry without the old one's past", async () => {
  const { open, wait } = world();
  const [memory, other] = await Promise.all([open(), open()]);
  const old = await memory.add("Ann stays at the Hotel Lutetia", { key: "ann.hotel", ttl: 60_000 });
  await memory.add("Ann stays at the Hotel Meurice", { key: "ann.hotel", ttl: 60_000 });
  await other.list();
  wait(61_000);
  const fresh = await memory.add("Ann wohnt jetzt bei Freunden", { key: "ann.hotel" });
  assert.notEqual(fresh.id, old.id);
  assert.equal(fresh.version, 1);
  assert.equal(fresh.createdAt, new Date(START + 61_000).toISOString());
  for (const handle of [memory, other, await open()]) {
    assert.deepEqual(await handle.history(fresh.id), []);
    assert.deepEqual(await handle.history(old.id), []);
    assert.equal(await handle.get(old.id), null);
    assert.equal((await handle.get(fresh.id)).content, "Ann wohnt jetzt bei Freunden");
    assert.deepEqual(
      (await handle.list()).map(({ id }) => id),
      [fresh.id],
    );
    assert.deepEqual(await handle.search("Hotel Meurice"), []);
    assert.equal((await handle.log.verify()).ok, true);
  }
  assert.equal(await memory.cleanup(), 0);
});

test("F45 finding 5: the id of an expired entry is free", async () => {
  const { open, wait } = world();
  const [memory, other] = await Promise.all([open(), open()]);
  await memory.add("The code of the door is 4711", { id: "door", key: "door", ttl: 1000 });
  await memory.update("door", { content: "The code of the door is 4712", ttl: 1000 });
  await memory.add("số khác", { id: "other", ttl: 1000 });
  await other.list();
  wait(2000);
  assert.equal(await memory.get("door"), null);
  const again = await memory.add("The door has a lock now", { id: "door" });
  assert.deepEqual([again.id, again.version, again.key ?? null], ["door", 1, null]);
  // With both the id and the key of one that has expired, too.
  const both = await memory.add("số mới", { id: "other", key: "door" });
  assert.deepEqual([both.id, both.version], ["other", 1]);
  for (const handle of [memory, other, await open()]) {
    assert.deepEqual(await handle.history("door"), []);
    assert.equal((await handle.get("door")).content, "The door has a lock now");
    assert.equal((await handle.get("other")).content, "số mới");
    assert.equal(await handle.count(), 2);
    assert.deepEqual(await handle.search("4712"), []);
    assert.equal((await handle.search("lock"))[0].id, "door");
    assert.equal((await handle.log.verify()).ok, true);
  }
  // One that is there is still there.
  await assert.rejects(memory.add("x", { id: "door" }), { code: "already-exists", field: "id" });
  await assert.rejects(memory.add("x", { id: "mine", key: "door" }), {
    code: "already-exists",
    field: "key",
  });
});

test("X6 finding 5: an expired entry whose id or key is used again makes room for it, and no other entry has to", async () => {
  const { open, wait } = world({ notes: { maxEntries: 2 } });
  const memory = await open();
  const evicted = [];
  memory.on("evicted", ({ id }) => evicted.push(id));
  const add = (content, draft) => memory.add(content, { namespace: "notes", ...draft });
  await add("one", { id: "one" });
  await add("soon gone", { id: "soon", key: "soon", ttl: 1000 });
  wait(2000);
  await add("with its id", { id: "soon", key: "soon", ttl: 1000 });
  wait(2000);
  await add("with its key", { key: "soon" });
  await memory.cleanup();
  assert.deepEqual(evicted, []);
  assert.equal(await memory.count("notes"), 2);
  assert.ok(await memory.get("one"));
});

/** The texts that are the values of a file. */
async function textsIn(path) {
  const lines = (await readFile(path, "utf8")).trim().split("\n");
  const ops = lines.flatMap((line) => JSON.parse(line).ops ?? []);
  return ops
    .flatMap((op) => op.slice(2).map((part) => Buffer.from(part, "base64").toString("utf8")))
    .join("\n");
}

const LONG = { namespace: "long-term" };
const secret = (n) =>
  `The secret of number ${n} is xyzzy. ${"Nobody may ever read this again. ".repeat(130)}`;

test("F44 S15 finding 5: what was cleared is out of the file with the next write, not when it is opened again", async () => {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  for (let n = 0; n < 1000; n += 25) {
    await Promise.all(Array.from({ length: 25 }, (_, at) => memory.add(secret(n + at), LONG)));
  }
  assert.equal(await memory.clear(), 1000);
  await memory.add("one more", LONG);
  const text = await textsIn(path);
  assert.ok(text.includes("one more"));
  assert.ok(!text.includes("xyzzy"), "the deleted contents are still there");
  await memory.close();
});

test("F44 S15 finding 5: nor do those stay that are deleted one by one, or replaced", async () => {
  const path = await newPath();
  const memory = await openMemory({ user: "u-1", storage: jsonl(path, { compactAbove: 100_000 }) });
  for (let n = 0; n < 200; n += 1) await memory.add(secret(n), { ...LONG, id: `e-${n}` });
  for (let n = 0; n < 200; n += 1) assert.ok(await memory.delete(`e-${n}`));
  await memory.add("one more", LONG);
  const left = (await textsIn(path)).split("xyzzy").length - 1;
  assert.ok(left * 4_300 < 200_000, `${left} of 200 are still there`);
  await memory.close();
});

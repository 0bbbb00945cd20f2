// The scenarios and the bad input through the TypeScript API in Node.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { tryAll } from "./support/bad-input.mjs";
import { run } from "./support/scenario.mjs";

const folder = new URL("../scenarios/", import.meta.url);

for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json"))) {
  test(`scenario ${file} in Node`, async () => {
    const scenario = JSON.parse(await readFile(new URL(file, folder), "utf8"));
    const storage = new MemoryStorage();
    const connect = () => storage.connect();
    const outcomes = await run(scenario, (rest) => openMemory({ ...rest, storage: connect() }), connect);
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

test("bad input is refused by name, and nothing is half written", async () => {
  assert.deepEqual(await tryAll(() => openMemory({ user: "u-1", storage: "memory" }), MemoryError), []);
});

test("S5 there is no memory without a user", async () => {
  for (const user of [undefined, null, "", 7, "\uD800", "u".repeat(257)]) {
    await assert.rejects(openMemory({ user, storage: "memory" }), (error) => {
      return error instanceof MemoryError && error.field === "user";
    });
  }
});

test("options that are not known are refused by name", async () => {
  await assert.rejects(openMemory({ user: "u", storage: "floppy" }), {
    code: "invalid-input",
    field: "storage",
  });
  await assert.rejects(openMemory({ user: "u", storage: "memory", tenant: "t" }), { field: "tenant" });
  await assert.rejects(openMemory({ user: "u", name: "", storage: "memory" }), { field: "name" });
});

test("F14 where there is no IndexedDB, a memory is kept in memory and says so", async () => {
  const memory = await openMemory({ user: "u-1" });
  assert.equal(memory.persistent, false);
  assert.match(memory.storageProblem, /IndexedDB/);
  await memory.add("still works");
  assert.equal((await memory.list()).length, 1);
  await assert.rejects(openMemory({ user: "u-1", storage: "indexeddb" }), { code: "unavailable" });
});

test("two users never see each other", async () => {
  const storage = new MemoryStorage();
  const open = (user) => openMemory({ user, storage: storage.connect() });
  const users = ["a", "a:b", "b", "user1", "user10", "%", "__proto__"];
  const memories = await Promise.all(users.map(open));
  await Promise.all(memories.map((memory, at) => memory.add(`secret of ${users[at]}`, { id: "same" })));
  for (const [at, memory] of memories.entries()) {
    assert.deepEqual(
      (await memory.list()).map(({ summary }) => summary),
      [`secret of ${users[at]}`],
    );
    assert.equal((await memory.get("same")).content, `secret of ${users[at]}`);
  }
});

test("a closed memory says so", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const last = memory.add("before it closes");
  await memory.close();
  await memory.close();
  assert.equal((await last).summary, "before it closes");
  for (const call of [memory.add("x"), memory.get("x"), memory.list()]) {
    await assert.rejects(call, { code: "closed" });
  }
});

test("a clock that fails is reported, not guessed at", async () => {
  for (const now of [() => Number.NaN, () => "noon", () => 1e300]) {
    const memory = await openMemory({ user: "u-1", storage: "memory", now });
    await assert.rejects(memory.add("x"), { code: "environment" });
  }
  const throwing = () => {
    throw new Error("no clock");
  };
  const memory = await openMemory({ user: "u-1", storage: "memory", now: throwing });
  await assert.rejects(memory.add("x"), { code: "environment" });
  assert.equal((await memory.get("x").catch((error) => error)).code, "environment");
});

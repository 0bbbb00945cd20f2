// Storages by the names that configurations know them by.

import assert from "node:assert/strict";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createStore, MemoryStorage, openMemory } from "keepsake";

const named = (defaultBackend, directory) => ({ storage: { defaultBackend, directory } });

test("D5 D20 a configuration names its storage", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-backend-"));
  t.after(() => rm(folder, { recursive: true }));
  const directory = join(folder, "new", "memory");
  const config = { version: "1.0.0", ...named("jsonl", directory), retrieval: { topK: 3 } };
  const memory = await openMemory({ user: "u-1", config, storage: createStore(config) });
  await memory.add("kept");
  await memory.close();
  assert.equal(memory.persistent, true);
  assert.ok((await stat(join(directory, "memory.jsonl"))).size > 0);
  const again = await openMemory({ user: "u-1", config, storage: createStore(config) });
  assert.equal(await again.count(), 1, "D23");
  await again.close();
});

test("D4 D5 D20 without a name it is in memory, and a backend of one's own may be named", async () => {
  const first = await openMemory({ user: "u-1", storage: createStore() });
  assert.equal(first.persistent, false);
  assert.equal(
    (await openMemory({ user: "u-1", storage: createStore(named("inmemory")) })).persistent,
    false,
  );
  await first.add("gone with the program");
  assert.equal(await (await openMemory({ user: "u-1", storage: createStore({}) })).count(), 0);
  const storage = new MemoryStorage();
  const asked = [];
  const own = {
    mine: (config) => {
      asked.push(config.storage.directory);
      return { ...storage.connect(), persistent: undefined };
    },
  };
  const memory = await openMemory({ user: "u-1", storage: createStore(named("mine", "there"), own) });
  assert.deepEqual([asked, memory.persistent], [["there"], true]);
  assert.equal(createStore(named("indexeddb")), "indexeddb");
});

test("a name that nobody knows is refused with those that there are", () => {
  for (const name of ["redis", "toString", "__proto__"]) {
    const refused = {
      code: "invalid-input",
      field: "storage.defaultBackend",
      message: /inmemory, indexeddb, jsonl/,
    };
    assert.throws(() => createStore(named(name)), refused);
  }
});

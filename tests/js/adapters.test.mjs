// Storage adapters that misbehave: the app gets a typed error, and nothing is lost.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { withWasm } from "keepsake/slim";

/** A memory whose adapter does `broken` instead, once it is told to; `written` are its entries, which it has not read yet. */
async function breakable(broken, ...written) {
  const shared = new MemoryStorage();
  const inner = shared.connect();
  if (written.length > 0) {
    const first = await openMemory({ user: "u-1", storage: shared.connect() });
    await first.addMany(written.map((content) => ({ content })));
    await first.close();
  }
  const state = { broken: false };
  const storage = Object.fromEntries(
    ["get", "scan", "commit", "close"].map((method) => [
      method,
      async (...args) => (state.broken && broken[method] ? broken[method](...args) : inner[method](...args)),
    ]),
  );
  return { memory: await openMemory({ user: "u-1", storage }), state };
}

const throwing = (error) => () => {
  throw error;
};

const cases = [
  ["throws", { commit: throwing(new TypeError("quotes the secret")) }, "storage-failed"],
  ["throws nothing in particular", { commit: throwing(undefined) }, "storage-failed"],
  [
    "has no room",
    { commit: throwing(Object.assign(new Error(), { code: "quota-exceeded" })) },
    "quota-exceeded",
  ],
  [
    "has no room, in a browser's words",
    { commit: throwing(new DOMException("", "QuotaExceededError")) },
    "quota-exceeded",
  ],
  ["answers nonsense to commit", { commit: () => "yes" }, "storage-failed"],
  ["answers nothing to get", { get: () => undefined }, "storage-failed"],
  ["answers too little to get", { get: () => [] }, "storage-failed"],
  ["answers texts to get", { get: (_space, keys) => keys.map(() => "text") }, "storage-failed"],
  ["always conflicts", { commit: () => false }, "conflict"],
];

for (const [name, broken, code] of cases) {
  test(`an adapter that ${name} gives ${code}, and works again when it does`, async () => {
    const { memory, state } = await breakable(broken);
    await memory.add("before");
    state.broken = true;
    const during = broken.get ? memory.get("an entry") : memory.add("during");
    await assert.rejects(during, (error) => {
      assert.equal(error.code, code);
      assert.ok(!error.message.includes("secret"), "S20: an adapter's words stay with it");
      return true;
    });
    state.broken = false;
    await memory.add("after");
    const summaries = (await memory.list()).map(({ summary }) => summary);
    assert.deepEqual(summaries, ["after", "before"]);
  });
}

for (const code of ["corrupt", "newer-version", "unavailable", "blocked", "storage-failed"]) {
  test(`an adapter's own MemoryError with the code ${code} reaches the app as it is`, async () => {
    const own = new MemoryError(code, "in the adapter's words", { cause: "what is behind it" });
    for (const method of ["get", "commit"]) {
      const { memory, state } = await breakable({ [method]: throwing(own) }, "before");
      state.broken = true;
      await assert.rejects(memory.add("during"), (error) => error === own);
    }
    const storage = { get: throwing(own), scan: throwing(own), commit: throwing(own), close: () => {} };
    await assert.rejects(openMemory({ user: "u-1", storage }), (error) => error === own);
  });
}

test("an adapter that loses its answer does not lose the write, nor write it twice", async () => {
  const inner = new MemoryStorage().connect();
  let lose = false;
  const storage = {
    ...inner,
    commit: async (batch) => {
      const done = await inner.commit(batch);
      if (lose) throw new Error("the line went dead");
      return done;
    },
  };
  const memory = await openMemory({ user: "u-1", storage });
  lose = true;
  await memory.add("once");
  lose = false;
  assert.deepEqual(
    (await memory.list()).map(({ summary }) => summary),
    ["once"],
  );
});

test("an adapter that scans nonsense is refused", async () => {
  for (const page of [undefined, {}, { items: [["a", "b"]] }, { items: [], next: 3 }]) {
    const { memory, state } = await breakable({ scan: () => page }, "before");
    state.broken = true;
    await assert.rejects(memory.list(), { code: "storage-failed" });
  }
});

test("something that is no adapter is refused when it is opened", async () => {
  await assert.rejects(openMemory({ user: "u", storage: { get: () => [] } }), { code: "unavailable" });
  await assert.rejects(openMemory({ user: "u", storage: null }), { code: "invalid-input", field: "storage" });
});

test("F17 two handles on one storage, 200 adds each at once: none lost, both list all", async () => {
  const storage = new MemoryStorage();
  const handles = await Promise.all(
    [0, 1].map(() => openMemory({ user: "u-1", storage: storage.connect() })),
  );
  const numbers = [...Array(200).keys()];
  await Promise.all(handles.flatMap((memory, who) => numbers.map((n) => memory.add(`${who}/${n}`))));
  for (const memory of handles) {
    const seen = (await memory.list()).map(({ summary }) => summary);
    assert.equal(new Set(seen).size, 400);
    for (const who of [0, 1]) {
      const own = seen.filter((summary) => summary.startsWith(`${who}/`)).reverse();
      assert.deepEqual(
        own,
        numbers.map((n) => `${who}/${n}`),
        "each handle's writes happen in their order",
      );
    }
  }
});

test("finding 7: an adapter whose scan does not go on gives storage-failed, and is not asked for ever", async () => {
  const before = (key) => key.slice(0, -1);
  for (const [name, next] of [
    ["repeats its start", (range) => range.start],
    ["goes back", (range) => before(range.start)],
  ]) {
    const state = { asked: 0 };
    const { memory, state: broken } = await breakable({
      scan: (_space, range) => {
        state.asked += 1;
        // A caller that asks this often would ask for ever, and nothing else would ever run.
        if (state.asked > 1000) throw new MemoryError("unavailable", "asked too often");
        return { items: [], next: next(range) };
      },
    });
    await memory.files.write("a.md", "a");
    broken.broken = true;
    await assert.rejects(memory.files.list(), { code: "storage-failed" }, name);
    await assert.rejects(memory.collection("c").list(), { code: "storage-failed" }, name);
    broken.broken = false;
    assert.equal((await memory.files.list()).length, 1);
  }
});

test("nothing happens on import, and the slim entry takes a module of the app's own", async () => {
  const bytes = await readFile(new URL(import.meta.resolve("keepsake/keepsake.wasm")));
  let loads = 0;
  const open = withWasm(async () => {
    loads += 1;
    return bytes;
  });
  assert.equal(loads, 0);
  const [one, two] = await Promise.all([
    open({ user: "a", storage: "memory" }),
    open({ user: "b", storage: "memory" }),
  ]);
  assert.equal(loads, 1);
  await one.add("x");
  assert.deepEqual(await two.list(), []);
});

test("a module that cannot be loaded is said plainly, and tried again", async () => {
  let broken = true;
  const bytes = await readFile(new URL(import.meta.resolve("keepsake/keepsake.wasm")));
  const open = withWasm(async () => (broken ? new Uint8Array([1, 2, 3]) : bytes));
  await assert.rejects(open({ user: "a", storage: "memory" }), { code: "unavailable" });
  broken = false;
  await (await open({ user: "a", storage: "memory" })).add("works now");
});

// What becomes of calls when the wasm instance traps, with the build that can be told to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "keepsake";
import { Engine } from "../../target/web-testing/inner.js";
import { CASES, contract, instantiate, module } from "./contract.mjs";

function open(adapter = new MemoryStorage().connect()) {
  return Engine.open(
    { instantiate, module },
    {
      open: JSON.stringify({ user: "u-1" }),
      adapter,
      now: Date.now,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    },
  );
}

const add = (engine, content) => engine.call("add", JSON.stringify({ content }));
const list = (engine) => engine.call("list", "{}");

for (const verb of ["testing-panic", "testing-panic-later", "testing-overflow", "testing-out-of-memory"]) {
  test(`F23 F24 ${verb} is a typed error, and the next call works`, async () => {
    const engine = await open();
    await add(engine, "before");
    await assert.rejects(engine.call(verb, "{}"), (error) => {
      assert.equal(error.name, "MemoryError");
      assert.equal(error.code, "crashed");
      const text = `${error.message} ${error.cause} ${error.stack}`;
      assert.ok(!text.includes("secret"), "S20: what a panic says stays inside");
      return true;
    });
    assert.equal((await list(engine)).length, 1);
    await add(engine, "after");
    assert.equal((await list(engine)).length, 2);
  });
}

test("F24 calls under way are each rejected once, and what was committed stays", async () => {
  const storage = new MemoryStorage();
  const inner = storage.connect();
  const slow = {
    ...inner,
    commit: async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return inner.commit(batch);
    },
  };
  const engine = await open(slow);
  await add(engine, "committed");
  const calls = [
    add(engine, "one"),
    add(engine, "two"),
    list(engine),
    engine.call("testing-panic-later", "{}"),
  ];
  const outcomes = await Promise.allSettled(calls);
  assert.deepEqual(
    outcomes.map(({ status, reason }) => (status === "rejected" ? reason.code : status)),
    ["crashed", "crashed", "fulfilled", "crashed"],
  );
  const left = (await list(engine)).map(({ summary }) => summary);
  // The first write was on its way to the storage when the instance ended: it arrives, or it does not.
  assert.ok(left.includes("committed") && !left.includes("two"), left.join());
  await add(engine, "after");
  assert.ok((await list(engine)).some(({ summary }) => summary === "after"));
});

test("a panic names its place, so that it can be reported", async () => {
  const engine = await open();
  await assert.rejects(engine.call("testing-panic", "{}"), /src\/web\/mod\.rs:\d+/);
});

test("the store contract holds for the storage in memory", async () => {
  const storages = new Map();
  const connect = (name) => {
    if (!storages.has(name)) storages.set(name, new MemoryStorage());
    return storages.get(name).connect();
  };
  assert.deepEqual(await contract(connect), { cases: CASES });
});

test("the store contract finds a careless adapter", async () => {
  const storages = new Map();
  const connect = async (name) => {
    if (!storages.has(name)) storages.set(name, new MemoryStorage());
    const inner = storages.get(name).connect();
    return {
      ...inner,
      commit: async ({ guard, ...batch }) => {
        const [expected] = await inner.get("meta", [guard]);
        return inner.commit({ ...batch, guard, expected });
      },
    };
  };
  assert.match((await contract(connect)).broken, /a_stale_base_changes_nothing/);
});

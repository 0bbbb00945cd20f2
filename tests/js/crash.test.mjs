// What becomes of calls when the wasm instance traps, with the build that can be told to.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryStorage } from "keepsake";
import { Engine } from "../../target/web-testing/inner.js";
import { CASES, contract, instantiate, module } from "./support/contract.mjs";

function open(adapter = new MemoryStorage().connect(), make = instantiate) {
  return Engine.open(
    { instantiate: make, module },
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

test("F24 a new instance has the language packs of the old one", async () => {
  const engine = await open();
  const missing = () => engine.call("missingPacks", JSON.stringify({ texts: ["Mình sống ở Hà Nội"] }));
  assert.deepEqual(await missing(), ["vi"]);
  const pack = await readFile(new URL("../../packs/vi.txt", import.meta.url), "utf8");
  await engine.call("usePack", JSON.stringify({ pack }));
  assert.deepEqual(await missing(), []);
  await assert.rejects(engine.call("testing-panic", "{}"), { code: "crashed" });
  assert.deepEqual(await missing(), []);
});

/** Makes instances that trap, as WebKit's compilers make them, the first time that `isTime` says so of an entry. */
function trappingOnce(isTime) {
  let trapped = false;
  return (module) => {
    const instance = instantiate(module);
    const entry =
      (name) =>
      (...given) => {
        if (!trapped && isTime(name, ...given)) {
          trapped = true;
          throw new WebAssembly.RuntimeError("Out of bounds memory access");
        }
        return instance[name](...given);
      };
    return Object.fromEntries(Object.keys(instance).map((name) => [name, entry(name)]));
  };
}

test("F24 a trap that does not come again is not noticed where nothing was to be written yet", async () => {
  const isList = (name, _call, verb) => name === "call" && verb === "list";
  const isAdd = (name, _call, verb) => name === "call" && verb === "add";
  for (const isTime of [isList, isAdd, (name) => name === "open"]) {
    const engine = await open(undefined, trappingOnce(isTime));
    await Promise.all([add(engine, "one"), add(engine, "two")]);
    assert.equal((await list(engine)).length, 2);
    await engine.close();
  }
});

test("F24 a write that may have been made is not made again", async () => {
  const inner = new MemoryStorage().connect();
  let written = false;
  const adapter = {
    ...inner,
    commit: async (batch) => {
      written = await inner.commit(batch);
      return written;
    },
  };
  // The storage has answered, and the instance traps over the answer.
  const engine = await open(
    adapter,
    trappingOnce((name) => name === "answer" && written),
  );
  written = false;
  await assert.rejects(add(engine, "one"), { code: "crashed" });
  assert.equal((await list(engine)).length, 1);
});

test("F24 F33 calls under way are each rejected once, and what was committed stays", async () => {
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
  // A write was on its way to the storage when an instance ended, the first and then the next one: it arrives, or it does
  // not, and never twice.
  assert.ok(left.includes("committed") && new Set(left).size === left.length, left.join());
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

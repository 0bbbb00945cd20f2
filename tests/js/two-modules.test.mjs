// The small module that a page begins with, and the full one that takes over when something else is called for.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryStorage } from "keepsake";
import { instantiate } from "../../pkg/wasm/keepsake.js";
import { Engine, FIRST_VERBS, starter } from "../../target/web-testing/inner.js";

const bytes = (name) => readFile(new URL(`../../pkg/wasm/${name}.wasm`, import.meta.url));
const files = await Promise.all([bytes("first"), bytes("keepsake")]);
const [first, whole] = await Promise.all(files.map((file) => WebAssembly.compile(file)));

/** A quick build has the full module in the place of both. */
const isQuick = files[0].equals(files[1]);

const config = { namespaces: { "short-term": { maxEntries: 2 } } };

/** An engine that begins small; `loads` counts how often it has asked for more. */
async function small({ storage = new MemoryStorage(), load = async () => whole } = {}) {
  const state = { loads: 0 };
  const full = () => {
    state.loads += 1;
    return load();
  };
  const random = (length) => crypto.getRandomValues(new Uint8Array(length));
  const options = {
    open: JSON.stringify({ user: "u-1", config }),
    adapter: storage.connect(),
    now: Date.now,
    random,
  };
  const engine = await Engine.open({ instantiate, module: first, full }, options);
  const call = (verb, args = {}) => engine.call(verb, JSON.stringify(args));
  return { engine, call, state };
}

const said = { session: "s", messages: [{ role: "user", content: "hello" }] };

test("the small module knows every verb that it is asked for, and no other", async () => {
  const { call, engine, state } = await small();
  for (const verb of FIRST_VERBS) {
    if (verb === "close") continue;
    const outcome = await call(verb, { nonsense: true }).catch(({ message }) => message);
    assert.doesNotMatch(String(outcome), /`verb` is not known/, verb);
  }
  assert.equal(state.loads, 0);
  await engine.close();
  if (isQuick) return;
  // What the engine would never ask it.
  const bare = await Engine.open(
    { instantiate, module: first },
    {
      open: '{"user":"u"}',
      adapter: new MemoryStorage().connect(),
      now: Date.now,
      random: (n) => new Uint8Array(n),
    },
  );
  await assert.rejects(bare.call("sessions", "{}"), { field: "verb" });
});

test("the parts of scores are worth a load, the word in a query is not", async () => {
  const { call, engine, state } = await small();
  await call("add", { content: 'The option "explain":true is documented', id: "a" });
  const [plain] = await call("search", { query: '"explain":true', explain: false });
  assert.equal(plain.id, "a");
  assert.equal(state.loads, 0);
  const [explained] = await call("search", { query: '"explain":true', explain: true });
  assert.equal(state.loads, 1);
  assert.equal(explained.score, plain.score);
  assert.equal(
    explained.receipt.reduce((sum, { value }) => sum + value, 0),
    plain.score,
  );
  await engine.close();
});

test("a rule for secrets is worth a load, the word in a text is not", async () => {
  const { call, engine, state } = await small();
  await call("add", { content: 'The option "secrets":"redact" is documented' });
  assert.equal(state.loads, 0);
  const { secrets } = await call("add", { content: "sk-proj-Ab12Cd34Ef56Gh78Ij90", secrets: "redact" });
  assert.deepEqual([secrets, state.loads], [["api key"], 1]);
  await engine.close();
});

test("the full module takes over in the order of the calls, and what was written is there", async () => {
  const { call, state } = await small();
  const { id } = await call("add", { content: "green tea" });
  const order = [];
  const noted = async (name, promise) => {
    const answer = await promise;
    order.push(name);
    return answer;
  };
  const [, , found, , later] = await Promise.all([
    noted("add", call("add", { content: "black tea", id: "b" })),
    noted("append", call("append", said)),
    noted("search", call("search", { query: "tea" })),
    noted("sessions", call("sessions")),
    noted("get", call("get", { id })),
  ]);
  assert.equal(order[0], "add");
  assert.equal(found.length, 2);
  assert.equal(later.content, "green tea");
  assert.equal(state.loads, 1);
  assert.equal((await call("sessions")).length, 1);
  assert.equal(state.loads, 1);
});

test("a module that cannot be loaded fails the call that needs it, and the next one tries again", async () => {
  let broken = true;
  const load = async () => {
    if (broken) throw Object.assign(new Error("offline"), { code: "unavailable" });
    return whole;
  };
  const { call, engine } = await small({ load });
  await assert.rejects(call("append", said), /offline/);
  await call("add", { content: "still works" });
  broken = false;
  await call("append", said);
  assert.equal((await call("list")).length, 1);
  await engine.close();
  await assert.rejects(call("list"), { code: "closed" });
});

test("who had to make room is still told after the full module has taken over", async () => {
  const { call } = await small();
  assert.deepEqual(await call("evicted"), []);
  for (const id of ["a", "b"]) await call("add", { content: id, id });
  await call("append", said);
  await call("add", { content: "c", id: "c" });
  assert.deepEqual(await call("evicted"), [{ id: "a", namespace: "short-term" }]);
});

test("a memory that is closed while more is being loaded closes all the same", async () => {
  let arrive;
  const load = () =>
    new Promise((resolve) => {
      arrive = () => resolve(whole);
    });
  const { call, engine } = await small({ load });
  const appended = call("append", said);
  const closing = engine.close();
  await assert.rejects(call("list"), { code: "closed" });
  arrive();
  await appended;
  await closing;
});

test("an app that says full loads the full module only", async () => {
  const loaded = [];
  const loader = (name, module) => async () => {
    loaded.push(name);
    return module;
  };
  const start = starter(loader("full", whole), loader("first", first));
  const request = { open: '{"user":"u"}', name: "n", user: "u", storage: "memory" };
  const { engine } = await start({ ...request, core: "full" });
  await engine.call("sessions", "{}");
  assert.deepEqual(loaded, ["full"]);
  const other = await start(request);
  await other.engine.call("list", "{}");
  assert.deepEqual(loaded, ["full", "first"]);
  await assert.rejects(start({ ...request, core: "tiny" }), { field: "core" });
});

test("who is told of what others write need not look for it, in the full module either", async () => {
  const storage = new MemoryStorage();
  const looks = [];
  const watched = () => {
    const inner = storage.connect();
    return {
      scan: (...asked) => inner.scan(...asked),
      commit: (batch) => inner.commit(batch),
      close: () => inner.close(),
      get: (space, keys) => {
        looks.push(space);
        return inner.get(space, keys);
      },
    };
  };
  const { call, engine, state } = await small({ storage: { connect: watched } });
  await call("hint");
  await call("append", said);
  assert.equal(state.loads, 1);
  // The first look after a hint is one at the storage.
  await call("search", { query: "hello" });
  looks.length = 0;
  await call("search", { query: "hello" });
  assert.ok(!looks.includes("meta"), `${looks}`);
  await engine.close();
});

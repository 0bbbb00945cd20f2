// What a memory tells of by itself: writes of its own, and failures that concern more than their caller.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage } from "keepsake";
import { memoryOf, talk } from "./support/talk.mjs";

/** All that a memory tells, by the names of the events, in order. */
function heard(memory) {
  const told = [];
  for (const event of ["change", "quota", "conflict", "superseded"]) {
    memory.on(event, (what) => told.push([event, what]));
  }
  return told;
}

/** A storage whose commits fail as they are told to. */
function failing() {
  const inner = new MemoryStorage().connect();
  const state = { fail: undefined };
  const commit = async (batch) => (state.fail ? state.fail() : inner.commit(batch));
  return { state, storage: { ...inner, commit } };
}

const full = () => {
  throw Object.assign(new Error(), { code: "quota-exceeded" });
};

test("every write tells of itself before it is answered, and reading tells nothing", async () => {
  const memory = await memoryOf();
  const told = heard(memory);
  const added = memory.add("x").then(({ id }) => {
    assert.deepEqual(told, [["change", { local: true }]]);
    return id;
  });
  const id = await added;
  await memory.get(id);
  await memory.search("x");
  await memory.list();
  assert.equal(told.length, 1);
  await memory.update(id, { content: "y" });
  await memory.profile.update({ language: "vi" });
  await memory.delete(id);
  assert.equal(told.length, 4);
});

test("a change names its conversation where the call did, and a fork the new one", async () => {
  const memory = await memoryOf();
  const told = heard(memory);
  const chat = memory.session("s-1", { compression: false });
  const said = await chat.append({ role: "user", content: "hello" });
  await chat.fork({ at: said.id, to: "s-2" });
  await memory.add("x", { session: "s-3" });
  const place = { agentId: "a", sessionId: "s-4" };
  await memory.write({ ...place, scope: "dialog", data: { role: "user", content: "hi" } });
  await memory.session("s-4").idle();
  await memory.clear();
  assert.deepEqual(
    told.map(([, { session }]) => session),
    ["s-1", "s-2", "s-3", undefined, undefined],
  );
});

test("a compression in the background is a change, and one that finds nothing to do is none", async () => {
  const memory = await memoryOf();
  const told = heard(memory);
  const chat = memory.session("s", { contextTokens: 2000 });
  await chat.append(talk(2));
  await chat.idle();
  assert.equal(told.length, 1);
  await chat.append(talk(60, 20));
  await chat.idle();
  assert.deepEqual(told.slice(1), Array(2).fill(["change", { local: true, session: "s" }]));
});

test("an entry that the embedder has to be asked about is told of once it is written", async () => {
  const memory = await memoryOf({ embedder: async (texts) => texts.map(() => [1, 2]) });
  const told = heard(memory);
  await memory.add("x", { session: "s" });
  assert.deepEqual(told, [["change", { local: true, session: "s" }]]);
});

for (const [event, code, fail] of [
  ["quota", "quota-exceeded", full],
  ["conflict", "conflict", () => false],
]) {
  test(`a write that fails with ${code} is told of as ${event}, with its error`, async () => {
    const { state, storage } = failing();
    const memory = await memoryOf({ storage });
    const told = heard(memory);
    state.fail = fail;
    const error = await memory.add("x").catch((error) => error);
    assert.ok(error instanceof MemoryError);
    assert.equal(error.code, code);
    assert.deepEqual(told, [[event, { error }]]);
    state.fail = undefined;
    await memory.add("y");
    assert.deepEqual(told[1], ["change", { local: true }]);
  });
}

test("a failure in the background is told of too, though nobody called for it", async () => {
  const { state, storage } = failing();
  const memory = await memoryOf({ storage });
  const told = heard(memory);
  const chat = memory.session("s", { contextTokens: 2000, onError: () => {} });
  await chat.append(talk(60, 20));
  state.fail = full;
  await chat.idle();
  assert.deepEqual(
    told.map(([event]) => event),
    ["change", "quota"],
  );
});

test("a wrong argument is its caller's, and nobody else is told", async () => {
  const memory = await memoryOf();
  const told = heard(memory);
  await assert.rejects(memory.add(""));
  assert.deepEqual(told, []);
});

test("whoever has stopped listening is told nothing, and neither is anybody after a close", async () => {
  const memory = await memoryOf();
  const told = [];
  const listener = ({ local }) => told.push(local);
  const [first, second] = [memory.on("change", listener), memory.on("change", listener)];
  await memory.add("1");
  assert.equal(told.length, 2, "one function may listen twice");
  first();
  first();
  await memory.add("2");
  assert.equal(told.length, 3);
  second();
  await memory.add("3");
  assert.equal(told.length, 3);
  memory.on("change", listener);
  const last = memory.add("4");
  await memory.close();
  await last;
  assert.equal(told.length, 4, "writes under way are told of");
  await assert.rejects(memory.add("5"), { code: "closed" });
  assert.equal(told.length, 4);
});

test("a listener that fails costs neither the write nor the other listeners", async (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const memory = await memoryOf();
  const told = [];
  memory.on("change", () => {
    throw new Error("my own fault");
  });
  const off = memory.on("change", () => {
    told.push("once");
    off();
    memory.on("change", () => told.push("later"));
  });
  await memory.add("x");
  assert.deepEqual(told, ["once"]);
  assert.equal(warned.mock.callCount(), 1);
  await memory.add("y");
  assert.deepEqual(told, ["once", "later"]);
});

test("an event that there is not, and a listener that is none, are refused by name", async () => {
  const memory = await memoryOf();
  const wrong = (call, field) => assert.throws(call, { code: "invalid-input", field });
  wrong(() => memory.on("changed", () => {}), "event");
  wrong(() => memory.on("toString", () => {}), "event");
  wrong(() => memory.on("change"), "listener");
});

test("who has to make room is named, each once, before the add is answered", async () => {
  const memory = await memoryOf({ config: { namespaces: { "short-term": { maxEntries: 2 } } } });
  const told = [];
  const off = memory.on("evicted", (entry) => told.push(entry));
  const add = (id) => memory.add(id, { id, namespace: "short-term" });
  await add("a");
  await add("b");
  assert.deepEqual(told, []);
  await add("c");
  assert.deepEqual(told, [{ id: "a", namespace: "short-term" }]);
  await memory.add("x", { namespace: "long-term" });
  await Promise.all([add("d"), add("e")]);
  assert.deepEqual(told.map(({ id }) => id).sort(), ["a", "b", "c"]);
  off();
  await add("f");
  assert.equal(told.length, 3);
});

// What the React hooks stand on, without a browser: an answer that stays true, whatever comes when.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { openMemory } from "keepsake";
import { useEntries, useMemory, useSearch, useSession } from "keepsake/react";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

// The built package has no door to these two.
const { outputFiles } = await build({
  stdin: {
    contents: 'export { Live } from "../../memory/live.ts"; export { keyOf } from "./shared.ts";',
    resolveDir: fileURLToPath(new URL("../../pkg/src/adapters/react", import.meta.url)),
  },
  bundle: true,
  format: "esm",
  packages: "external",
  write: false,
});
const { Live, keyOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

/** A live answer to a memory that changes when it is told to, and answers when it is told to. */
function live() {
  const listeners = new Set();
  const calls = [];
  const memory = {
    on: (_event, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const answers = new Live(memory);
  const frames = [];
  const off = answers.subscribe(() => frames.push(answers.answer()));
  const question = (name, concerns = () => true) => ({
    name,
    concerns,
    ask: () => new Promise((resolve, reject) => calls.push({ name, resolve, reject })),
  });
  const change = (what = { local: true }) => {
    for (const listener of listeners) listener(what);
  };
  return { answers, frames, calls, question, change, off, listeners };
}

/** Lets what was answered arrive. */
const arrived = () => new Promise((resolve) => setImmediate(resolve));

test("a change while an answer is awaited is one more call, however many there were", async () => {
  const { answers, frames, calls, question, change } = live();
  answers.ask(question("q"));
  for (let n = 0; n < 5; n++) change();
  assert.equal(calls.length, 1);
  calls[0].resolve("old");
  await arrived();
  assert.equal(calls.length, 2);
  calls[1].resolve("new");
  await arrived();
  assert.deepEqual(
    frames.map(({ value }) => value),
    ["old", "new"],
  );
  assert.equal(calls.length, 2);
});

test("another question is asked at once, and the answer to the one before is not taken", async () => {
  const { answers, frames, calls, question } = live();
  answers.ask(question("slow"));
  answers.ask(question("fast"));
  assert.deepEqual(
    calls.map(({ name }) => name),
    ["slow", "fast"],
  );
  calls[1].resolve(2);
  await arrived();
  calls[0].resolve(1);
  await arrived();
  assert.deepEqual(frames, [{ question: "fast", value: 2, error: undefined }]);
});

test("a change that does not concern the question is not asked about", async () => {
  const { answers, calls, question, change } = live();
  answers.ask(question("q", ({ session }) => session === undefined || session === "s-1"));
  calls[0].resolve(1);
  await arrived();
  change({ local: true, session: "s-2" });
  assert.equal(calls.length, 1);
  change({ local: true, session: "s-1" });
  assert.equal(calls.length, 2);
});

test("a failure keeps what was there, but not what another question had", async () => {
  const { answers, calls, question, change } = live();
  const failure = new Error("no");
  answers.ask(question("a"));
  calls[0].resolve("answer to a");
  await arrived();
  change();
  calls[1].reject(failure);
  await arrived();
  assert.deepEqual(answers.answer(), { question: "a", value: "answer to a", error: failure });
  answers.ask(question("b"));
  calls[2].reject(failure);
  await arrived();
  assert.deepEqual(answers.answer(), { question: "b", value: undefined, error: failure });
  change();
  calls[3].resolve("answer to b");
  await arrived();
  assert.deepEqual(answers.answer(), { question: "b", value: "answer to b", error: undefined });
});

test("nobody listens to the memory once nobody listens to the answer", () => {
  const { answers, listeners, off } = live();
  const other = answers.subscribe(() => {});
  assert.equal(listeners.size, 1);
  off();
  assert.equal(listeners.size, 1);
  other();
  assert.equal(listeners.size, 0);
});

test("memories of one name, user and storage are the same, whatever else is said", () => {
  const adapter = { get() {}, scan() {}, commit() {}, close() {} };
  const same = [
    [{ user: "u" }, { user: "u", name: "default", embedder: async () => [] }],
    [
      { user: "u", storage: adapter },
      { user: "u", storage: adapter },
    ],
  ];
  for (const [a, b] of same) assert.equal(keyOf(a), keyOf(b));
  const others = [{ user: "v" }, { user: "u", name: "n" }, { user: "u", storage: "memory" }];
  const keys = [
    { user: "u" },
    ...others,
    { user: "u", storage: adapter },
    { user: "u", storage: { ...adapter } },
  ];
  assert.equal(new Set(keys.map(keyOf)).size, keys.length);
});

function Calling({ hook, answered }) {
  answered(hook());
  return null;
}

/** What a hook answers in its first render. */
function rendered(hook) {
  const answers = [];
  renderToString(createElement(Calling, { hook, answered: (answer) => answers.push(answer) }));
  return answers[0];
}

test("a wrong argument is an error of the result, and nothing is thrown while rendering", async (t) => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  t.after(() => memory.close());
  const wrong = [
    [() => useSession(memory, "s-1", { limt: 5 }), "limt", /did you mean `limit`\?/],
    [() => useSession(undefined, "s-1", { limt: 5 }), "limt", /did you mean `limit`\?/],
    [() => useSession(memory, "s-1", { size: 5 }), "size", /known are: .*\blimit\b/],
    [() => useSession(memory, "s-1", null), "options", /must be an object/],
    [() => useSession(memory, "s-1", { compression: "tree" }), "compression", /./],
    [() => useSession({ memory }, "s-1"), "memory", /must be the `memory` of `useMemory`/],
    [() => useSearch({ memory }, "tea"), "memory", /must be the `memory` of `useMemory`/],
    [() => useEntries({ memory }), "memory", /must be the `memory` of `useMemory`/],
  ];
  for (const [hook, field, message] of wrong) {
    const { status, error, ...rest } = rendered(hook);
    assert.equal(status, "failed", field);
    assert.deepEqual([error.code, error.field], ["invalid-input", field]);
    assert.match(error.message, message);
    assert.ok(
      [rest.messages, rest.hits, rest.entries].flat().every((found) => found === undefined),
      field,
    );
  }
  for (const none of [undefined, null]) {
    assert.equal(rendered(() => useSession(none, "s-1")).status, "loading");
    assert.equal(rendered(() => useSearch(none, "tea")).status, "loading");
    assert.equal(rendered(() => useEntries(none)).status, "loading");
  }
  for (const options of [undefined, null, "ann", 7]) {
    assert.deepEqual(
      rendered(() => useMemory(options)),
      { status: "loading", memory: undefined, error: undefined },
    );
  }
});

// LangGraph's store on a memory: every operation, its filters and paths, and from within a graph.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { InMemoryStore, InvalidNamespaceError } from "@langchain/langgraph-checkpoint";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeSaver, KeepsakeStore } from "keepsake/langgraph";
import { interrupted } from "./support/interrupted.mjs";
import { memoryOf } from "./support/talk.mjs";

const storeOf = async (options) => new KeepsakeStore(await memoryOf(), options);
const keysOf = (items) => items.map(({ key }) => key);

test("an item is put, read, changed and deleted, with its times", async () => {
  const store = await storeOf();
  const before = Date.now();
  await store.put(["users", "ann"], "likes", { drink: "tea", deep: { er: [1, null, "x"] } });
  const item = await store.get(["users", "ann"], "likes");
  assert.deepEqual(item.value, { drink: "tea", deep: { er: [1, null, "x"] } });
  assert.deepEqual([item.namespace, item.key], [["users", "ann"], "likes"]);
  assert.ok(item.createdAt instanceof Date && item.createdAt.getTime() >= before);
  assert.deepEqual(item.createdAt, item.updatedAt);
  await store.put(["users", "ann"], "likes", { drink: "coffee" });
  const changed = await store.get(["users", "ann"], "likes");
  assert.deepEqual(changed.value, { drink: "coffee" });
  assert.deepEqual(changed.createdAt, item.createdAt);
  assert.ok(changed.updatedAt >= item.updatedAt);
  assert.equal(await store.get(["users"], "likes"), null);
  await store.delete(["users", "ann"], "likes");
  await store.delete(["users", "ann"], "likes");
  assert.equal(await store.get(["users", "ann"], "likes"), null);
});

test("filters let through what those of LangGraph's own store let through", async () => {
  const [ours, theirs] = [await storeOf(), new InMemoryStore()];
  const values = [
    { n: 1, tag: "a", on: true, at: "2026-01-01" },
    { n: 2, tag: "b", on: false },
    { n: 10, tag: "c", none: null },
    { n: "3", tag: "a" },
    { tag: "a" },
  ];
  for (const store of [ours, theirs]) {
    for (const [at, value] of values.entries()) await store.put(["f"], `${at}`, value);
  }
  const filters = [
    {},
    { tag: "a" },
    { tag: "a", n: 1 },
    { on: false },
    { none: null },
    { tag: { $eq: "a" } },
    { tag: { $ne: "a" } },
    { n: { $gt: 1 } },
    { n: { $gte: 2, $lt: 10 } },
    { n: { $lte: 2 } },
    { tag: { $in: ["a", "c"] } },
    { tag: { $nin: ["a", "c"] } },
    { tag: { $in: "a" } },
    { tag: {} },
    { missing: "x" },
    { missing: { $ne: "x" } },
    { constructor: "x" },
  ];
  for (const filter of filters) {
    const [mine, others] = await Promise.all([ours, theirs].map((store) => store.search(["f"], { filter })));
    assert.deepEqual(keysOf(mine), keysOf(others), JSON.stringify(filter));
  }
  // Theirs compare objects by identity, and dates as numbers that they are not.
  await ours.put(["g"], "deep", { at: "2026-05-01", place: { city: "Hanoi", no: [1] } });
  assert.equal((await ours.search(["g"], { filter: { place: { no: [1], city: "Hanoi" } } })).length, 1);
  assert.equal(
    (await ours.search(["g"], { filter: { at: { $gt: "2026-04-30", $lt: "2026-06-01" } } })).length,
    1,
  );
});

test("a query goes by words, best first; filters, prefixes and pages hold for it", async () => {
  const store = await storeOf();
  const texts = [
    "Ann drinks green tea",
    "Bob drinks coffee and black tea every day of the week",
    "Eve likes chess",
  ];
  for (const [at, text] of texts.entries())
    await store.put(["m", `u${at}`], `${at}`, { text, odd: at % 2 === 1 });
  const found = await store.search(["m"], { query: "green tea" });
  assert.deepEqual(keysOf(found), ["0", "1"]);
  assert.ok(found[0].score > found[1].score && found[1].score > 0);
  assert.deepEqual(keysOf(await store.search(["m"], { query: "tea", filter: { odd: true } })), ["1"]);
  assert.deepEqual(keysOf(await store.search(["m", "u0"], { query: "tea" })), ["0"]);
  assert.deepEqual(keysOf(await store.search(["m"], { query: "green tea", limit: 1, offset: 1 })), ["1"]);
  assert.deepEqual(await store.search(["m"], { query: "astronomy" }), []);
  const all = await store.search(["m"]);
  assert.deepEqual(keysOf(all), ["0", "1", "2"]);
  assert.equal(all[0].score, undefined);
  // A filter that lets few through: they are found behind many others.
  for (let n = 0; n < 60; n++)
    await store.put(["many"], `${n}`.padStart(2, "0"), { text: "tea", rare: n === 59 });
  assert.deepEqual(keysOf(await store.search(["many"], { query: "tea", filter: { rare: true }, limit: 1 })), [
    "59",
  ]);
  assert.equal((await store.search(["many"], { query: "tea", limit: 100 })).length, 60);
  await store.put(["m", "u0"], "0", { text: "Ann drinks water" });
  assert.deepEqual(
    keysOf(await store.search(["m"], { query: "green" })),
    [],
    "what it said before is forgotten",
  );
});

test("the paths of an index say what an item is found by", async () => {
  const store = await storeOf({ fields: ["title"] });
  const value = {
    title: "alpha",
    meta: { author: "beta", year: 1984 },
    chapters: [{ text: "gamma" }, { text: "delta" }, "epsilon"],
    other: "zeta",
  };
  const paths = {
    default: [undefined, ["alpha"]],
    none: [false, []],
    whole: [["$"], ["alpha", "beta", "1984", "gamma", "delta", "epsilon", "zeta"]],
    nested: [["meta.author"], ["beta"]],
    number: [["meta.year"], ["1984"]],
    each: [["chapters[*].text"], ["gamma", "delta"]],
    first: [["chapters[0].text"], ["gamma"]],
    last: [["chapters[-1]"], ["epsilon"]],
    beyond: [["chapters[-9]", "chapters[9]", "none.at.all", "title.deeper", "__proto__"], []],
    object: [["meta"], ["beta", "1984"]],
    several: [
      ["{title,meta.author}", "other"],
      ["alpha", "beta", "zeta"],
    ],
    any: [["meta.*"], ["beta", "1984"]],
  };
  for (const [name, [index]] of Object.entries(paths)) await store.put(["p", name], name, value, index);
  for (const [name, [, words]] of Object.entries(paths)) {
    const found = [];
    for (const word of ["alpha", "beta", "1984", "gamma", "delta", "epsilon", "zeta"]) {
      if ((await store.search(["p", name], { query: word })).length > 0) found.push(word);
    }
    assert.deepEqual(found, words, name);
    assert.equal((await store.search(["p", name])).length, 1);
  }
});

test("a very long item is kept whole, and found by the first megabyte of its words", async () => {
  const store = await storeOf();
  const text = `alpha ${"ả🌱 ".repeat(500_000)} omega`;
  await store.put(["long"], "k", { text });
  assert.equal((await store.get(["long"], "k")).value.text, text);
  assert.deepEqual(keysOf(await store.search(["long"], { query: "alpha" })), ["k"]);
  assert.deepEqual(await store.search(["long"], { query: "omega" }), []);
});

test("namespaces are listed by prefix, suffix, wildcards and depth", async () => {
  const store = await storeOf();
  const namespaces = [
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "x", "c"],
    ["ab"],
    ["d", "b", "c"],
    ["d", "!", "0"],
  ];
  for (const namespace of namespaces) {
    for (const key of ["k", "/", "\u{10ffff}"]) await store.put(namespace, key, {});
  }
  const listed = (options) => store.listNamespaces(options);
  assert.deepEqual(await listed(), [
    ["a"],
    ["a", "b"],
    ["a", "b", "c"],
    ["a", "x", "c"],
    ["ab"],
    ["d", "!", "0"],
    ["d", "b", "c"],
  ]);
  assert.deepEqual(await listed({ prefix: ["a"] }), [["a"], ["a", "b"], ["a", "b", "c"], ["a", "x", "c"]]);
  assert.deepEqual(await listed({ prefix: ["a", "*", "c"] }), [
    ["a", "b", "c"],
    ["a", "x", "c"],
  ]);
  assert.deepEqual(await listed({ suffix: ["b", "c"] }), [
    ["a", "b", "c"],
    ["d", "b", "c"],
  ]);
  assert.deepEqual(await listed({ suffix: ["*", "c"], prefix: ["d"] }), [["d", "b", "c"]]);
  assert.deepEqual(await listed({ maxDepth: 1 }), [["a"], ["ab"], ["d"]]);
  assert.deepEqual(await listed({ prefix: ["a"], maxDepth: 2 }), [["a"], ["a", "b"], ["a", "x"]]);
  assert.deepEqual(await listed({ limit: 2, offset: 1 }), [
    ["a", "b"],
    ["a", "b", "c"],
  ]);
  await store.batch(["k", "/", "\u{10ffff}"].map((key) => ({ namespace: ["ab"], key, value: null })));
  assert.equal((await listed({ prefix: ["ab"] })).length, 0, "an empty one is none");
  assert.equal((await store.search(["a"])).length, 10, "the labels are whole: none of ab");
  assert.equal((await store.search(["a"], { limit: 99 })).length, 12);
  assert.equal((await store.search([], { limit: 99 })).length, 18);
});

test("a batch reads what was there before, and writes all or nothing", async () => {
  const store = await storeOf();
  await store.put(["n"], "a", { v: 1 });
  const results = await store.batch([
    { namespace: ["n"], key: "a" },
    { namespace: ["n"], key: "a", value: { v: 2 } },
    { namespacePrefix: ["n"], limit: 10, offset: 0 },
    { namespace: ["n"], key: "b", value: { v: 3 } },
    { namespace: ["n"], key: "b", value: { v: 4 } },
    { limit: 10, offset: 0 },
    { namespace: ["n"], key: "none" },
  ]);
  assert.deepEqual(results[0].value, { v: 1 });
  assert.deepEqual(
    results[2].map(({ value }) => value),
    [{ v: 1 }],
  );
  assert.deepEqual([results[1], results[3], results[5], results[6]], [undefined, undefined, [["n"]], null]);
  assert.deepEqual((await store.get(["n"], "b")).value, { v: 4 });
  const puts = [
    { namespace: ["n"], key: "c", value: { v: 5 } },
    { namespace: ["n"], key: "d", value: { f() {} } },
  ];
  await assert.rejects(store.batch(puts), { code: "invalid-input" });
  assert.equal(await store.get(["n"], "c"), null);
  assert.deepEqual(await store.batch([]), []);
});

test("nodes of a graph share the store over threads and reloads", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-store-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "memory.jsonl");
  const State = Annotation.Root({ said: Annotation(), known: Annotation() });
  const turn = async (thread_id, said) => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    const graph = new StateGraph(State)
      .addNode("remember", async ({ said }, { store }) => {
        // The label has a dot: graphs put without the check that `store.put` makes.
        const namespace = ["memories", "ann@example.com"];
        const known = await store.search(namespace, { query: said });
        await store.put(namespace, thread_id, { text: said });
        return { known: known.map(({ value }) => value.text) };
      })
      .addEdge(START, "remember")
      .compile({ checkpointer: new KeepsakeSaver(memory), store: new KeepsakeStore(memory) });
    const { known } = await graph.invoke({ said }, { configurable: { thread_id } });
    await memory.close();
    return known;
  };
  assert.deepEqual(await turn("one", "I drink tea"), []);
  assert.deepEqual(await turn("two", "Which tea do I drink?"), ["I drink tea"]);
});

test("two stores put at once and lose nothing; the time of making stays", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-store-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "memory.jsonl");
  const open = () => openMemory({ user: "u-1", storage: jsonl(path) });
  const memories = [await open(), await open()];
  const stores = memories.map((memory) => new KeepsakeStore(memory));
  await Promise.all(
    stores.flatMap((store, which) =>
      Array.from({ length: 10 }, async (_, n) => {
        await store.put(["both"], "same", { which, n });
        await store.put(["own"], `${which}-${n}`, { n });
      }),
    ),
  );
  assert.equal((await stores[0].search(["own"], { limit: 99 })).length, 20);
  const [one, two] = await Promise.all(stores.map((store) => store.get(["both"], "same")));
  assert.deepEqual(one, two);
  assert.ok(one.createdAt <= one.updatedAt);
  await Promise.all(memories.map((memory) => memory.close()));
});

test("an item that somebody else made meanwhile keeps the time at which it was made", async () => {
  const memory = await memoryOf();
  const quick = new KeepsakeStore(memory);
  let made;
  const slow = new KeepsakeStore(
    interrupted(memory, async () => {
      await quick.put(["n"], "k", { who: "quick" });
      made = (await quick.get(["n"], "k")).createdAt;
      // The clock goes on, so that the two times differ.
      while (Date.now() === made.getTime()) await new Promise((resolve) => setTimeout(resolve));
    }),
  );
  await slow.put(["n"], "k", { who: "slow" });
  const item = await quick.get(["n"], "k");
  assert.deepEqual(item.value, { who: "slow" });
  assert.deepEqual(item.createdAt, made);
  assert.ok(item.updatedAt > made);
});

test("hostile labels and keys are labels and keys like others", async () => {
  const store = await storeOf();
  const names = [
    "__proto__",
    "constructor",
    "a/b",
    "a//b",
    "/",
    "//",
    "~1",
    "~0",
    "việt 🌱",
    "\u0000",
    " ",
    "*",
  ];
  for (const name of names) await store.put([name, name], name, { name });
  for (const name of names) {
    const item = await store.get([name, name], name);
    assert.deepEqual([item.namespace, item.key, item.value], [[name, name], name, { name }]);
    assert.deepEqual(keysOf(await store.search([name])), [name]);
  }
  const listed = await store.listNamespaces();
  assert.deepEqual(listed.map(([label]) => label).sort(), names.toSorted());
});

test("what cannot be is refused by its name", async () => {
  const memory = await memoryOf();
  const store = new KeepsakeStore(memory);
  const wrong = { code: "invalid-input" };
  await assert.rejects(store.put([], "k", {}), InvalidNamespaceError);
  await assert.rejects(store.put(["a.b"], "k", {}), InvalidNamespaceError);
  await assert.rejects(store.put(["langgraph"], "k", {}), InvalidNamespaceError);
  for (const [operation, field] of [
    [{ namespace: [], key: "k", value: {} }, "namespace"],
    [{ namespace: "a", key: "k" }, "namespace"],
    [{ namespace: ["a", ""], key: "k" }, "namespace[1]"],
    [{ namespace: ["a"], key: "" }, "key"],
    [{ namespace: ["a"], key: 1 }, "key"],
    [{ namespace: ["a"], key: "k", value: undefined }, "value"],
    [{ namespace: ["a"], key: "k", value: "text" }, "value"],
    [{ namespace: ["a"], key: "k", value: [] }, "value"],
    [{ namespace: ["a"], key: "k", value: {}, index: "title" }, "index"],
    [{ namespacePrefix: "a" }, "namespacePrefix"],
    [{ namespacePrefix: ["a"], limit: -1 }, "limit"],
    [{ namespacePrefix: ["a"], offset: 0.5 }, "offset"],
    [{ matchConditions: [], maxDepth: "1" }, "maxDepth"],
  ]) {
    await assert.rejects(store.batch([operation]), { ...wrong, field }, JSON.stringify(operation));
  }
  await store.put(["a"], "k", { v: 1 });
  await assert.rejects(store.batch([{ matchConditions: [{ matchType: "middle", path: ["a"] }] }]), {
    field: "matchType",
  });
  await assert.rejects(store.batch("x"), { ...wrong, field: "operations" });
  await assert.rejects(store.batch([null]), { ...wrong, field: "operations[0]" });
  await assert.rejects(store.put(["a"], "d", { at: new Date() }), wrong);
  await assert.rejects(store.put(["a"], "x".repeat(2000), {}), { code: "too-large" });
  await assert.rejects(store.put(["a"], "big", { text: "x".repeat(9_000_000) }, false), {
    code: "too-large",
  });
  assert.throws(() => new KeepsakeStore(memory, { fields: "title" }), { field: "fields" });
  await memory.close();
  await assert.rejects(store.get(["a"], "k"), { code: "closed" });
  await assert.rejects(store.put(["a"], "k", {}), { code: "closed" });
});

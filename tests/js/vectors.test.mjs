// Vectors through the TypeScript API: when the embedder is asked and for what, and what becomes of its failures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage, memoryFunctions, openMemory } from "keepsake";

/** What words are about, each thing in a direction of its own. */
const ABOUT = [
  ["dog", "puppy", "terrier"],
  ["car", "engine", "garage"],
  ["bread", "oven", "flour"],
  ["violin", "concert", "orchestra"],
  ["mountain", "summit", "climb"],
  ["doctor", "fever", "pills"],
];

/** One entry about each of them; no two have a word in common. */
const THINGS = [
  "Our terrier Max arrived yesterday",
  "Left both wheels at Minh's garage",
  "More flour before guests come",
  "Tickets for the orchestra next week",
  "That summit was worth it",
  "Three pills after each meal",
];

const meaning = (text) => ABOUT.map((words) => 0.1 + words.filter((word) => text.includes(word)).length);

/** An embedder that notes what it was asked; `act` may do something else than answer. */
function noting(act = (texts) => texts.map(meaning)) {
  const asked = [];
  const embedder = async (texts) => {
    asked.push(texts);
    return act(texts);
  };
  return { asked, embedder };
}

const open = (options = {}) => openMemory({ user: "u-1", storage: "memory", ...options });

const summaries = (entries) => entries.map(({ summary }) => summary);

/** Answers that come when they are called for, in any order. */
function held() {
  const waiting = new Map();
  const embedder = ([text]) =>
    new Promise((resolve, reject) => {
      waiting.set(text, { answer: () => resolve([meaning(text)]), fail: reject });
    });
  return { waiting, embedder };
}

/** Lets everything run that can. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test("the embedder is asked once for an add and once for a search, and what it says is used", async () => {
  const { asked, embedder } = noting();
  const memory = await open({ embedder });
  for (const content of THINGS) await memory.add(content);
  assert.deepEqual(
    asked,
    THINGS.map((content) => [content]),
  );
  asked.length = 0;
  const hits = await memory.search("puppy", { explain: true });
  assert.deepEqual(asked, [["puppy"]]);
  assert.deepEqual(summaries(hits), [THINGS[0]]);
  assert.ok(hits[0].receipt.some(({ label }) => label === "meaning"));
  assert.equal(
    hits[0].receipt.reduce((sum, { value }) => sum + value, 0),
    hits[0].score,
  );
  asked.length = 0;
  assert.deepEqual(await memory.explainMiss(hits[0].id, "puppy"), { reason: "hit" });
  assert.deepEqual(asked, [["puppy"]]);
  asked.length = 0;
  await memory.get(hits[0].id);
  await memory.list();
  await memory.delete(hits[0].id);
  await memory.update((await memory.list())[0].id, { tags: ["same"] });
  assert.deepEqual(asked, [], "and for nothing else");
});

test("who says it is not embedded, be it added, changed or embedded later", async () => {
  const { asked, embedder } = noting();
  const storage = new MemoryStorage();
  const plain = await open({ storage: storage.connect() });
  await plain.add("Ann:  before there was an embedder", { speaker: "Ann" });
  const memory = await open({ storage: storage.connect(), embedder });
  const { id } = await memory.add("Ann: I see", { speaker: "Ann" });
  await memory.add("Ann: nobody says this");
  await memory.update(id, { content: "Ann: I saw" });
  await memory.update(id, { content: "Bob: I did not" });
  assert.equal(await memory.embedAll(), 1);
  assert.deepEqual(asked.flat(), [
    "I see",
    "Ann: nobody says this",
    "I saw",
    "Bob: I did not",
    "before there was an embedder",
  ]);
  assert.equal((await memory.get(id)).content, "Bob: I did not");
});

test("X10 the formula does not ask the embedder, and an app that knows better is believed", async () => {
  const { asked, embedder } = noting();
  const memory = await open({ embedder });
  for (const content of THINGS) await memory.add(content, { embedding: meaning(content) });
  const { id } = await memory.add("Rex", { embedding: new Float32Array(meaning("dog")) });
  await memory.update(id, { content: "Bello", embedding: meaning("puppy") });
  assert.equal((await memory.search("flour", { ranking: "formula" })).length, 1);
  const functions = memoryFunctions(memory);
  assert.equal((await functions.memorySearch("flour")).data.total, 1);
  const near = await memory.search("woof", { embedding: new Float32Array(meaning("dog")) });
  assert.deepEqual(asked, []);
  assert.deepEqual(summaries(near).sort(), ["Bello", THINGS[0]]);
});

test("Float32Array and number[] are the same, in and out of an embedder", async () => {
  const answers = [];
  for (const form of [(numbers) => numbers, (numbers) => new Float32Array(numbers)]) {
    for (const given of [true, false]) {
      const embedder = given ? undefined : async (texts) => texts.map((text) => form(meaning(text)));
      const now = () => 1_735_812_000_000;
      const memory = await open({ embedder, now });
      for (const [at, content] of THINGS.entries()) {
        await memory.add(content, { id: `${at}`, ...(given ? { embedding: form(meaning(content)) } : {}) });
      }
      const options = given ? { embedding: form(meaning("concert")) } : {};
      answers.push(await memory.search("concert", { ...options, explain: true }));
    }
  }
  assert.equal(answers[0][0].summary, THINGS[3]);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test("overlapping writes keep their order although the embedder answers in another", async () => {
  const { waiting, embedder } = held();
  const memory = await open({ embedder });
  const first = memory.add("first", { id: "1" });
  const second = memory.add("second", { id: "2" });
  const given = memory.add("third, which waits for nobody", { id: "3", embedding: meaning("dog") });
  const changed = memory.update("1", { content: "first again" });
  const gone = memory.delete("2");
  const last = memory.add("last", { id: "4" });
  await settle();
  assert.deepEqual(
    [...waiting.keys()].sort(),
    ["first", "first again", "last", "second"],
    "asked all at once",
  );
  assert.deepEqual(await memory.list(), [], "nothing is written before what was called for earlier");
  for (const text of ["last", "first again", "second"]) {
    waiting.get(text).answer();
    await settle();
  }
  assert.deepEqual(await memory.list(), []);
  waiting.get("first").answer();
  await Promise.all([first, second, given, last]);
  assert.equal((await changed).version, 2);
  assert.equal(await gone, true);
  assert.deepEqual(summaries(await memory.list()), ["last", "third, which waits for nobody", "first again"]);
});

test("closing and flushing wait for writes that wait for the embedder", async () => {
  const { waiting, embedder } = held();
  const storage = new MemoryStorage();
  const memory = await open({ embedder, storage: storage.connect() });
  const order = [];
  const added = memory.add("in time").then(() => order.push("added"));
  const flushed = memory.flush().then(() => order.push("flushed"));
  const closed = memory.close().then(() => order.push("closed"));
  await settle();
  assert.deepEqual(order, []);
  waiting.get("in time").answer();
  await Promise.all([added, flushed, closed]);
  assert.deepEqual(order, ["added", "flushed", "closed"]);
  await assert.rejects(memory.add("too late", { embedding: [1] }), { code: "closed" });
  const again = await open({ storage: storage.connect() });
  assert.deepEqual(summaries(await again.list()), ["in time"]);
});

test("one write that fails does not hold up the others", async () => {
  const { embedder } = noting();
  const memory = await open({ embedder });
  const [bad, good] = await Promise.allSettled([memory.add("bad", { importance: 2 }), memory.add("good")]);
  assert.equal(bad.reason.field, "importance");
  assert.equal(good.value.summary, "good");
  await assert.rejects(memory.add(7, { speaker: "Ann" }), { name: "MemoryError", field: "content" });
  await assert.rejects(memory.search(7), { name: "MemoryError", field: "query" });
});

test("an embedder that fails costs a vector and nothing else, and embedAll comes back to it", async () => {
  const errors = [];
  let down = new Error("the model is not loaded");
  const { asked, embedder } = noting((texts) => {
    if (down) throw down;
    return texts.map(meaning);
  });
  const memory = await open({ embedder, onEmbedderError: (error) => errors.push(error) });
  for (const content of THINGS) await memory.add(content);
  assert.deepEqual(errors, Array(THINGS.length).fill(down));
  assert.deepEqual(summaries(await memory.search("terrier")), [THINGS[0]], "found by its words");
  assert.equal(errors.length, THINGS.length + 1, "which the query was searched by as well");
  await assert.rejects(memory.embedAll(), down);
  down = undefined;
  assert.deepEqual(await memory.search("puppy"), []);
  asked.length = 0;
  assert.equal(await memory.embedAll(), THINGS.length);
  assert.deepEqual(asked, [THINGS], "all in one batch, oldest first");
  assert.deepEqual(summaries(await memory.search("puppy")), [THINGS[0]]);
  assert.equal(await memory.embedAll(), 0);
  const entry = (await memory.list()).at(-1);
  assert.equal(entry.version, 1, "it is the same entry as before");
  down = new Error("gone again");
  await memory.update(entry.id, { content: "He is not with us any more" });
  assert.equal(errors.at(-1), down);
  down = undefined;
  assert.deepEqual(
    (await memory.search("puppy")).filter(({ id }) => id === entry.id),
    [],
    "what another content meant is not what this one means",
  );
  assert.equal(await memory.embedAll(), 1);
});

/** Answers that are none, and the field that embedAll names. */
const NONSENSE = [
  ["nothing", () => undefined, "embedder"],
  ["holes", (texts) => Array(texts.length), "embedder"],
  ["too few", (texts) => texts.slice(1).map(meaning), "embedder"],
  ["too many", (texts) => [...texts, ""].map(meaning), "embedder"],
  ["texts", (texts) => texts, "embedding"],
  ["numbers", (texts) => texts.map(() => 7), "embedding"],
  ["no numbers", (texts) => texts.map(() => []), "embedding"],
  ["zeros", (texts) => texts.map(() => [0, 0, 0]), "embedding"],
  ["nulls", (texts) => texts.map(() => null), "embedder"],
  ["NaN", (texts) => texts.map(() => [1, Number.NaN]), "embedding"],
  ["infinity", (texts) => texts.map(() => new Float32Array([Number.POSITIVE_INFINITY])), "embedding"],
  ["too many numbers", (texts) => texts.map(() => Array(4097).fill(1)), "embedding"],
  ["other dimensions", (texts) => texts.map(() => [1, 2, 3]), "embedding"],
];

for (const [name, act, field] of NONSENSE) {
  test(`an embedder that answers ${name} is told of, and nothing is lost`, async () => {
    const errors = [];
    const embedder = async (texts) => act(texts);
    const memory = await open({ embedder, onEmbedderError: (error) => errors.push(error) });
    await memory.add("has a vector", { embedding: meaning("dog") });
    const { id } = await memory.add("kept all the same");
    await memory.update(id, { content: "changed all the same" });
    assert.deepEqual(summaries(await memory.search("changed")), ["changed all the same"]);
    assert.equal((await memoryFunctions(memory).memoryAdd("another way in")).success, true);
    assert.equal(errors.length, 4);
    for (const error of errors) assert.ok(error instanceof MemoryError, `${error}`);
    assert.equal(await memory.count(), 3);
    await assert.rejects(memory.embedAll(), (error) => {
      assert.ok(error instanceof MemoryError, `${error}`);
      assert.ok(["invalid-input", "too-large"].includes(error.code), error.code);
      assert.match(error.field, new RegExp(`\\b${field}\\b`));
      return true;
    });
  });
}

test("an embedding of the app's own is refused by name, and nothing is stored", async () => {
  for (const embedder of [undefined, noting().embedder]) {
    const memory = await open({ embedder });
    const { id } = await memory.add("three", { embedding: [1, 2, 3] });
    const bad = [
      [],
      [0],
      [1, 2],
      "text",
      {},
      [Number.NaN, 1, 2],
      ["1"],
      new Float64Array(3),
      Array(5000).fill(1),
    ];
    for (const embedding of bad) {
      for (const call of [
        () => memory.add("x", { embedding }),
        () => memory.update(id, { content: "x", embedding }),
        () => memory.search("x", { embedding }),
      ]) {
        await assert.rejects(call(), (error) => {
          assert.ok(error instanceof MemoryError, `${error}`);
          assert.match(error.field, /^embedding\b/);
          return true;
        });
      }
    }
    assert.deepEqual(summaries(await memory.list()), ["three"]);
    assert.deepEqual(await memory.history(id), []);
  }
});

test("embedAll says how far it is, takes as many as it is told, and stops when told", async () => {
  const storage = new MemoryStorage();
  const plain = await open({ storage: storage.connect() });
  for (let n = 0; n < 7; n++) await plain.add(`entry ${n}`);
  const { asked, embedder } = noting();
  const memory = await open({ storage: storage.connect(), embedder });
  const controller = new AbortController();
  const progress = [];
  const aborted = memory.embedAll({
    batchSize: 3,
    signal: controller.signal,
    onProgress: (seen) => {
      progress.push(seen);
      controller.abort(new Error("enough"));
    },
  });
  await assert.rejects(aborted, { message: "enough" });
  assert.deepEqual(progress, [{ done: 3, total: 7 }]);
  assert.deepEqual(asked, [["entry 0", "entry 1", "entry 2"]]);
  await assert.rejects(memory.embedAll({ signal: AbortSignal.abort() }), { name: "AbortError" });
  progress.length = 0;
  const onProgress = (seen) => progress.push(seen);
  assert.equal(await memory.embedAll({ batchSize: 3, onProgress }), 4, "what was embedded stays");
  assert.deepEqual(progress, [
    { done: 3, total: 4 },
    { done: 4, total: 4 },
  ]);
  assert.deepEqual(asked.slice(1), [["entry 3", "entry 4", "entry 5"], ["entry 6"]]);
  for (const batchSize of [0, -1, 1.5, Number.NaN, "all"]) {
    await assert.rejects(memory.embedAll({ batchSize }), { name: "MemoryError", field: "batchSize" });
  }
  await assert.rejects(plain.embedAll(), { name: "MemoryError", code: "invalid-input", field: "embedder" });
});

test("embedAll leaves out what was changed meanwhile, and comes back to it", async () => {
  const storage = new MemoryStorage();
  const other = await open({ storage: storage.connect() });
  const { id } = await other.add("a terrier");
  await other.add("a summit");
  const asked = [];
  const progress = [];
  const embedder = async (texts) => {
    if (asked.push(texts) === 1) await other.update(id, { content: "a garage" });
    return texts.map(meaning);
  };
  const memory = await open({ storage: storage.connect(), embedder });
  assert.equal(await memory.embedAll({ onProgress: (seen) => progress.push(seen) }), 2);
  assert.deepEqual(asked, [["a terrier", "a summit"], ["a garage"]]);
  assert.deepEqual(progress.at(-1), { done: 2, total: 2 });
});

test("memoryAdd is embedded too, itself and nothing else", async () => {
  const storage = new MemoryStorage();
  const plain = await open({ storage: storage.connect() });
  await plain.add("from before");
  const { asked, embedder } = noting();
  const memory = await open({ storage: storage.connect(), embedder });
  const { memoryAdd, memoryDelete } = memoryFunctions(memory);
  for (const content of THINGS) assert.equal((await memoryAdd(content)).success, true);
  assert.deepEqual(
    asked,
    THINGS.map((content) => [content]),
  );
  assert.deepEqual(summaries(await memory.search("puppy")), [THINGS[0]]);
  asked.length = 0;
  assert.equal((await memoryAdd("")).success, false);
  assert.equal((await memoryAdd(7)).success, false);
  await memoryDelete("nobody");
  assert.deepEqual(asked.flat(), [""]);
});

test("an error in the app's own error handler is the app's to see, and no call hangs", async () => {
  const { waiting, embedder } = held();
  const onEmbedderError = () => {
    throw new Error("mine");
  };
  const memory = await open({ embedder, onEmbedderError });
  const [one, two] = [memory.add("one"), memory.add("two")];
  await settle();
  waiting.get("two").fail(new Error("no"));
  await settle();
  waiting.get("one").answer();
  assert.equal((await one).summary, "one");
  await assert.rejects(two, { message: "mine" });
});

test("without onEmbedderError a failure is a warning on the console", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const memory = await open({ embedder: async () => Promise.reject(new Error("down")) });
  await memory.add("x");
  assert.equal(warn.mock.callCount(), 1);
  assert.match(String(warn.mock.calls[0].arguments[0]), /embedder/);
});

test("an embedder that is no function, and vectors of no known kind, are refused when opening", async () => {
  await assert.rejects(open({ embedder: "model" }), { name: "MemoryError", field: "embedder" });
  await assert.rejects(open({ config: { vectors: "int4" } }), { name: "MemoryError", field: "vectors" });
  const scores = [];
  for (const vectors of ["int8", "f32"]) {
    const embedder = async (texts) => texts.map((text) => [text.length, 1.3, 2.7, text.charCodeAt(0) / 31]);
    const memory = await open({ config: { vectors }, embedder });
    for (const content of THINGS) await memory.add(content);
    const hits = await memory.search("climb");
    assert.ok(hits.length > 0);
    scores.push(hits[0].score);
  }
  assert.ok(Math.abs(scores[0] - scores[1]) < 0.01 && scores[0] !== scores[1], `${scores}`);
});

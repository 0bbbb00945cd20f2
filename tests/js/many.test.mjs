// Many entries at once: `addMany`, and overlapping calls that share commits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";

const config = { namespaces: { "long-term": { maxEntries: 1_000_000 } } };

/** A memory whose commits are counted; `most`: a commit with more operations is refused. */
async function counted(options = {}, most = Number.POSITIVE_INFINITY) {
  const inner = new MemoryStorage().connect();
  const commits = [];
  const storage = {
    get: (...args) => inner.get(...args),
    scan: (...args) => inner.scan(...args),
    close: () => inner.close(),
    async commit(batch) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (batch.ops.length > most) throw new Error("too many operations");
      commits.push(batch.ops.length);
      return inner.commit(batch);
    },
  };
  return { memory: await openMemory({ user: "u-1", storage, config, ...options }), commits };
}

const drafts = (count, more = {}) =>
  Array.from({ length: count }, (_, n) => ({ content: `note number ${n}`, id: `n-${n}`, ...more }));

test("none, one and a hundred thousand", async () => {
  const { memory, commits } = await counted();
  assert.deepEqual(await memory.addMany([]), []);
  const [one] = await memory.addMany([{ content: "Tea at five", id: "tea" }]);
  assert.deepEqual([one.id, one.version], ["tea", 1]);
  const told = [];
  const entries = await memory.addMany(drafts(100_000, { namespace: "long-term" }), {
    onProgress: ({ done, total }) => told.push([done, total]),
  });
  assert.equal(entries.length, 100_000);
  assert.ok(entries.every(({ id }, n) => id === `n-${n}`));
  assert.deepEqual(told.at(0), [1000, 100_000]);
  assert.deepEqual(told.at(-1), [100_000, 100_000]);
  assert.equal(await memory.count("long-term"), 100_000);
  assert.ok(commits.length < 150, `${commits.length} commits`);
  const [hit] = await memory.search("note number 99999");
  assert.equal(hit.id, "n-99999");
  await memory.close();
});

test("a wrong draft among a thousand is named, and nothing is written", async () => {
  const { memory } = await counted();
  const wrong = async (change, field, code = "invalid-input") => {
    const given = drafts(1000);
    Object.assign(given[999], change);
    await assert.rejects(memory.addMany(given), (error) => {
      assert.ok(error instanceof MemoryError);
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.ok(!error.message.includes("note number"), "no content in an error");
      return true;
    });
    assert.equal(await memory.count(), 0);
  };
  await wrong({ content: " " }, "drafts[999].content");
  await wrong({ content: undefined }, "drafts[999].content");
  await wrong({ content: 7 }, "drafts[999].content");
  await wrong({ importance: 2 }, "drafts[999].importance");
  await wrong({ namespace: "nowhere" }, "drafts[999].namespace");
  await wrong({ colour: "red" }, "drafts[999].colour");
  await wrong({ createdAt: "2999-01-01" }, "drafts[999].createdAt");
  await wrong({ validFrom: "2024-02-02", validUntil: "2024-01-01" }, "drafts[999].validUntil");
  await wrong({ id: "n-3" }, "drafts[999].id", "already-exists");
  await assert.rejects(memory.addMany("text"), { code: "invalid-input", field: "drafts" });
  await assert.rejects(memory.addMany([null]), { code: "invalid-input" });
  await assert.rejects(memory.addMany([], { batch: 3 }), { code: "invalid-input", field: "batch" });
  await memory.close();
});

test("a wrong draft in a later part is named by its place among all, and the parts before it stay", async () => {
  const { memory } = await counted();
  const given = drafts(2500, { namespace: "long-term" });
  given[2100] = { content: "" };
  await assert.rejects(memory.addMany(given), (error) => {
    assert.equal(error.field, "drafts[2100].content");
    assert.match(error.message, /drafts\[2100\]/);
    return true;
  });
  assert.equal(await memory.count("long-term"), 2000);
  await memory.close();
});

test("a signal ends it between two parts", async () => {
  const { memory } = await counted();
  const controller = new AbortController();
  const adding = memory.addMany(drafts(3000, { namespace: "long-term" }), {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(adding, { name: "AbortError" });
  assert.equal(await memory.count("long-term"), 1000);
  await memory.close();
});

test("each call of a group has its own answer and its own failure, in their order", async () => {
  const { memory, commits } = await counted();
  const calls = drafts(300).map(({ content, ...draft }) => memory.add(content, draft));
  calls.splice(150, 0, memory.add("taken", { id: "n-7" }));
  calls.push(memory.add("", {}));
  const settled = await Promise.allSettled(calls);
  const failed = settled.flatMap(({ status, reason }, at) =>
    status === "rejected" ? [[at, reason.code]] : [],
  );
  assert.deepEqual(failed, [
    [150, "already-exists"],
    [301, "invalid-input"],
  ]);
  const listed = await memory.list({ limit: 1000 });
  assert.deepEqual(
    listed.map(({ id }) => id).reverse(),
    drafts(300).map(({ id }) => id),
  );
  assert.ok(commits.length < 10, `${commits.length} commits`);
  await memory.close();
});

test("an adapter that takes few operations at a time gets no more", async () => {
  // DynamoDB takes 25 at a time; one that takes a single entry takes its record, its log and no more.
  for (const most of [2, 25, 128]) {
    const { memory, commits } = await counted({}, most);
    await Promise.all(drafts(40).map(({ content, ...draft }) => memory.add(content, draft)));
    await memory.addMany(drafts(60).map(({ content }, n) => ({ content, id: `m-${n}` })));
    assert.equal(await memory.count(), 100);
    assert.ok(Math.max(...commits) <= most);
    await memory.close();
  }
});

test("secrets are replaced, and an embedder and summaries are used", async () => {
  const embedded = [];
  const { memory } = await counted({
    embedder: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => [text.length, 1, 0]);
    },
    summarizeEntry: async (text) => `in short: ${text.slice(0, 8)}`,
  });
  const long = "a rather long story about the sea ".repeat(60);
  const entries = await memory.addMany([
    { content: "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD", secrets: "redact" },
    { content: long },
  ]);
  assert.deepEqual(entries[0].secrets, ["api key"]);
  assert.equal(entries[1].summary, "in short: a rather");
  assert.equal(embedded.length, 2);
  assert.ok(embedded.every((text) => !text.includes("sk-proj")));
  await memory.close();
});

test("under one idempotency key it is written once", async () => {
  const { memory, commits } = await counted();
  const given = drafts(1500, { namespace: "long-term" });
  const first = await memory.addMany(given, { idempotencyKey: "k-1" });
  const before = commits.length;
  assert.deepEqual(await memory.addMany(given, { idempotencyKey: "k-1" }), first);
  assert.equal(commits.length, before);
  await assert.rejects(memory.addMany(drafts(2), { idempotencyKey: "k-1" }), { field: "idempotencyKey" });
  await memory.close();
});

test("an entry may keep the time at which it was first stored", async () => {
  const { memory } = await counted();
  const createdAt = "2024-05-06T07:08:09.000Z";
  const [entry] = await memory.addMany([{ content: "from elsewhere", createdAt, namespace: "long-term" }]);
  assert.deepEqual([entry.createdAt, entry.updatedAt, entry.at], [createdAt, createdAt, createdAt]);
  assert.equal((await memory.add("also", { createdAt, namespace: "long-term" })).createdAt, createdAt);
  await memory.close();
});

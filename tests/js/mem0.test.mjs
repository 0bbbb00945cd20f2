// The class of mem0 on memories: its answers, its errors, several users, reloads, two instances at once.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { jsonl, MemoryError, openMemory } from "keepsake";
import { Memory } from "keepsake/mem0";
import { plainData } from "./support/bad-input.mjs";
import { memoryOf } from "./support/talk.mjs";

const ann = { filters: { user_id: "u-1" } };
const texts = ({ results }) => results.map(({ memory }) => memory);

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-mem0-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Many users in one file. */
const inFile = (path, config = {}) =>
  new Memory({ open: (user) => openMemory({ user, storage: jsonl(path) }), ...config });

test("what was said is kept word by word, found, changed, and its history told", async () => {
  const base = await memoryOf();
  const memory = new Memory({ memory: base });
  const said = [
    { role: "system", content: "Be kind" },
    { role: "user", content: "We meet at the blue café on Mondays" },
    { role: "assistant", content: "I will be there" },
  ];
  const options = {
    userId: "u-1",
    agentId: "planner",
    runId: "r-1",
    infer: false,
    metadata: { topic: "meeting" },
  };
  const { results } = await memory.add(said, options);
  assert.deepEqual(
    results.map(({ memory, metadata }) => [memory, metadata]),
    [
      ["We meet at the blue café on Mondays", { event: "ADD" }],
      ["I will be there", { event: "ADD" }],
    ],
  );
  const [{ id }] = results;
  const found = await memory.get(id);
  const { createdAt, ...rest } = found;
  assert.ok(Date.parse(createdAt) > 0);
  assert.deepEqual(rest, {
    id,
    memory: "We meet at the blue café on Mondays",
    hash: createHash("md5").update("We meet at the blue café on Mondays").digest("hex"),
    metadata: { topic: "meeting" },
    user_id: "u-1",
    agent_id: "planner",
    run_id: "r-1",
    attributedTo: "user",
  });
  const hits = await memory.search("where do we meet on Mondays?", { ...ann, topK: 1, explain: true });
  assert.equal(hits.results[0].id, id);
  assert.ok(hits.results[0].score > 0 && hits.results[0].score <= 1);
  assert.ok(hits.results[0].score_details.length > 0);

  assert.deepEqual(await memory.update(id, "We meet at the red café"), {
    message: "Memory updated successfully!",
  });
  await memory.update(id, { metadata: { place: "red", user_id: "somebody" }, expirationDate: "2999-12-31" });
  const changed = await memory.get(id);
  assert.equal(changed.memory, "We meet at the red café");
  assert.deepEqual(changed.metadata, { topic: "meeting", place: "red", expiration_date: "2999-12-31" });
  assert.ok(changed.updatedAt >= changed.createdAt);
  const history = await memory.history(id);
  assert.deepEqual(
    history.map(({ action, previous_value, new_value, is_deleted, memory_id }) => [
      action,
      previous_value,
      new_value,
      is_deleted,
      memory_id,
    ]),
    [
      ["UPDATE", "We meet at the red café", "We meet at the red café", 0, id],
      ["UPDATE", "We meet at the blue café on Mondays", "We meet at the red café", 0, id],
      ["ADD", null, "We meet at the blue café on Mondays", 0, id],
    ],
  );
  assert.equal(history[2].updated_at, null);
  assert.equal(new Set(history.map(({ id }) => id)).size, 3);
  assert.deepEqual(await memory.delete(id), { message: "Memory deleted successfully!" });
  assert.equal(await memory.get(id), null);
  assert.deepEqual(await memory.history(id), []);
  // The same data, seen by the rest of the library.
  assert.deepEqual(
    (await base.list()).map(({ summary, agent, session }) => [summary, agent, session]),
    [["I will be there", "planner", "r-1"]],
  );
});

test("of a talk, facts are kept once each, with the metadata; a filter of the app's own decides otherwise", async () => {
  const memory = new Memory({ memory: await memoryOf() });
  const talk = [
    { role: "user", content: "Hello! I am allergic to nuts. What is the weather like?" },
    { role: "assistant", content: "Good to know." },
  ];
  const { results } = await memory.add(talk, { userId: "u-1", metadata: { from: "talk" } });
  assert.deepEqual(texts({ results }), ["I am allergic to nuts."]);
  assert.deepEqual((await memory.get(results[0].id)).metadata, { from: "talk" });
  const history = await memory.history(results[0].id);
  assert.deepEqual(
    history.map(({ action, new_value }) => [action, new_value]),
    [["ADD", "I am allergic to nuts."]],
    "adding is one thing that happened",
  );
  assert.deepEqual(await memory.add("I am allergic to nuts!", { userId: "u-1" }), { results: [] });
  assert.equal((await memory.getAll(ann)).results.length, 1);

  const asked = [];
  const recordFilter = async (messages) => {
    asked.push(...messages.map(({ content }) => content));
    return ["Ann eats no nuts at all, ever"];
  };
  const other = new Memory({ memory: await memoryOf(), recordFilter });
  assert.deepEqual(texts(await other.add(talk, { userId: "u-1" })), ["Ann eats no nuts at all, ever"]);
  assert.equal(asked.length, 2);
  await assert.rejects(
    new Memory({
      memory: await memoryOf(),
      recordFilter: async () => Promise.reject(new Error("no model")),
    }).add(talk, { userId: "u-1" }),
    /no model/,
  );
});

test("a question finds what answers it without a word in common, in each language", async () => {
  const english = ["I am vegetarian and allergic to nuts.", "I live in Hanoi."];
  const cases = [
    [...english, "What food should I avoid?"],
    [...english, "what can I eat?"],
    [...english, "any allergies?"],
    ["Tôi bị dị ứng với đậu phộng.", "Tôi sống ở Hà Nội.", "Tôi ăn được món gì?"],
    ["Ich bin allergisch gegen Nüsse.", "Ich wohne in Hanoi.", "Was kann ich essen?"],
    ["私はナッツアレルギーです。", "私はハノイに住んでいます。", "何を食べられますか？"],
  ];
  for (const [wanted, other, question] of cases) {
    const base = await memoryOf();
    // Neither a message of a session nor an entry of another namespace is a memory of mem0's.
    await base.session("s-1").append({ role: "user", content: wanted });
    await base.add(wanted, { namespace: "short-term" });
    const memory = new Memory({ memory: base });
    for (const text of [other, wanted]) await memory.add(text, { userId: "u-1", agentId: "a", runId: "r" });
    const first = async (ids) =>
      texts(await memory.search(question, { filters: { ...ann.filters, ...ids } }))[0];
    assert.equal(await first(), wanted);
    assert.equal(await first({ agent_id: "a", run_id: "r" }), wanted);
    for (const ids of [{ agent_id: "b" }, { run_id: "other" }]) assert.equal(await first(ids), undefined);
    await base.close();
  }
});

test("a memory that answers comes before one with the words of the question, each once", async () => {
  const memory = new Memory({ memory: await memoryOf() });
  const [fair, nuts] = ["The food fair opens on Monday", "I am allergic to nuts."];
  for (const text of [nuts, fair]) await memory.add(text, { userId: "u-1", infer: false });
  const search = async (options) =>
    texts(await memory.search("what food should I avoid?", { ...ann, ...options }));
  assert.deepEqual(await search(), [nuts, fair]);
  assert.deepEqual(await search({ topK: 1 }), [nuts]);
  assert.deepEqual(await search({ threshold: 0.1 }), [fair], "the score is that of the words");
});

test("filters: agents, runs, fields of metadata and their operators", async () => {
  const memory = new Memory({ memory: await memoryOf() });
  const add = (text, options) => memory.add(text, { userId: "u-1", infer: false, ...options });
  await add("the red bike costs much", {
    agentId: "a",
    metadata: { price: 900, kind: "bike", note: "Sturdy" },
  });
  await add("the blue bike costs less", { agentId: "b", runId: "r", metadata: { price: 300, kind: "bike" } });
  await add("the bike helmet costs little", { runId: "r", metadata: { price: 40, kind: "helmet" } });
  const all = async (filters) =>
    texts(await memory.getAll({ filters: { user_id: "u-1", ...filters } })).map((text) => text.split(" ")[1]);
  const cases = [
    [{}, ["bike", "blue", "red"]],
    [{ agent_id: "a" }, ["red"]],
    [{ run_id: "r" }, ["bike", "blue"]],
    [{ agent_id: "b", run_id: "r" }, ["blue"]],
    [{ agent_id: "*" }, ["bike", "blue", "red"]],
    [{ kind: "bike" }, ["blue", "red"]],
    [{ kind: ["bike", "boat"] }, ["blue", "red"]],
    [{ kind: "*" }, ["bike", "blue", "red"]],
    [{ kind: { ne: "bike" } }, ["bike"]],
    [{ price: { gt: 40, lte: 900 } }, ["blue", "red"]],
    [{ price: { gte: 40, lt: 300 } }, ["bike"]],
    [{ price: { in: [40, 900] } }, ["bike", "red"]],
    [{ price: { nin: [40, 900] } }, ["blue"]],
    [{ price: { eq: 300 } }, ["blue"]],
    [{ note: { contains: "turd" } }, ["red"]],
    [{ note: { icontains: "sturdy" } }, ["red"]],
    [{ OR: [{ price: 40 }, { note: "Sturdy" }] }, ["bike", "red"]],
    [{ $or: [{ price: 40 }, { $and: [{ kind: "bike" }, { price: 300 }] }] }, ["bike", "blue"]],
    [{ NOT: [{ kind: "helmet" }] }, ["blue", "red"]],
    [{ AND: [{ kind: "bike" }, { price: { lt: 500 } }, { agent_id: "b" }] }, ["blue"]],
    [{ missing: { ne: 1 } }, ["bike", "blue", "red"]],
    [{ __proto__: null, constructor: "x" }, []],
  ];
  for (const [filters, wanted] of cases)
    assert.deepEqual(await all(filters), wanted, JSON.stringify(filters));
  const found = await memory.search("bike", { topK: 1, filters: { user_id: "u-1", price: 40 } });
  assert.deepEqual(texts(found), ["the bike helmet costs little"], "the one that fits, however far down");
  assert.equal((await memory.getAll({ ...ann, topK: 2 })).results.length, 2);
  assert.equal((await memory.getAll({ ...ann, topK: 0 })).results.length, 0);
  assert.equal((await memory.search("bike", { ...ann, topK: 0 })).results.length, 0);
  assert.equal((await memory.search("bike", { ...ann, threshold: 1 })).results.length, 0);
  const only = await memory.search("bike", { filters: { AND: [{ user_id: "u-1" }, { kind: "helmet" }] } });
  assert.equal(only.results.length, 1);
});

test("what is past its last day is shown only to who asks for it", async () => {
  const memory = new Memory({ memory: await memoryOf() });
  const add = (text, expirationDate) => memory.add(text, { userId: "u-1", infer: false, expirationDate });
  await add("the offer of bikes for today", new Date().toISOString().slice(0, 10));
  const { results } = await add("the offer of bikes for ever gone", "2001-02-03");
  const [{ id }] = results;
  assert.deepEqual(texts(await memory.getAll(ann)), ["the offer of bikes for today"]);
  assert.deepEqual(texts(await memory.search("offer of bikes", { ...ann, topK: 1 })), [
    "the offer of bikes for today",
  ]);
  assert.equal((await memory.getAll({ ...ann, showExpired: true })).results.length, 2);
  assert.equal((await memory.search("offer", { ...ann, showExpired: true })).results.length, 2);
  assert.equal((await memory.get(id)).metadata.expiration_date, "2001-02-03");
  await memory.update(id, { expirationDate: null });
  assert.equal((await memory.getAll(ann)).results.length, 2);
});

test("several users never mix; ids lead back to their owners after a reload", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const first = inFile(path);
  const users = ["ann", "bob", "__proto__", "a@b/c%2F", "người-dùng"];
  const ids = [];
  for (const userId of users) {
    const { results } = await first.add(`the secret of this one is ${userId.length}`, {
      userId,
      infer: false,
    });
    ids.push(results[0].id);
  }
  await first.add("the agent's own note", { agentId: "planner", infer: false });
  await first.close();
  await assert.rejects(first.getAll({ filters: { user_id: "ann" } }), { code: "closed" });

  const second = inFile(path);
  t.after(() => second.close());
  for (const [at, user_id] of users.entries()) {
    const { results } = await second.getAll({ filters: { user_id } });
    assert.deepEqual(
      results.map(({ id, user_id }) => [id, user_id]),
      [[ids[at], user_id]],
    );
    assert.equal((await second.get(ids[at])).user_id, user_id);
  }
  for (const id of ["none", "x@nobody", "x@%", "@", "x@", "@ann", `${ids[0]}0`]) {
    assert.equal(await second.get(id), null);
    assert.deepEqual(await second.history(id), []);
    await assert.rejects(second.update(id, "x"), {
      code: "not-found",
      message: `Memory with ID ${id} not found`,
    });
    await assert.rejects(second.delete(id), { code: "not-found" });
  }
  const shared = await openMemory({ user: "mem0", storage: jsonl(path) });
  t.after(() => shared.close());
  const list = await shared.collection("mem0/users").list();
  assert.deepEqual(list.map(({ key }) => key).sort(), [...users].sort(), "an id begins no memory");
  const notes = await second.search("note secret", { filters: { agent_id: "planner" } });
  assert.deepEqual(
    notes.results.map(({ memory, user_id, agent_id }) => [memory, user_id, agent_id]),
    [["the agent's own note", undefined, "planner"]],
  );
  await second.update(ids[1], "bob has a new secret");
  await second.delete(ids[0]);
  assert.equal((await second.getAll({ filters: { user_id: "ann" } })).results.length, 0);
  await second.deleteAll({ userId: "__proto__" });
  assert.equal(await second.get(ids[2]), null);
  assert.equal((await second.get(ids[1])).memory, "bob has a new secret");

  const third = inFile(path);
  t.after(() => third.close());
  await third.reset();
  for (const user_id of users) assert.equal((await third.getAll({ filters: { user_id } })).results.length, 0);
  assert.equal((await third.getAll({ filters: { agent_id: "planner" } })).results.length, 0);
});

test("deleteAll by agent and by run; what is not for long stays untouched", async () => {
  const base = await memoryOf();
  const memory = new Memory({ memory: base });
  const passing = await base.add("a passing thought", { namespace: "short-term" });
  for (const [agentId, runId] of [
    ["a", "r"],
    ["a", "s"],
    ["b", "r"],
    ["b", "s"],
  ]) {
    await memory.add(`of ${agentId} in ${runId}`, { agentId, runId, infer: false });
  }
  assert.deepEqual(await memory.deleteAll({ agentId: "a", runId: "r" }), {
    message: "Memories deleted successfully!",
  });
  assert.deepEqual(texts(await memory.getAll(ann)), ["of b in s", "of b in r", "of a in s"]);
  await memory.deleteAll({ runId: "s" });
  assert.deepEqual(texts(await memory.getAll(ann)), ["of b in r"]);
  assert.equal(await memory.get(passing.id), null);
  await assert.rejects(memory.delete(passing.id), { code: "not-found" });
  await memory.reset();
  assert.deepEqual(
    (await base.list()).map(({ id }) => id),
    [passing.id],
  );
});

test("two instances write at once: nothing is lost, also of one memory's metadata", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const two = [inFile(path), inFile(path)];
  t.after(() => Promise.all(two.map((memory) => memory.close())));
  const { results } = await two[0].add("a fact with many fields", { userId: "ann", infer: false });
  const [{ id }] = results;
  const writes = two.flatMap((memory, which) =>
    Array.from({ length: 8 }, (_, n) => [
      memory.add(`fact ${n} of ${which}`, { userId: "ann", infer: false }),
      memory.update(id, { metadata: { [`field-${which}-${n}`]: n } }),
    ]).flat(),
  );
  await Promise.all(writes);
  assert.equal((await two[0].getAll({ topK: 100, filters: { user_id: "ann" } })).results.length, 17);
  assert.equal(Object.keys((await two[1].get(id)).metadata).length, 16);
});

test("misuse is told in the words of mem0, with the field, and leaves nothing behind", async () => {
  const base = await memoryOf();
  const memory = new Memory({ memory: base });
  const u = { userId: "u-1" };
  const wrong = [
    [() => memory.add(undefined, u), /messages is required/, "messages"],
    [() => memory.add(null, u), /messages is required/, "messages"],
    [() => memory.add(7, u), /must be a string or an array/, "messages"],
    [() => memory.add([], u), /messages array cannot be empty/, "messages"],
    [() => memory.add([{ role: "user", content: " " }], u), /only blank content/, "messages"],
    [() => memory.add("  ", u), /messages string cannot be empty/, "messages"],
    [() => memory.add([null], u), /role/, "messages[0].role"],
    [
      () => memory.add([{ role: "human", content: "I eat no nuts." }], u),
      /assistant or tool/,
      "messages[0].role",
    ],
    [
      () => memory.add([{ role: "user", content: { type: "image_url" } }], u),
      /images/,
      "messages[0].content",
    ],
    [() => memory.add("x", {}), /One of the filters: userId, agentId or runId is required!/, "userId"],
    [() => memory.add("x", undefined), /One of the filters/, "userId"],
    [() => memory.add("x", { userId: "" }), /Invalid userId: cannot be empty/, "userId"],
    [() => memory.add("x", { userId: "a b" }), /Invalid userId: cannot contain whitespace/, "userId"],
    [() => memory.add("x", { userId: {} }), /Invalid userId/, "userId"],
    [() => memory.add("x", { userId: "another" }), /another user's/, "userId"],
    [() => memory.add("x", { ...u, expirationDate: "2026-02-30" }), /YYYY-MM-DD/, "expirationDate"],
    [() => memory.add("x", { ...u, expirationDate: 7 }), /YYYY-MM-DD/, "expirationDate"],
    [() => memory.add("x", { ...u, metadata: [1] }), /`metadata` must be an object/, "metadata"],
    [() => memory.add("x", { ...u, infer: false, metadata: { f: () => 1 } }), /function/, "metadata.f"],
    [() => memory.add("x", { ...u, infer: false, metadata: { a: "x".repeat(1e6) } }), /metadata/, "metadata"],
    [() => memory.search("x", { userId: "u-1" }), /Top-level entity parameters \[userId\].*search/, "userId"],
    [() => memory.getAll({ user_id: "u-1" }), /Top-level entity parameters \[user_id\].*getAll/, "user_id"],
    [
      () => memory.search("x", { userId: "u-1", topK: 3 }),
      /Use filters: \{ user_id: 'u1' \} instead/,
      "userId",
    ],
    [() => memory.search("x", { ...ann, limit: 3 }), /did you mean `topK`\?/, "limit"],
    [() => memory.getAll({ ...ann, limit: 3 }), /did you mean `topK`\?/, "limit"],
    [() => memory.search("x", { userId: "u-1", limit: 3 }), /Use filters: \{ user_id/, "userId"],
    [() => memory.add("x", { ...u, timestamp: 1 }), /`timestamp` is not supported/, "timestamp"],
    [() => memory.search("x", { ...ann, referenceDate: 1 }), /not supported/, "referenceDate"],
    [() => memory.search("x", {}), /filters must contain at least one of/, "filters"],
    [() => memory.search("x", undefined), /filters must contain at least one of/, "filters"],
    [() => memory.search("x", { filters: [] }), /must be an object/, "filters"],
    [() => memory.search("x", { filters: { user_id: "*" } }), /one user/, "filters.user_id"],
    [() => memory.search("x", { filters: { user_id: "other" } }), /another user's/, "filters.user_id"],
    [() => memory.search("x", { ...ann, threshold: 2 }), /between 0 and 1/, "threshold"],
    [() => memory.search("x", { ...ann, threshold: "1" }), /valid number/, "threshold"],
    [() => memory.search("x", { ...ann, topK: 1.5 }), /valid integer/, "topK"],
    [() => memory.getAll({ ...ann, topK: -1 }), /non-negative/, "topK"],
    [() => memory.search(7, ann), /query/, "query"],
    [() => memory.getAll({ filters: { ...ann.filters, a: { near: 1 } } }), /Unsupported.*near/, "filters.a"],
    [() => memory.getAll({ filters: { ...ann.filters, OR: [] } }), /OR operator requires/, "filters.OR"],
    [() => memory.getAll({ filters: { ...ann.filters, AND: 1 } }), /AND operator requires/, "filters.AND"],
    [() => memory.getAll({ filters: { ...ann.filters, NOT: [1] } }), /array of filters/, "filters.NOT"],
    [() => memory.update("x", {}), /At least one of text, metadata, or expirationDate/, "config"],
    [() => memory.update("x", undefined), /At least one of/, "config"],
    [() => memory.update("none", "text"), /Memory with ID none not found/, "memoryId"],
    [() => memory.delete("none"), /Memory with ID none not found/, "memoryId"],
    [() => memory.get(""), /must be the id/, "memoryId"],
    [() => memory.get(undefined), /must be the id/, "memoryId"],
    [() => memory.deleteAll({}), /At least one filter is required/, "userId"],
  ];
  for (const [act, message, field] of wrong) {
    await assert.rejects(act, (error) => {
      assert.ok(error instanceof MemoryError, `${act}: ${error.stack}`);
      assert.match(error.message, message, String(act));
      assert.equal(error.field, field, String(act));
      return true;
    });
  }
  assert.equal(await base.count(), 0);
  assert.equal((await memory.add("x y", { userId: 42, infer: false }).catch((e) => e)).field, "userId");
  for (const config of [undefined, {}, { memory: {} }, { open: 1 }, { open() {}, shared: "" }]) {
    assert.throws(() => new Memory(config), MemoryError);
  }
  await assert.rejects(
    new Memory({ open: () => memoryOf() }).add("x", { userId: "ann" }),
    { field: "open" },
    "a memory of another user is not taken for theirs",
  );
  const kept = await memory.add("hostile data", { ...u, infer: false, metadata: plainData });
  assert.deepEqual((await memory.get(kept.results[0].id)).metadata, plainData);
  assert.equal({}.polluted, undefined);
  await base.close();
  await assert.rejects(memory.getAll(ann), { code: "closed" });
  await assert.rejects(memory.add("x", u), { code: "closed" });
});

test("the hash is the MD5, at every length of a block", async () => {
  const base = await memoryOf();
  const memory = new Memory({ memory: base });
  for (const length of [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    const text = "ü".repeat(Math.floor(length / 2)) + "x".repeat(length % 2 || 2);
    const { results } = await memory.add(text, { userId: "u-1", infer: false });
    const { hash } = await memory.get(results[0].id);
    assert.equal(hash, createHash("md5").update(text).digest("hex"), `${length}`);
  }
});

test("of memories alike, the one with the very words is found first", async () => {
  const memory = new Memory({ memory: await memoryOf() });
  for (let number = 0; number < 5; number += 1) {
    await memory.add(`fact ${number} of tab 1`, { userId: "u-1", infer: false });
  }
  assert.deepEqual(texts(await memory.search("fact 3 of tab 1", { ...ann, topK: 1 })), ["fact 3 of tab 1"]);
});

// An app's own data: what the documents show as a free dictionary comes back as it was given.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byScope, keepsakeStores, MemoryFacade, openMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const WHO = { userId: "u-1", sessionId: "s-1", agentId: "worker", flowId: "flow" };
const META = { trace: { span: "7f", hops: [1, 2.5, null] }, ghi_chú: "khách quen", 担当: "佐藤" };

/** What is there of all scopes. */
async function everything(memory, extra) {
  const scopes = ["dialog", "state", "semantic", "procedural", "profile", "experience"];
  const asked = { query: "refund", taskType: "support", ...(extra && { extra }) };
  return byScope(await memory.read({ ...WHO, scopes, ...asked }));
}

/** One write to each scope, with data and `meta` of the app's own. */
const WRITES = [
  ["dialog", { role: "user", content: "Where is my refund?", channel: "email" }],
  ["dialog", { summary: "A refund is late" }],
  ["state", { step: 1, status: "running" }],
  ["state", { taskId: "t-1", step: "called", status: "waiting_for_bank", attempt: 2 }],
  ["semantic", { text: "A refund takes five days.", lang: "en" }],
  ["procedural", { use_when: "refund", tool_sops: [{ tool: "pay", args: { cents: 500 } }], owner: "ops" }],
  ["profile", { name: "Ann" }],
  ["experience", { task_type: "support", tool_name: "pay", error: new RangeError("too much"), model: "m-1" }],
];

/** What has to be there then, by any facade. */
async function comesBack(facade, memory) {
  const { dialog, state, semantic, procedural, profile, experience } = await everything(facade);
  assert.deepEqual(dialog.messages[0].metadata, { channel: "email", ...META });
  assert.equal(dialog.summary, "A refund is late");
  assert.deepEqual(dialog.summaryMetadata, META);
  assert.deepEqual([state.state.variables, state.state.status], [{ step: 1 }, "running"]);
  assert.deepEqual(state.state.metadata, META);
  assert.deepEqual(semantic.docs[0].metadata, { lang: "en", ...META, chunk: 0 });
  const [skill] = procedural.skills;
  assert.deepEqual([skill.owner, skill.tool_sops[0]], ["ops", { tool: "pay", args: { cents: 500 } }]);
  assert.deepEqual(skill.metadata, META);
  assert.deepEqual(profile.profile, { name: "Ann" });
  const [failure] = experience.failures;
  assert.deepEqual([failure.error, failure.errorType, failure.model], ["too much", "RangeError", "m-1"]);
  assert.deepEqual(failure.metadata, META);
  assert.deepEqual((await memory.profile.details()).fields[0].metadata, META);
  const [step] = await memory.state.steps("t-1", "s-1");
  assert.deepEqual([step.status, step.attempt, step.metadata], ["waiting_for_bank", 2, META]);
}

test("B9 B11 own keys in data and meta come back from every scope", async () => {
  const memory = await memoryOf();
  for (const [scope, data] of WRITES) await memory.write({ ...WHO, scope, data, meta: META });
  await comesBack(memory, memory);
});

test("B11 B33 they also come back through stores that were handed to another facade", async () => {
  const memory = await memoryOf();
  const stores = keepsakeStores(async () => memory);
  const named = Object.entries(stores).map(([scope, store]) => [`${scope}Store`, store]);
  const facade = new MemoryFacade({
    open: () => openMemory({ user: "u-1", storage: "memory" }),
    ...Object.fromEntries(named),
  });
  for (const [scope, data] of WRITES) await facade.write({ ...WHO, scope, data, meta: META });
  await comesBack(facade, memory);
});

test("B9 B11 a store of the app's is told extra, meta, and every field of data", async () => {
  const told = [];
  const note =
    (name) =>
    async (...args) => {
      told.push([name, ...args]);
      return name === "search" ? [] : { summary: null, messages: [], facts: [] };
    };
  const facade = new MemoryFacade({
    open: () => openMemory({ user: "u-1", storage: "memory" }),
    dialogStore: { getContext: note("getContext"), append: note("append"), updateSummary: note("sum") },
    semanticStore: { search: note("search"), addDocuments: note("add") },
  });
  const extra = { tenant: { region: "eu" }, filters: { lang: "vi" } };
  await facade.read({ ...WHO, scopes: ["dialog", "semantic"], query: "tea", extra });
  const data = { role: "user", content: "Hi", id: "m-1", metadata: { a: 1 }, channel: "sms" };
  await facade.write({ ...WHO, scope: "dialog", data, meta: META });
  const [[, , , , asked], [, , filters, , caller], [, , , , , written, more]] = told;
  assert.deepEqual([asked.extra, caller.extra, filters], [extra, extra, { lang: "vi" }]);
  assert.deepEqual(written.meta, META);
  assert.deepEqual(more, { id: "m-1", metadata: { a: 1 }, channel: "sms" });
});

test("B17 a state is any object, and a status any word", async () => {
  const { state } = await memoryOf();
  const saved = await state.saveState("flow", "s-1", { step: 1, status: "running" });
  assert.deepEqual([saved.variables, saved.status, saved.tasks], [{ step: 1 }, "running", []]);
  assert.deepEqual(await state.getState("flow", "s-1"), saved);
  const tasks = [{ id: "a", status: "đang chờ duyệt", assignee: { name: "Bình" }, depends_on: [] }];
  await state.saveState("flow", "s-1", { tasks, variables: { n: 1 }, cart: [] }, { metadata: META });
  const second = await state.getState("flow", "s-1");
  assert.deepEqual(second.variables, { n: 1, cart: [] });
  assert.deepEqual(second.tasks, [
    { id: "a", status: "đang chờ duyệt", dependsOn: [], assignee: { name: "Bình" } },
  ]);
  assert.deepEqual(second.metadata, META);
  await assert.rejects(state.saveState("flow", "s-1", { step: 1, status: 5 }), { field: "state.status" });
  await assert.rejects(state.saveState("flow", "s-1", { tasks: [{ id: "a", status: 5 }] }), {
    field: "state.tasks[0].status",
  });
  const step = await state.logTaskStep("t-1", "asked", "レビュー待ち", new TypeError("no bank"), {
    metadata: { n: 1 },
  });
  assert.deepEqual([step.status, step.error, step.metadata], ["レビュー待ち", "no bank", { n: 1 }]);
  await assert.rejects(state.logTaskStep("t-1", "asked", "", null), { field: "status" });
});

test("B18 documents bring their own fields and embeddings, and filters find both", async () => {
  const { semantic } = await memoryOf();
  const added = await semantic.addDocuments([
    { text: "Trà xanh thơm", lang: "vi", year: 2024, embedding: new Float32Array([1, 0, 0]) },
    { text: "Green tea is fragrant", lang: "en", metadata: { lang: "en-GB" }, embedding: [0, 1, 0] },
    { id: "c", source: "https://tea.example", content: "Tea tea tea", chunk: 7, embedding: [0, 0.6, 0.8] },
  ]);
  assert.match(added[0].id, /^doc-[0-9a-f]{16}$/);
  assert.deepEqual(
    added.map(({ chunks }) => chunks),
    [1, 1, 1],
  );
  const found = async (...args) => (await semantic.search(...args)).map(({ text }) => text);
  assert.deepEqual(await found("trà tea", { lang: "vi" }), ["Trà xanh thơm"]);
  assert.deepEqual(await found("trà tea", { lang: "vi", year: 2025 }), []);
  assert.deepEqual(await found("trà tea", { lang: "en-GB", tags: null }), ["Green tea is fragrant"]);
  // No word in common: only its embedding leads there.
  const near = await found("drink", null, 1, { embedding: [0.9, 0.1, 0] });
  assert.deepEqual(near, ["Trà xanh thơm"]);
  const [third] = await semantic.search("tea", { source: "c" });
  assert.deepEqual(third.metadata, { source: "https://tea.example", chunk: 7 });
  // The same text again takes its own place.
  const [again] = await semantic.addDocuments([{ text: "Trà xanh thơm", lang: "vi" }]);
  assert.deepEqual(again, { id: added[0].id, chunks: 1, replaced: 1 });
  await assert.rejects(
    semantic.addDocuments([
      { text: "a", embedding: [1, 0, 0] },
      { text: "b", embedding: [1, 0] },
    ]),
    { code: "invalid-input", field: "documents[1].embedding" },
  );
  await assert.rejects(semantic.addDocuments([{ text: "a", title: 5 }]), { field: "documents[0].title" });
});

test("B18 what a filter does not let through is not found by way of the graph either", async () => {
  const { semantic } = await memoryOf();
  await semantic.addDocuments([{ id: "d", content: "Ann drinks tea", lang: "en" }]);
  await semantic.graph.add({ entities: [{ name: "tea", type: "drink", observations: ["hot"] }] });
  const kinds = async (filters) => (await semantic.search("tea", filters)).map(({ kind }) => kind).sort();
  assert.deepEqual(await kinds(null), ["chunk", "entity"]);
  assert.deepEqual(await kinds({ lang: "en" }), ["chunk"]);
});

test("B19 a skill keeps fields of its own, and data about it makes no new version", async () => {
  const { procedural } = await memoryOf();
  const sop = { id: "k", use_when: "deploy", tool_sops: [{ tool: "run", env: "CI" }], reviewers: ["An"] };
  await procedural.addSkill({ ...sop, metadata: { run: 1 } });
  const second = await procedural.addSkill({ ...sop, metadata: { run: 2 } });
  assert.deepEqual([second.version, second.metadata, second.reviewers], [1, { run: 2 }, ["An"]]);
  assert.deepEqual(second.tool_sops, [{ tool: "run", env: "CI" }]);
  const third = await procedural.addSkill({ ...sop, reviewers: ["Bo"] });
  assert.deepEqual([third.version, third.metadata], [2, undefined]);
  await assert.rejects(procedural.addSkill({ ...sop, uses: 9 }), { field: "uses" });
  await assert.rejects(procedural.addSkill({ ...sop, tool_sops: [{ tool: 5 }] }), {
    field: "tool_sops[0].tool",
  });
});

test("B21 a step keeps fields of its own, and takes whatever was thrown", async () => {
  const { experience } = await memoryOf();
  class QuotaError extends Error {
    name = "QuotaError";
  }
  const step = { taskType: "t", toolName: "x" };
  const kept = async (more) => experience.logStep({ ...step, ...more });
  const one = await kept({ error: new QuotaError("full"), model: "m", tokens: { in: 3, out: 1.5 } });
  assert.deepEqual([one.error, one.errorType, one.success], ["full", "QuotaError", false]);
  assert.deepEqual([one.model, one.tokens], ["m", { in: 3, out: 1.5 }]);
  const coded = Object.assign(new Error("gone"), { code: "ECONNRESET" });
  assert.equal((await kept({ error: coded })).errorType, "ECONNRESET");
  assert.equal((await kept({ error: coded, error_type: "network" })).errorType, "network");
  assert.equal((await kept({ error: new Error("") })).error, "Error");
  assert.equal((await kept({ error: { message: "plain", name: "KeyError" } })).errorType, "KeyError");
  assert.equal((await kept({ error: { status: 500 } })).error, '{"status":500}');
  const [last] = await experience.getFailures("t", 1);
  assert.equal(last.error, '{"status":500}');
  await assert.rejects(kept({ n: 5 }), { code: "invalid-input", field: "n" });
  await assert.rejects(kept({ cost: "1" }), { code: "invalid-input", field: "cost" });
  await assert.rejects(kept({ task_type: "u" }), { code: "invalid-input", field: "task_type" });
  await assert.rejects(kept({ huge: "x".repeat(70_000) }), { code: "too-large", field: "step" });
});

test("B11 a wrongly typed known field of meta is refused by its name, and nothing is kept", async () => {
  const memory = await memoryOf();
  const data = { taskType: "support", toolName: "pay", error: "no" };
  const write = (scope, data, meta) => memory.write({ ...WHO, scope, data, meta });
  await assert.rejects(write("experience", data, { cost: "much" }), { field: "meta.cost" });
  await assert.rejects(write("dialog", { role: "user", content: "x" }, "trace"), { field: "meta" });
  await assert.rejects(write("profile", { changes: { a: 1 }, b: 2 }), { field: "data.b" });
  await assert.rejects(write("state", { step: 1, tasks: "none" }), { field: "data.tasks" });
  const { dialog, state, profile, experience } = await everything(memory);
  assert.deepEqual([dialog.messages, state.state, profile.profile], [[], null, {}]);
  assert.deepEqual(experience.failures, []);
});

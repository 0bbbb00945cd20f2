// The six stores of a memory, each by its documented functions, and the app's knowledge base beside them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byScope, MemoryStorage, openMemory } from "keepsake";
import { memoryOf, texts } from "./support/talk.mjs";

const WHO = { sessionId: "s-1", agentId: "a" };

test("stores are made when they are asked for, and once", async () => {
  const memory = await memoryOf();
  for (const name of ["dialog", "state", "semantic", "procedural", "profile", "experience"]) {
    assert.equal(memory[name], memory[name], name);
  }
  assert.equal(memory.semantic.graph, memory.semantic.graph);
});

test("B15 B16 dialog: the last turns, counted as turns, with summary and facts", async () => {
  const memory = await memoryOf();
  const { dialog } = memory;
  assert.deepEqual(await dialog.getContext("s-1"), { summary: null, messages: [], facts: [] });
  for (let turn = 0; turn < 25; turn++) {
    const said = await dialog.append("s-1", "USER", `question ${turn}`, { id: `q-${turn}` });
    assert.deepEqual([said.id, said.role], [`q-${turn}`, "user"]);
    await dialog.append("s-1", "assistant", [{ type: "text", text: `answer ${turn}` }]);
    await dialog.append("s-1", "assistant", `more ${turn}`);
  }
  const { messages } = await dialog.getContext("s-1");
  assert.equal(messages.length, 60, "20 turns of three messages");
  assert.equal(texts(messages)[0], "question 5");
  assert.deepEqual(texts((await dialog.getContext("s-1", 1)).messages), [
    "question 24",
    "answer 24",
    "more 24",
  ]);
  await dialog.updateSummary("s-1", "Questions and answers");
  await memory.add("The user asks a lot", { namespace: "long-term", session: "s-1" });
  const { summary, facts } = await dialog.getContext("s-1", 0);
  assert.equal(summary, "Questions and answers");
  assert.deepEqual(
    facts.map(({ summary }) => summary),
    ["The user asks a lot"],
  );
});

test("what is written to the dialog compresses as what is appended does", async () => {
  const memory = await memoryOf();
  const said = "They said so much that it was too much. ".repeat(2500);
  for (let turn = 0; turn < 4; turn++) {
    const role = turn % 2 ? "assistant" : "user";
    await memory.write({ ...WHO, scope: "dialog", data: { role, content: `Turn ${turn}. ${said}` } });
  }
  await memory.session("s-1").idle();
  assert.ok((await memory.session("s-1").histories()).length > 0);
});

test("B17 state: versions, time travel, compare-and-set, tasks and their steps", async () => {
  const memory = await memoryOf();
  const { state } = memory;
  assert.equal(await state.getState("buy", "s-1"), null);
  const first = await state.saveState("buy", "s-1", { cart: ["tea"] }, { expect: 0 });
  assert.deepEqual([first.version, first.variables, first.tasks], [1, { cart: ["tea"] }, []]);
  await assert.rejects(state.saveState("buy", "s-1", { cart: [] }, { expect: 0 }), { code: "conflict" });
  const tasks = [{ id: "find" }, { id: "pay", dependsOn: ["find"], status: "blocked", progress: 0.5 }];
  const second = await state.save(
    "buy",
    "s-1",
    { variables: { cart: [] }, status: "paying", tasks },
    { expect: 1 },
  );
  assert.equal(second.version, 2);
  assert.deepEqual(second.tasks, [
    { id: "find", status: "pending", dependsOn: [] },
    { id: "pay", status: "blocked", progress: 0.5, dependsOn: ["find"] },
  ]);
  assert.deepEqual(await state.get("buy", "s-1"), second);
  assert.deepEqual(await state.getState("buy", "s-1", 1), first);
  assert.equal(await state.getState("buy", "s-1", 9), null);
  assert.deepEqual(
    (await state.versions("buy", "s-1")).map(({ version, status }) => [version, status]),
    [
      [1, undefined],
      [2, "paying"],
    ],
  );
  const place = { flow: "buy", session: "s-1" };
  await state.logTaskStep("pay", "asked the bank", "running", null, place);
  const failed = await state.logTaskStep("pay", "paid", "failed", "no money", place);
  assert.deepEqual([failed.status, failed.error, failed.flow], ["failed", "no money", "buy"]);
  assert.deepEqual(
    (await state.steps("pay", "s-1")).map(({ step, status, error }) => [step, status, error]),
    [
      ["asked the bank", "running", undefined],
      ["paid", "failed", "no money"],
    ],
  );
});

test("B18 semantic: a document that has changed replaces its passages; filters; deletion", async () => {
  const memory = await memoryOf();
  const { semantic } = memory;
  const [added] = await semantic.addDocuments([
    {
      id: "keys",
      content: "Deploy keys rotate on Mondays",
      title: "Keys",
      tags: ["ops"],
      metadata: { year: 2024 },
    },
    { source: "tea.md", content: "Keys to good tea are patience and water" },
  ]);
  assert.deepEqual(added, { id: "keys", chunks: 1, replaced: 0 });
  const [hit] = await semantic.search("deploy keys");
  assert.deepEqual(
    [hit.kind, hit.text, hit.source, hit.title],
    ["chunk", "Deploy keys rotate on Mondays", "keys", "Keys"],
  );
  assert.equal(hit.metadata.year, 2024);
  const sources = async (filters, topK) =>
    (await semantic.search("keys", filters, topK)).map(({ source }) => source);
  assert.deepEqual((await sources(null)).sort(), ["keys", "tea.md"]);
  assert.deepEqual(await sources({ tags: ["ops"] }), ["keys"]);
  assert.deepEqual(await sources({ source: "tea.md" }), ["tea.md"]);
  assert.deepEqual(await sources({ metadata: { year: 2024 } }), ["keys"]);
  assert.equal((await sources(null, 1)).length, 1);
  const [changed] = await semantic.addDocuments([{ id: "keys", content: "Deploy keys rotate on Fridays" }]);
  assert.deepEqual(changed, { id: "keys", chunks: 1, replaced: 1 });
  assert.deepEqual(
    (await semantic.search("deploy")).map(({ text }) => text),
    ["Deploy keys rotate on Fridays"],
  );
  assert.equal(await semantic.delete("keys"), 1);
  assert.equal(await semantic.delete("keys"), 0);
  assert.deepEqual(await semantic.search("deploy"), []);
});

test("B18 B41 the graph: entities, relations, observations, and search that walks them", async () => {
  const memory = await memoryOf();
  const { graph } = memory.semantic;
  const added = await graph.add({
    entities: [
      { name: "Hue", type: "person", observations: ["adopted a dog"] },
      { name: "Max", type: "dog" },
      { name: "Hanoi", type: "city", observations: ["has a lake"] },
    ],
    relations: [
      { from: "Hue", to: "Max", type: "owns" },
      { from: "Max", to: "Hanoi", type: "lives in" },
    ],
    observations: [{ entity: "Max", contents: ["is a terrier"] }],
  });
  assert.deepEqual(added, { entities: 3, relations: 2, observations: 3 });
  assert.deepEqual((await graph.add({ entities: [{ name: "Max", type: "dog" }] })).entities, 0);
  assert.deepEqual((await graph.open(["Max"])).entities, [
    { name: "Max", type: "dog", observations: ["is a terrier"] },
  ]);
  const names = (found) => found.entities.map(({ name }) => name).sort();
  assert.deepEqual(names(await graph.search("terrier")), ["Max"]);
  assert.deepEqual(names(await graph.search("terrier", { steps: 1 })), ["Hanoi", "Hue", "Max"]);
  const found = await memory.semantic.search("terrier", null, 5, { graph: 1 });
  const walked = Object.fromEntries(found.map(({ id, kind, via }) => [id, [kind, via]]));
  assert.equal(walked.Max[0], "entity");
  assert.deepEqual(walked.Hue?.[1], ["Max"]);
  const alone = await memory.semantic.search("terrier", null, 5, { graph: 0 });
  assert.deepEqual(
    alone.map(({ id }) => id),
    ["Max"],
  );
  const gone = await graph.delete({
    entities: ["Max"],
    observations: [{ entity: "Hanoi", contents: ["has a lake"] }],
  });
  assert.deepEqual([gone.entities, gone.relations], [1, 2]);
  assert.deepEqual((await graph.read()).relations, []);
});

test("B19 procedural: the documented shape, versions, uses, and skills that fail are not offered", async () => {
  const memory = await memoryOf();
  const { procedural } = memory;
  const sop = {
    use_when: "deploy Next.js app to Vercel",
    tool_sops: [
      { tool: "create_repo", action: "create repo from template nextjs" },
      { tool: "run_cmd", action: "npm install" },
    ],
    preferences: "use pnpm if available",
  };
  const added = await procedural.addSkill({ ...sop, id: "deploy", task_type: "deploy" });
  const { use_when, tool_sops, preferences } = added;
  assert.deepEqual({ use_when, tool_sops, preferences }, sop);
  assert.deepEqual(
    [added.version, added.uses, added.learned, added.kind, added.demoted],
    [1, 0, false, "sop", false],
  );
  assert.equal("successRate" in added, false);
  const again = await procedural.addSkill({
    id: "deploy",
    taskType: "deploy",
    useWhen: "deploying",
    toolSops: [],
  });
  assert.deepEqual([again.version, again.use_when], [2, "deploying"]);
  assert.deepEqual((await procedural.get("deploy", 1)).tool_sops, sop.tool_sops);
  assert.equal((await procedural.get("deploy")).version, 2);
  assert.equal(await procedural.get("nothing"), null);
  assert.deepEqual(
    (await procedural.versions("deploy")).map(({ version }) => version),
    [1, 2],
  );
  await procedural.addSkill({ ...sop, id: "other", task_type: "other" });
  const ids = async (...asked) => (await procedural.searchSkills(...asked)).map(({ id }) => id);
  assert.deepEqual(await ids("deploy"), ["deploy"]);
  assert.deepEqual(await ids(null, "Vercel"), ["other"]);
  assert.deepEqual(await ids("nothing of the kind"), []);
  const used = await procedural.recordUse("other", true);
  assert.deepEqual([used.uses, used.successes, used.successRate], [1, 1, 1]);
  for (let time = 0; time < 20; time++) await procedural.recordUse("other", false);
  assert.equal((await procedural.get("other")).demoted, true);
  assert.deepEqual(await ids("other"), []);
  assert.deepEqual(await ids("other", "", 3, { includeDemoted: true }), ["other"]);
  assert.equal(await procedural.delete("other"), true);
  assert.equal(await procedural.delete("other"), false);
  assert.deepEqual(
    (await procedural.list()).map(({ id }) => id),
    ["deploy"],
  );
});

test("B20 profile: objects merge, null deletes, lists replace, and every field knows where it came from", async () => {
  const storage = new MemoryStorage();
  const [one, other] = await Promise.all(
    [1, 2].map(() => openMemory({ user: "u", storage: storage.connect() })),
  );
  await one.profile.updateProfile(
    { style: { tone: "dry", words: 9 }, likes: ["tea", "cake"] },
    { source: "form" },
  );
  assert.deepEqual(
    await other.profile.update({ style: { tone: null }, likes: ["tea"] }, { agent: "helper" }),
    {
      style: { words: 9 },
      likes: ["tea"],
    },
  );
  await Promise.all([one.profile.update({ a: { one: 1 } }), other.profile.update({ a: { two: 2 } })]);
  const { profile, fields, version } = await one.profile.details();
  assert.deepEqual(profile, { style: { words: 9 }, likes: ["tea"], a: { one: 1, two: 2 } });
  assert.deepEqual(await one.profile.get(), profile);
  assert.equal(version, 4);
  const sources = Object.fromEntries(fields.map(({ path, source }) => [path.join("."), source]));
  assert.deepEqual(sources, {
    "style.words": "form",
    likes: "helper",
    "a.one": undefined,
    "a.two": undefined,
  });
  assert.ok(fields.every(({ at }) => !Number.isNaN(Date.parse(at))));
});

test("B21 experience: failures, traces that went well in the end, and statistics", async () => {
  const memory = await memoryOf();
  const { experience } = memory;
  const step = (traceId, toolName, more = {}) =>
    experience.logStep({ taskType: "pay", toolName, traceId, session: "s-1", ...more });
  await step("t-1", "look", { cost: 2, latencyMs: 10 });
  await step("t-1", "pay", { error: "no money", errorType: "bank" });
  await step("t-1", "pay", { latencyMs: 30 });
  await step("t-2", "pay", { success: false });
  const alone = await experience.logStep({ task_type: "other", tool_name: "x", latency_ms: 1 });
  assert.deepEqual([alone.taskType, alone.toolName, alone.success], ["other", "x", true]);
  const failures = await experience.getFailures("pay");
  assert.deepEqual(
    failures.map(({ traceId, error, errorType }) => [traceId, error, errorType]),
    [
      ["t-2", undefined, undefined],
      ["t-1", "no money", "bank"],
    ],
  );
  assert.equal((await experience.getFailures("pay", 1)).length, 1);
  assert.equal((await experience.getFailures()).length, 2);
  const traces = await experience.getSuccessfulTraces("pay");
  assert.deepEqual(
    traces.map(({ id, success, cost, latencyMs, steps }) => [id, success, cost, latencyMs, steps.length]),
    [["t-1", true, 2, 40, 3]],
  );
  const { steps, failures: failed, tasks, tools } = await experience.stats();
  assert.deepEqual([steps, failed], [5, 2]);
  assert.deepEqual(tasks.map(({ taskType, steps, failures }) => [taskType, steps, failures]).sort(), [
    ["other", 1, 0],
    ["pay", 4, 2],
  ]);
  const pay = tools.find(({ taskType, toolName }) => taskType === "pay" && toolName === "pay");
  assert.deepEqual([pay.steps, pay.failures, pay.successRate, pay.latencyMs], [3, 2, 1 / 3, 30]);
  assert.equal((await experience.stats("other")).steps, 1);
});

test("B24 B20 the profile and the skills of a task are in the prompt, as their policy says", async () => {
  const memory = await memoryOf({ config: { policies: { agents: { shy: { use_profile: false } } } } });
  await memory.profile.update({ style: { tone: "dry" } });
  await memory.procedural.addSkill({
    id: "k",
    use_when: "paying",
    tool_sops: [{ tool: "bank" }],
    taskType: "pay",
  });
  const kinds = async (session, options) => {
    await session.append({ role: "user", content: "Hello" });
    const { prompt, used } = await session.context({ budget: 1000, ...options });
    return [used.map(({ kind }) => kind).filter((kind) => kind === "profile" || kind === "skill"), prompt];
  };
  const [all, prompt] = await kinds(memory.session("s-1"), { taskType: "pay" });
  assert.deepEqual(all, ["profile", "skill"]);
  assert.match(prompt, /> style\.tone: dry\n.*> paying\n> 1\. bank\n/s);
  assert.deepEqual((await kinds(memory.session("s-2", { agent: "shy" }), { taskType: "pay" }))[0], ["skill"]);
  assert.deepEqual((await kinds(memory.session("s-3"), { agent: "shy" }))[0], []);
});

/** Documents that an app's knowledge base finds. */
const FOUND = [
  {
    id: "kb-1",
    content: "The dragon lives in the north tower",
    score: 17,
    source: "wiki",
    metadata: { page: 3 },
  },
  { id: "kb-2", content: "Dragons like gold" },
];

test("B4 B18 B41 what the app's knowledge base finds is fused in, in a search and in a read", async () => {
  const asked = [];
  const knowledge = async (query, { topK, filters, signal }) => {
    asked.push([query, topK, filters, signal instanceof AbortSignal]);
    return FOUND;
  };
  const memory = await memoryOf({ knowledge, config: { policies: { flows: { few: { max_docs: 2 } } } } });
  await memory.semantic.addDocuments([{ id: "d", content: "The dragon sleeps" }]);
  const found = await memory.semantic.search("dragon", { tags: [] }, 7);
  assert.deepEqual(found.map(({ kind }) => kind).sort(), ["chunk", "external", "external"]);
  const first = found.find(({ id }) => id === "kb-1");
  assert.deepEqual([first.text, first.source, first.metadata], [FOUND[0].content, "wiki", { page: 3 }]);
  const read = { ...WHO, scopes: ["semantic", "profile"], query: "dragon" };
  const { docs } = byScope(await memory.read({ ...read, flow_id: "few" })).semantic;
  assert.equal(docs.length, 2);
  assert.ok(docs.some(({ kind }) => kind === "external"));
  assert.deepEqual(asked, [
    ["dragon", 7, { tags: [] }, true],
    ["dragon", 2, undefined, true],
  ]);
  await memory.read({ ...WHO, scopes: ["profile"], query: "dragon" });
  await memory.read({ ...WHO, scopes: ["semantic"] });
  assert.equal(asked.length, 2, "nobody is asked for what nobody wants to know");
});

test("a knowledge base that fails, is late or answers nonsense costs its documents and nothing else", async () => {
  const bases = {
    throws: () => {
      throw new Error("no base");
    },
    rejects: async () => Promise.reject(new Error("no base")),
    late: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    hangs: () => new Promise(() => {}),
    "answers no list": async () => ({ docs: FOUND }),
    "answers no documents": async () => [{ score: 1 }],
    "answers what is no JSON": async () => [{ id: "x", content: () => "x" }],
  };
  for (const [name, knowledge] of Object.entries(bases)) {
    const told = [];
    const memory = await memoryOf({
      knowledge,
      knowledgeTimeout: 20,
      onKnowledgeError: (error) => told.push(error),
    });
    await memory.semantic.addDocuments([{ id: "d", content: "The dragon sleeps" }]);
    const found = await memory.semantic.search("dragon");
    assert.deepEqual(
      found.map(({ text }) => text),
      ["The dragon sleeps"],
      name,
    );
    const { docs } = byScope(await memory.read({ ...WHO, scopes: ["semantic"], query: "dragon" })).semantic;
    assert.equal(docs.length, 1, name);
    assert.equal(told.length, 2, name);
    assert.ok(
      told.every((error) => error instanceof Error),
      name,
    );
    // The app's own mistakes are still the app's.
    await assert.rejects(memory.semantic.search("dragon", { tags: "ops" }), { code: "invalid-input" }, name);
    await memory.close();
  }
  await assert.rejects(memoryOf({ knowledge: "wiki" }), { code: "invalid-input", field: "knowledge" });
});

test("with an embedder, documents are found by their meaning, and what is known through a read as well", async () => {
  const topics = [
    ["terrier", "puppy"],
    ["loan", "bank"],
  ];
  const embedder = async (given) =>
    given.map((text) => topics.map((words) => 0.1 + words.filter((word) => text.includes(word)).length));
  const told = [];
  const memory = await memoryOf({ embedder, onEmbedderError: (error) => told.push(error) });
  await memory.semantic.addDocuments([
    { id: "pet", content: "Our terrier Max arrived yesterday" },
    { id: "money", content: "The loan is paid back in May" },
  ]);
  await memory.write({ ...WHO, scope: "semantic", data: { id: "news", content: "A bank was robbed" } });
  assert.equal((await memory.semantic.search("a puppy?"))[0]?.source, "pet");
  const { docs } = byScope(await memory.read({ ...WHO, scopes: ["semantic"], query: "a puppy?" })).semantic;
  assert.equal(docs[0]?.source, "pet");
  assert.deepEqual(told, []);
  assert.equal(await memory.embedAll(), 0, "everything has its embedding");
});

// One door to six stores: the document's own examples, policies, users who never mix, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byScope,
  ErrorType,
  MemoryError,
  MemoryFacade,
  MemoryScope,
  MemoryStorage,
  openMemory,
} from "keepsake";
import { memoryOf, texts } from "./support/talk.mjs";

const WHO = { sessionId: "s-1", agentId: "planner" };
const SOP = {
  use_when: "deploy Next.js app to Vercel",
  tool_sops: [
    { tool: "create_repo", action: "create repo from template nextjs" },
    { tool: "run_cmd", action: "npm install" },
  ],
  preferences: "use pnpm if available",
};

/** A facade whose users' memories lie side by side in one storage. */
function facadeOf(options = {}) {
  const storage = new MemoryStorage();
  const open = (opened) => openMemory({ ...opened, storage: storage.connect() });
  return new MemoryFacade({ open, ...options });
}

/** Everything that can be read. */
function readAll(memory, who = WHO, more = {}) {
  return memory.read({ flowId: "flow", ...who, scopes: Object.values(MemoryScope), ...more });
}

test("B9 B10 B13 B23 the planner's read, word for word", async () => {
  const memory = facadeOf();
  const [user_id, session_id, flow_id, user_utterance] = [
    "u-1",
    "s-1",
    "flow",
    "how do I build a search agent?",
  ];
  const own = await memory.memory(user_id);
  await own.dialog.append(session_id, "user", "Hello");
  await own.dialog.append(session_id, "assistant", "Hello! How can I help?");
  await own.semantic.addDocuments([{ id: "agents.md", content: "A search agent needs an index." }]);
  await own.procedural.addSkill({
    ...SOP,
    use_when: "building a search agent",
    task_type: "build_search_agent",
  });
  await own.profile.updateProfile({ style: { tone: "dry" } });

  const query = {
    user_id: user_id,
    session_id: session_id,
    agent_id: "planner",
    flow_id: flow_id,
    node_id: "planner_node",
    scopes: [MemoryScope.DIALOG, MemoryScope.SEMANTIC, MemoryScope.PROCEDURAL, MemoryScope.PROFILE],
    query: user_utterance,
    task_type: "build_search_agent",
  };
  const mem_results = await memory.read(query);

  assert.deepEqual(
    mem_results.map((item) => [Object.keys(item).sort(), item.scope]),
    query.scopes.map((scope) => [["payload", "scope"], scope]),
  );
  const { dialog, semantic, procedural, profile } = byScope(mem_results);
  assert.deepEqual(texts(dialog.messages), ["Hello", "Hello! How can I help?"]);
  assert.equal(dialog.summary, null);
  assert.deepEqual(dialog.facts, []);
  assert.deepEqual(
    semantic.docs.map(({ kind, text, source }) => [kind, text, source]),
    [["chunk", "A search agent needs an index.", "agents.md"]],
  );
  assert.deepEqual(
    procedural.skills.map(({ use_when, tool_sops, preferences }) => ({ use_when, tool_sops, preferences })),
    [{ ...SOP, use_when: "building a search agent" }],
  );
  assert.deepEqual(profile, { profile: { style: { tone: "dry" } } });
  await memory.close();
});

test("B11 B22 the tool's write, word for word", async () => {
  const memory = facadeOf();
  const [user_id, session_id, flow_id, trace_id] = ["u-1", "s-1", "flow", "t-1"];
  const tool_input = { url: "https://example.org", headers: [] };
  const tool_output = "<html>";
  const latency = 12.5;
  for (const error of [null, "HTTP 502"]) {
    const written = await memory.write({
      user_id: user_id,
      session_id: session_id,
      agent_id: "worker_agent",
      flow_id: flow_id,
      node_id: "http_tool_node",
      scope: MemoryScope.EXPERIENCE,
      data: {
        task_type: "call_external_api",
        tool_name: "HttpRequestTool",
        input: tool_input,
        output: tool_output,
        error: error,
        success: error === null,
        latency_ms: latency,
      },
      meta: { trace_id: trace_id },
    });
    assert.deepEqual(written, { written: true });
  }
  const own = await memory.memory(user_id);
  const [failure, ...others] = await own.experience.getFailures("call_external_api");
  assert.deepEqual(others, []);
  const { n, at, ...step } = failure;
  assert.ok(n > 0 && !Number.isNaN(Date.parse(at)));
  assert.deepEqual(step, {
    taskType: "call_external_api",
    toolName: "HttpRequestTool",
    input: tool_input,
    output: tool_output,
    error: "HTTP 502",
    success: false,
    latencyMs: 12.5,
    traceId: "t-1",
    session: "s-1",
    agent: "worker_agent",
    flow: "flow",
    node: "http_tool_node",
  });
  const [trace] = (await readAll(memory, { userId: user_id, ...WHO })).flatMap(({ scope, payload }) =>
    scope === "experience" ? payload.failures : [],
  );
  assert.equal(trace.error, "HTTP 502");
});

test("B29 B30 B31 the policy of smart_buyer, word for word: the rest is as by default", async () => {
  const FLOW_CONFIG = {};
  FLOW_CONFIG.smart_buyer = { use_semantic: true, use_procedural: true, max_docs: 8, max_skills: 5 };
  const memory = await memoryOf({ config: { policies: { flows: FLOW_CONFIG } } });
  const usual = {
    use_dialog: true,
    use_state: true,
    use_semantic: true,
    use_procedural: true,
    use_profile: true,
    use_experience: true,
    write_experience: true,
    max_dialog_turns: 20,
    max_docs: 5,
    max_skills: 3,
  };
  assert.deepEqual(await memory.policy(), usual);
  assert.deepEqual(await memory.policy({ flowId: "smart_buyer", agentId: "planner" }), {
    ...usual,
    max_docs: 8,
    max_skills: 5,
  });
  const documents = [...Array(12).keys()].map((n) => ({
    id: `d-${n}`,
    content: `Kettle number ${n} is cheap`,
  }));
  await memory.semantic.addDocuments(documents);
  for (let n = 0; n < 8; n++) await memory.procedural.addSkill({ ...SOP, id: `k-${n}`, task_type: "buy" });
  const count = async (flowId) => {
    const asked = {
      ...WHO,
      flowId,
      scopes: ["semantic", "procedural"],
      query: "cheap kettle",
      taskType: "buy",
    };
    const { semantic, procedural } = byScope(await memory.read(asked));
    return [semantic.docs.length, procedural.skills.length];
  };
  assert.deepEqual(await count("smart_buyer"), [8, 5]);
  assert.deepEqual(await count("another"), [5, 3]);
});

test("B31 B32 X12 a policy decides what is read and written; of flow and agent the narrower holds", async () => {
  const policies = {
    flows: { quiet: { use_dialog: false, max_docs: 4, write_experience: false } },
    agents: { shy: { useProfile: false, useState: false, maxDocs: 2 } },
  };
  const memory = await memoryOf({ config: { policies } });
  const scopes = async (flowId, agentId) =>
    (await readAll(memory, { sessionId: "s", flowId, agentId })).map(({ scope }) => scope);
  assert.deepEqual(await scopes("any", "any"), Object.values(MemoryScope));
  assert.deepEqual(await scopes("quiet", "shy"), ["semantic", "procedural", "experience"]);
  assert.equal((await memory.policy({ flowId: "quiet", agentId: "shy" })).max_docs, 2);
  const step = { scope: "experience", data: { taskType: "t", toolName: "x", error: "no" } };
  assert.deepEqual(await memory.write({ ...WHO, flowId: "quiet", ...step }), { written: false });
  assert.deepEqual(await memory.experience.getFailures(), []);
  assert.deepEqual(await memory.write({ ...WHO, ...step }), { written: true });
  assert.equal((await memory.experience.getFailures()).length, 1);
  for (const policies of [
    { flows: { f: { use_dreams: true } } },
    { nodes: {} },
    { flows: { f: { max_docs: -1 } } },
  ]) {
    await assert.rejects(memoryOf({ config: { policies } }), ({ code, field }) => {
      return code === "invalid-input" && /policies\.(flows\.f\.(use_dreams|max_docs)|nodes)$/.test(field);
    });
  }
});

test("B12 B14 deleteSession takes away that session everywhere, and nothing else", async () => {
  const facade = facadeOf();
  const fill = async (userId, sessionId) => {
    const who = { userId, sessionId, agentId: "a", flowId: "flow" };
    await facade.write({ ...who, scope: "dialog", data: { role: "user", content: "hello" } });
    await facade.write({ ...who, scope: "dialog", data: { summary: "They talked" } });
    await facade.write({ ...who, scope: "state", data: { state: { n: 1 } } });
    await facade.write({ ...who, scope: "state", data: { taskId: "t", step: "one", status: "done" } });
    await facade.write({ ...who, scope: "experience", data: { taskType: "t", toolName: "x", error: "no" } });
    await facade.write({ ...who, scope: "profile", data: { changes: { name: userId } } });
  };
  const look = async (userId, sessionId) => {
    const read = byScope(await readAll(facade, { userId, sessionId, agentId: "a" }));
    const memory = await facade.memory(userId);
    return {
      said: read.dialog.messages.length,
      summary: read.dialog.summary,
      state: read.state.state?.variables ?? null,
      steps: (await memory.state.steps("t", sessionId)).length,
      failures: read.experience.failures.filter(({ session }) => session === sessionId).length,
      name: read.profile.profile.name,
    };
  };
  const places = [
    ["u-1", "s-1"],
    ["u-1", "s-10"],
    ["u-1", "s"],
    ["u-10", "s-1"],
  ];
  for (const [user, session] of places) await fill(user, session);
  const full = { said: 1, summary: "They talked", state: { n: 1 }, steps: 1, failures: 1 };
  for (const [user, session] of places) assert.deepEqual(await look(user, session), { ...full, name: user });
  assert.equal(await facade.deleteSession("u-1", "s-1"), undefined);
  const gone = { said: 0, summary: null, state: null, steps: 0, failures: 0, name: "u-1" };
  assert.deepEqual(await look("u-1", "s-1"), gone);
  for (const [user, session] of places.slice(1))
    assert.deepEqual(await look(user, session), { ...full, name: user });
  await facade.deleteSession("u-1", "never was");
  const own = await facade.memory("u-1");
  await assert.rejects(own.deleteSession("u-10", "s-1"), { code: "invalid-input", field: "userId" });
  assert.deepEqual(await look("u-10", "s-1"), { ...full, name: "u-10" });
});

test("B3 S5 no user sees what is another's, whatever they are called", async () => {
  const facade = facadeOf();
  const users = ["a", "a/b", "a:b", "b", "u1", "u10", "%", "__proto__", "Ünï", "a\u0000b"];
  for (const userId of users) {
    const who = { userId, ...WHO, flowId: "flow" };
    const mark = `marker of ${userId}`;
    await facade.write({ ...who, scope: "dialog", data: { role: "user", content: mark } });
    await facade.write({ ...who, scope: "state", data: { state: { mark } } });
    await facade.write({ ...who, scope: "semantic", data: { id: "doc", content: mark } });
    await facade.write({
      ...who,
      scope: "procedural",
      data: { id: "k", use_when: mark, tool_sops: [], taskType: "t" },
    });
    await facade.write({ ...who, scope: "profile", data: { changes: { mark } } });
    await facade.write({ ...who, scope: "experience", data: { taskType: "t", toolName: "x", error: mark } });
    await (await facade.memory(userId)).semantic.graph.add({
      entities: [{ name: "marker", type: "mark", observations: [mark] }],
    });
  }
  for (const userId of users) {
    const items = await readAll(facade, { userId, ...WHO }, { query: "marker", taskType: "t" });
    const memory = await facade.memory(userId);
    const more = [
      await memory.semantic.graph.read(),
      await memory.procedural.list(),
      await memory.experience.stats(),
      await memory.state.versions("flow", "s-1"),
    ];
    const marks = JSON.stringify([items, more]).match(/marker of [^"]*/g);
    assert.equal(items.length, 6);
    assert.ok(marks.length >= 6, `${marks}`);
    const own = JSON.stringify(`marker of ${userId}`).slice(1, -1);
    assert.deepEqual([...new Set(marks)], [own]);
  }
});

/** What is refused, with the field that the error names. */
const REFUSED = [
  ["no user", (f) => f.read({ ...WHO, scopes: ["dialog"] }), "userId"],
  ["an empty user", (f) => f.read({ userId: "", ...WHO, scopes: ["dialog"] }), "userId"],
  ["a user that is no text", (f) => f.write({ userId: 7, ...WHO, scope: "profile", data: {} }), "userId"],
  ["no query at all", (f) => f.read(), "userId"],
  ["no event at all", (f) => f.write(null), "userId"],
  ["a session of nobody", (f) => f.deleteSession(undefined, "s-1"), "userId"],
  [
    "another user",
    async (f) => (await f.memory("u")).read({ userId: "v", ...WHO, scopes: ["dialog"] }),
    "userId",
  ],
  ["an unknown scope", (f) => f.read({ userId: "u", ...WHO, scopes: ["dialog", "dreams"] }), "scopes[1]"],
  ["no scopes", (f) => f.read({ userId: "u", ...WHO, scopes: "dialog" }), "scopes"],
  ["no session", (f) => f.read({ userId: "u", agentId: "a", scopes: [] }), "sessionId"],
  ["no agent", (f) => f.read({ userId: "u", sessionId: "s", scopes: [] }), "agentId"],
  ["an unknown field", (f) => f.read({ userId: "u", ...WHO, scopes: [], usrId: "u" }), "usrId"],
  ["an unknown scope to write to", (f) => write(f, "dreams", {}), "scope"],
  ["an inherited name to write to", (f) => write(f, "toString", {}), "scope"],
  ["data that are a list", (f) => write(f, "profile", []), "data"],
  ["a message of nobody", (f) => write(f, "dialog", { content: "x" }), "data.role"],
  ["a message that says nothing", (f) => write(f, "dialog", { role: "user" }), "data.content"],
  ["a task's step without a step", (f) => write(f, "state", { taskId: "t", status: "done" }), "data.step"],
  ["a step without a kind of task", (f) => write(f, "experience", { toolName: "x" }), "data.taskType"],
  [
    "a step that took less than nothing",
    (f) => write(f, "experience", { taskType: "t", toolName: "x", latencyMs: -1 }),
    "data.latencyMs",
  ],
  ["a skill for nothing", (f) => write(f, "procedural", { tool_sops: [] }), "data.use_when"],
  [
    "a skill's step without a tool",
    (f) => write(f, "procedural", { use_when: "x", tool_sops: [{}] }),
    "data.tool_sops[0].tool",
  ],
  ["a document that says nothing", (f) => write(f, "semantic", { id: "x" }), "data.documents[0].text"],
  ["changes that are a text", (f) => write(f, "profile", { changes: "x" }), "data.changes"],
  [
    "B17 a cycle of tasks",
    (f) =>
      save(f, {
        tasks: [
          { id: "a", dependsOn: ["b"] },
          { id: "b", dependsOn: ["a"] },
        ],
      }),
    "state.tasks[0].dependsOn",
  ],
  [
    "B17 a task that waits for nobody",
    (f) => save(f, { tasks: [{ id: "a", dependsOn: ["z"] }] }),
    "state.tasks[0].dependsOn[0]",
  ],
  ["B17 two tasks of one id", (f) => save(f, { tasks: [{ id: "a" }, { id: "a" }] }), "state.tasks[1].id"],
  ["B17 a state that is a list", (f) => save(f, []), "state"],
];

function write(facade, scope, data) {
  return facade.write({ userId: "u", ...WHO, flowId: "flow", scope, data });
}

async function save(facade, state) {
  return (await facade.memory("u")).state.saveState("flow", "s-1", state);
}

for (const [name, act, field] of REFUSED) {
  test(`bad input is refused by its name: ${name}`, async () => {
    const facade = facadeOf();
    await assert.rejects(
      async () => act(facade),
      (error) => {
        assert.ok(error instanceof MemoryError, String(error));
        assert.deepEqual([error.code, error.field], ["invalid-input", field]);
        return true;
      },
    );
    const left = byScope(await readAll(facade, { userId: "u", ...WHO }, { query: "x", taskType: "t" }));
    assert.deepEqual(left, {
      dialog: { summary: null, messages: [], facts: [] },
      state: { state: null },
      semantic: { docs: [] },
      procedural: { skills: [] },
      profile: { profile: {} },
      experience: { failures: [], successes: [] },
    });
  });
}

test("a profile of 1 MB of nesting is refused, and so is one that is too large", async () => {
  const memory = await memoryOf();
  let deep = 1;
  for (let level = 0; level < 200_000; level++) deep = { a: deep };
  await assert.rejects(memory.profile.updateProfile(deep), ({ code, field }) => {
    return code === "invalid-input" && field.startsWith("changes");
  });
  let levels = 1;
  for (let level = 0; level < 50; level++) levels = { a: levels };
  await assert.rejects(memory.profile.updateProfile(levels), { code: "invalid-input", field: "changes" });
  await assert.rejects(memory.profile.updateProfile({ a: "x".repeat(1_000_000) }), { code: "too-large" });
  assert.deepEqual(await memory.profile.getProfile(), {});
});

test("a facade opens a memory once, again after a failure, and closes all of them", async () => {
  const opened = [];
  let fails = true;
  const open = async ({ user, ...more }) => {
    opened.push(user);
    if (fails) throw new Error("not now");
    return openMemory({ user, storage: "memory", ...more });
  };
  const facade = new MemoryFacade({ open, policies: { agents: { shy: { use_profile: false } } } });
  assert.deepEqual(opened, []);
  await assert.rejects(facade.memory("u-1"), /not now/);
  fails = false;
  const [one, same] = await Promise.all([facade.memory("u-1"), facade.memory("u-1")]);
  assert.equal(one, same);
  assert.equal(one.user, "u-1");
  assert.deepEqual(opened, ["u-1", "u-1"]);
  assert.equal((await one.policy({ agentId: "shy" })).use_profile, false);
  await facade.close("u-1");
  await assert.rejects(one.profile.get(), { code: "closed" });
  const again = await facade.memory("u-1");
  assert.notEqual(again, one);
  await facade.close();
  await facade.close();
  await assert.rejects(again.profile.get(), { code: "closed" });
  await assert.rejects(facade.memory("u-1"), { code: "closed" });
  assert.throws(() => new MemoryFacade({}), { field: "open" });
});

test("B8 B36 the documented words", () => {
  assert.deepEqual(Object.keys(MemoryScope), [
    "DIALOG",
    "STATE",
    "SEMANTIC",
    "PROCEDURAL",
    "PROFILE",
    "EXPERIENCE",
  ]);
  assert.deepEqual(
    Object.values(MemoryScope),
    Object.keys(MemoryScope).map((name) => name.toLowerCase()),
  );
  assert.equal(new Set(Object.values(ErrorType)).size, Object.keys(ErrorType).length);
});

test("a read is one view: what is written meanwhile is in all of it, or in none", async () => {
  const memory = await memoryOf();
  const write = async (n) => {
    await memory.state.saveState("flow", "s-1", { n });
    await memory.profile.updateProfile({ n });
  };
  await write(0);
  const writing = (async () => {
    for (let n = 1; n <= 20; n++) await write(n);
  })();
  for (let at = 0; at < 10; at++) {
    const { state, profile } = byScope(
      await memory.read({ ...WHO, flowId: "flow", scopes: ["profile", "state"] }),
    );
    // The state is written first: it is never behind, and at most one ahead.
    const ahead = state.state.variables.n - profile.profile.n;
    assert.ok(ahead === 0 || ahead === 1, `${ahead}`);
  }
  await writing;
});

// Stores of the app's own in the place of ours, each on its own: what they are told, and what becomes of their failures.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byScope,
  keepsakeStores,
  MemoryError,
  MemoryFacade,
  MemoryScope,
  MemoryStorage,
  openMemory,
} from "keepsake";

const SCOPES = Object.values(MemoryScope);
const WHO = { userId: "u-1", sessionId: "s-1", agentId: "planner", flowId: "flow", nodeId: "n-1" };
const STEP = { taskType: "t", toolName: "x", error: "no" };

/** Stores of an app that write down how they are called, and answer what can be told from ours. */
function storesOf(calls) {
  const store = (scope, answers) =>
    Object.fromEntries(
      Object.entries({ ...answers, deleteSession: undefined }).map(([name, answer]) => [
        name,
        async (...args) => {
          calls.push([`${scope}.${name}`, ...args]);
          return answer;
        },
      ]),
    );
  const skill = { id: "theirs", use_when: "always", tool_sops: [] };
  return {
    dialog: store("dialog", {
      getContext: { summary: "theirs", messages: [], facts: [] },
      append: null,
      updateSummary: null,
    }),
    state: store("state", { getState: { variables: { theirs: true } }, saveState: null, logTaskStep: null }),
    semantic: store("semantic", {
      search: Array(9).fill({ id: "theirs", text: "theirs" }),
      addDocuments: null,
    }),
    procedural: store("procedural", { searchSkills: Array(9).fill(skill), addSkill: null }),
    profile: store("profile", { getProfile: { theirs: true }, updateProfile: null }),
    experience: store("experience", { logStep: null, getFailures: [STEP], getSuccessfulTraces: [] }),
  };
}

function facadeOf(options) {
  return new MemoryFacade({ open: (opened) => openMemory({ ...opened, storage: "memory" }), ...options });
}

/** Who writes, with what they say of it. */
const TOLD = { ...WHO, meta: { trace_id: "t-1" } };

/** What is written to each scope, and how a store is told of it. */
const WRITES = {
  dialog: [
    [{ role: "user", content: "hi" }, ["dialog.append", "u-1", "s-1", "user", "hi", TOLD, {}]],
    [{ summary: "short" }, ["dialog.updateSummary", "u-1", "s-1", "short", TOLD]],
  ],
  state: [
    [{ state: { n: 1 } }, ["state.saveState", "flow", "s-1", { n: 1 }, TOLD]],
    [
      { task_id: "k", step: "one", status: "done" },
      ["state.logTaskStep", "k", "one", "done", null, TOLD, {}],
    ],
    [
      { taskId: "k", step: "one", status: "failed", error: "no" },
      ["state.logTaskStep", "k", "one", "failed", "no", TOLD, {}],
    ],
  ],
  semantic: [
    [
      { documents: [{ id: "d", content: "x" }] },
      ["semantic.addDocuments", [{ id: "d", content: "x" }], TOLD],
    ],
    [{ id: "d", content: "x" }, ["semantic.addDocuments", [{ id: "d", content: "x" }], TOLD]],
  ],
  procedural: [
    [{ use_when: "x", tool_sops: [] }, ["procedural.addSkill", { use_when: "x", tool_sops: [] }, TOLD]],
  ],
  profile: [
    [{ changes: { a: null } }, ["profile.updateProfile", "u-1", { a: null }, TOLD]],
    [{ a: 1 }, ["profile.updateProfile", "u-1", { a: 1 }, TOLD]],
  ],
  experience: [
    [
      { task_type: "t", tool_name: "x", latency_ms: 3, error: null },
      [
        "experience.logStep",
        {
          taskType: "t",
          toolName: "x",
          success: true,
          latencyMs: 3,
          traceId: "t-1",
          session: "s-1",
          agent: "planner",
          flow: "flow",
          node: "n-1",
        },
        TOLD,
      ],
    ],
  ],
};

/** What each scope answers, and how its store was asked, with the limits of the policy. */
const READS = {
  dialog: [{ summary: "theirs", messages: [], facts: [] }, [["dialog.getContext", "u-1", "s-1", 7, WHO]]],
  state: [{ state: { variables: { theirs: true } } }, [["state.getState", "flow", "s-1", WHO]]],
  semantic: [
    { docs: Array(8).fill({ id: "theirs", text: "theirs" }) },
    [["semantic.search", "words", null, 8, WHO]],
  ],
  procedural: [
    { skills: Array(5).fill({ score: 0, id: "theirs", use_when: "always", tool_sops: [] }) },
    [["procedural.searchSkills", "t", "words", 5, WHO]],
  ],
  profile: [{ profile: { theirs: true } }, [["profile.getProfile", "u-1", WHO]]],
  experience: [
    { failures: [STEP], successes: [] },
    [
      ["experience.getFailures", "t", 50, WHO],
      ["experience.getSuccessfulTraces", "t", 10, WHO],
    ],
  ],
};

const POLICIES = { flows: { flow: { max_docs: 8, max_skills: 5, max_dialog_turns: 7 } } };

for (const scope of SCOPES) {
  test(`B6 B33 the store of the scope ${scope} can be replaced alone, and keeps its documented arguments`, async () => {
    const calls = [];
    const facade = facadeOf({ [`${scope}Store`]: storesOf(calls)[scope], policies: POLICIES });
    for (const [data, told] of WRITES[scope]) {
      const written = await facade.write({ ...WHO, scope, data, meta: { trace_id: "t-1" } });
      assert.deepEqual(written, { written: true });
      assert.deepEqual(calls.splice(0), [told]);
    }
    const [payload, asked] = READS[scope];
    const order = [...SCOPES].reverse();
    const items = await facade.read({ ...WHO, scopes: order, query: "words", task_type: "t" });
    assert.deepEqual(
      items.map((item) => item.scope),
      order,
    );
    assert.deepEqual(byScope(items)[scope], payload);
    assert.deepEqual(calls.splice(0), asked);
    assert.doesNotMatch(JSON.stringify(items.filter((item) => item.scope !== scope)), /theirs/);
    const [alone] = await facade.read({ ...WHO, scopes: [scope], query: "words", task_type: "t" });
    assert.deepEqual(alone, { scope, payload });
    calls.splice(0);
    assert.deepEqual(byScope(await (await facade.memory("u-1")).read({ ...WHO, scopes: SCOPES })).profile, {
      profile: {},
    });
    await facade.deleteSession("u-1", "s-1");
    assert.deepEqual(calls, [[`${scope}.deleteSession`, "u-1", "s-1"]]);
  });

  test(`B31 the policy holds for a store of the app's too: ${scope}`, async () => {
    const calls = [];
    const silent = { [`use_${scope}`]: false, write_experience: false };
    const stores = { [`${scope}Store`]: storesOf(calls)[scope] };
    const facade = facadeOf({ ...stores, policies: { agents: { planner: silent } } });
    const items = await facade.read({ ...WHO, scopes: SCOPES, query: "words" });
    assert.deepEqual(
      items.map((item) => item.scope),
      SCOPES.filter((other) => other !== scope),
    );
    const written = await facade.write({ ...WHO, scope: "experience", data: STEP });
    assert.deepEqual(written, { written: false });
    assert.deepEqual(calls, []);
  });

  test(`a store of the app's that fails is told by its scope, with its cause: ${scope}`, async () => {
    const cause = new Error("the database is away");
    const broken = new Proxy({}, { get: () => () => Promise.reject(cause) });
    const facade = facadeOf({ [`${scope}Store`]: broken });
    const failed = (error) => {
      assert.ok(error instanceof MemoryError);
      assert.deepEqual([error.code, error.cause], ["storage-failed", cause]);
      assert.match(error.message, new RegExp(scope));
      return true;
    };
    await assert.rejects(facade.read({ ...WHO, scopes: SCOPES, query: "words" }), failed);
    await assert.rejects(facade.write({ ...WHO, scope, data: WRITES[scope][0][0] }), failed);
    const own = await facade.memory("u-1");
    await own.session("s-1").append({ role: "user", content: "still here" });
    await assert.rejects(facade.deleteSession("u-1", "s-1"), failed);
    assert.equal((await own.session("s-1").messages()).total, 1, "ours is as it was");
    const nonsense = new Proxy({}, { get: () => async () => "nonsense" });
    const odd = facadeOf({ [`${scope}Store`]: nonsense });
    if (scope !== "state") {
      await assert.rejects(odd.read({ ...WHO, scopes: [scope], query: "words" }), { code: "storage-failed" });
    }
  });
}

/** What a store is not even told of. */
const REFUSED = [
  ["dialog", { content: "hi" }, "data.role"],
  ["dialog", { role: "user" }, "data.content"],
  ["dialog", { summary: 7 }, "data.summary"],
  ["state", { state: [] }, "data.state"],
  ["state", { taskId: "x", status: "done" }, "data.step"],
  ["semantic", { documents: "x" }, "data.documents"],
  ["procedural", { tool_sops: [] }, "data.use_when"],
  ["profile", { changes: [] }, "data.changes"],
  ["profile", "x", "data"],
  ["experience", { toolName: "x" }, "data.taskType"],
  ["experience", { task_type: "t" }, "data.toolName"],
];

test("B33 what is of the wrong shape is refused by its field before a store hears of it", async () => {
  const calls = [];
  const stores = storesOf(calls);
  const facade = facadeOf(Object.fromEntries(SCOPES.map((scope) => [`${scope}Store`, stores[scope]])));
  for (const [scope, data, field] of REFUSED) {
    const writing = facade.write({ ...WHO, scope, data });
    await assert.rejects(writing, { code: "invalid-input", field }, `${scope} ${JSON.stringify(data)}`);
  }
  const { flowId, ...noFlow } = WHO;
  await assert.rejects(facade.write({ ...noFlow, scope: "state", data: { state: {} } }), { field: "flowId" });
  await assert.rejects(facade.read({ ...WHO, sessionId: "", scopes: ["dialog"] }), { field: "sessionId" });
  await assert.rejects(facade.read({ ...WHO, agentId: 7, scopes: ["dialog"] }), { field: "agentId" });
  await assert.rejects(facade.read({ ...WHO, scopes: ["dialog", "dreams"] }), { field: "scopes[1]" });
  await assert.rejects(facade.read({ ...WHO, scopes: "dialog" }), { field: "scopes" });
  await assert.rejects(facade.read({ ...WHO, scopes: ["dialog"], userId: undefined }), { field: "userId" });
  const filtered = { ...WHO, scopes: ["semantic"], query: "q", extra: { filters: "x" } };
  await assert.rejects(facade.read(filtered), { code: "invalid-input", field: "extra.filters" });
  assert.deepEqual(calls, []);
  await assert.rejects(facade.read({ ...WHO, scopes: ["dialog"], usrId: "u" }), { field: "usrId" });
  await assert.rejects(facade.read({ ...WHO, scopes: ["procedural"], taskType: 7 }), { field: "taskType" });
});

test("B33 B34 B35 our own stores by their documented functions, put into another facade, answer as they do at home", async () => {
  const storage = new MemoryStorage();
  const home = new MemoryFacade({ open: (opened) => openMemory({ ...opened, storage: storage.connect() }) });
  const ours = keepsakeStores((user) => home.memory(user));
  const away = facadeOf(Object.fromEntries(SCOPES.map((scope) => [`${scope}Store`, ours[scope]])));
  for (const scope of SCOPES) {
    for (const [data] of WRITES[scope]) await away.write({ ...WHO, scope, data, meta: { trace_id: "t-1" } });
  }
  await away.write({ ...WHO, scope: "experience", data: STEP });
  const query = { ...WHO, scopes: SCOPES, query: "x", taskType: "t" };
  const [there, here] = [await away.read(query), await home.read(query)];
  assert.deepEqual(there, here);
  assert.equal(byScope(here).dialog.messages.length, 1);
  assert.equal(byScope(here).state.state.variables.n, 1);
  assert.equal(byScope(here).semantic.docs.length, 1);
  assert.equal(byScope(here).procedural.skills.length, 1);
  assert.equal(byScope(here).experience.failures.length, 1);
  assert.equal(byScope(here).experience.successes.length, 1);
  const other = await away.read({ ...query, userId: "u-2" });
  assert.deepEqual(byScope(other).profile, { profile: {} });
  assert.deepEqual(byScope(other).experience, { failures: [], successes: [] });
  await away.deleteSession("u-1", "s-1");
  assert.deepEqual(byScope(await home.read(query)).dialog.messages, []);
  await Promise.all([home.close(), away.close()]);
});

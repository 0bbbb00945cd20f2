// Memory around a step of any framework: read before it, experience after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { afterNode, beforeNode, MemoryError, MemoryFacade, openMemory, withMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const WHO = { sessionId: "s-1", agentId: "worker" };
const QUERY = { ...WHO, flowId: "f", nodeId: "n", taskType: "pay", scopes: ["profile", "experience"] };

/** Experience without what differs from run to run. */
async function steps(memory) {
  const traces = await memory.experience.getSuccessfulTraces();
  const all = [...traces.flatMap(({ steps }) => steps), ...(await memory.experience.getFailures())];
  return all.map(({ n, at, latencyMs, ...step }) => {
    assert.ok(latencyMs >= 0 && latencyMs < 60_000, `${latencyMs}`);
    return step;
  });
}

const WHERE = { session: "s-1", agent: "worker", flow: "f", node: "n", taskType: "pay" };

test("B23 withMemory reads before the step, and writes down how it went", async () => {
  const memory = await memoryOf();
  await memory.profile.update({ currency: "VND" });
  const event = { toolName: "bank", input: { amount: 3 }, traceId: "t-1", cost: ({ paid }) => paid / 10 };
  const result = await withMemory(memory, { query: QUERY, event }, async ({ profile, experience }, items) => {
    assert.deepEqual(profile, { profile: { currency: "VND" } });
    assert.deepEqual(experience, { failures: [], successes: [] });
    assert.deepEqual(
      items.map(({ scope }) => scope),
      ["profile", "experience"],
    );
    return { paid: 3, at: new Date(0) };
  });
  assert.deepEqual(result, { paid: 3, at: new Date(0) });
  assert.deepEqual(await steps(memory), [
    {
      ...WHERE,
      toolName: "bank",
      input: { amount: 3 },
      output: { paid: 3, at: "1970-01-01T00:00:00.000Z" },
      success: true,
      cost: 0.3,
      traceId: "t-1",
    },
  ]);
});

test("B23 a step's own error is written down and comes back as it was thrown", async () => {
  class BankError extends Error {
    name = "BankError";
  }
  const coded = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const thrown = [
    [new BankError("no money"), { error: "no money", errorType: "BankError" }],
    [coded, { error: "refused", errorType: "ECONNREFUSED" }],
    [new Error("plain"), { error: "plain" }],
    [new Error(""), { error: "Error" }],
    ["a text", { error: "a text" }],
    [{ status: 502 }, { error: '{"status":502}' }],
    [undefined, { error: "undefined" }],
  ];
  for (const [error, told] of thrown) {
    const memory = await memoryOf();
    const event = { toolName: "bank", taskType: "refund" };
    const running = withMemory(memory, { query: QUERY, event }, () => {
      throw error;
    });
    const caught = await running.then(assert.fail, (caught) => caught);
    assert.equal(caught, error);
    assert.deepEqual(await steps(memory), [
      { ...WHERE, taskType: "refund", toolName: "bank", success: false, ...told },
    ]);
  }
});

test("outputs of any kind are told, in JSON or in words", async () => {
  const circle = {};
  circle.self = circle;
  const outputs = [
    [undefined, undefined],
    [null, undefined],
    [7n, "7"],
    [circle, "[object Object]"],
    ["half \uD800 a pair", "half \uFFFD a pair"],
    [{ run: () => 1, kept: 1 }, { kept: 1 }],
    [Symbol("s"), "Symbol(s)"],
  ];
  for (const [output, told] of outputs) {
    const memory = await memoryOf();
    const result = await withMemory(memory, { query: QUERY, event: { toolName: "x" } }, () => output);
    assert.equal(result, output);
    assert.deepEqual((await steps(memory))[0].output, told);
  }
  const memory = await memoryOf();
  const event = { toolName: "x", output: ({ length }) => `${length} letters` };
  await withMemory(memory, { query: QUERY, event }, () => "secret");
  assert.equal((await steps(memory))[0].output, "6 letters");
});

test("a step that cannot be written down keeps its result, and its own error", async () => {
  const memory = await memoryOf();
  const told = [];
  const onError = (error) => told.push(error);
  const broken = {
    read: (query) => memory.read(query),
    write: async () => Promise.reject(new Error("full")),
  };
  const around = { query: QUERY, event: { toolName: "x" }, onError };
  assert.equal(await withMemory(broken, around, () => 7), 7);
  const own = new Error("own");
  await assert.rejects(
    withMemory(broken, around, () => Promise.reject(own)),
    own,
  );
  const output = () => {
    throw new Error("what is kept of it");
  };
  assert.equal(await withMemory(memory, { ...around, event: { toolName: "x", output } }, () => 7), 7);
  const { taskType, ...query } = QUERY;
  assert.equal(await withMemory(memory, { ...around, query }, () => 7), 7);
  assert.deepEqual(
    told.map(({ message, field }) => field ?? message),
    ["full", "full", "what is kept of it", "data.taskType"],
  );
  assert.deepEqual(await steps(memory), []);
  let ran = false;
  const asked = { ...around, query: { ...QUERY, scopes: ["dreams"] } };
  const run = () => {
    ran = true;
  };
  await assert.rejects(withMemory(memory, asked, run), MemoryError);
  assert.equal(ran, false, "a read that fails comes before the step");
});

test("B23 beforeNode and afterNode, on a memory and on a facade, in either spelling", async () => {
  const facade = new MemoryFacade({ open: (opened) => openMemory({ ...opened, storage: "memory" }) });
  const memory = await facade.memory("u-1");
  const query = {
    user_id: "u-1",
    session_id: "s-1",
    agent_id: "worker",
    flow_id: "f",
    node_id: "n",
    scopes: ["profile"],
  };
  for (const target of [memory, facade]) {
    const { items, memories, startedAt } = await beforeNode(target, query);
    assert.deepEqual(items, [{ scope: "profile", payload: { profile: {} } }]);
    assert.deepEqual(memories, { profile: { profile: {} } });
    const { scopes, ...who } = query;
    const data = { task_type: "pay", tool_name: "bank", error: new TypeError("no"), error_type: "bank" };
    const written = await afterNode(target, { ...who, data, meta: { trace_id: "t" }, startedAt });
    assert.deepEqual(written, { written: true });
  }
  const step = {
    ...WHERE,
    toolName: "bank",
    error: "no",
    errorType: "bank",
    success: false,
    traceId: "t",
  };
  assert.deepEqual(await steps(memory), [step, step]);
  await afterNode(memory, { ...WHO, data: { taskType: "other", toolName: "x", latencyMs: 12, error: "no" } });
  assert.equal((await memory.experience.getFailures("other"))[0].latencyMs, 12);
  await facade.close();
});

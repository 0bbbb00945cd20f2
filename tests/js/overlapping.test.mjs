// Many calls of every kind on one handle at once: all are answered, and what they answer fits together.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const ROUNDS = 100;

/** Each kind of call, of which the `n`-th is made. */
const KINDS = {
  add: (memory, n) => memory.add(`fact number ${n}`, { id: `fact-${n}`, namespace: "long-term" }),
  update: (memory) => memory.update("shared", { tags: ["seen"] }),
  get: (memory) => memory.get("shared"),
  search: (memory) => memory.search("shared fact"),
  list: (memory) => memory.list({ limit: 5 }),
  count: (memory) => memory.count(),
  stats: (memory) => memory.stats(),
  append: (memory, n) => memory.session("s").append({ role: "user", content: `said ${n}` }),
  messages: (memory) => memory.session("s").messages({ limit: 10 }),
  context: (memory) => memory.session("s").context({ query: "fact", budget: 500 }),
  profile: (memory, n) => memory.profile.update({ preferences: { [`p${n}`]: n } }),
  saveState: (memory, n) => memory.state.save("flow", "s", { variables: { n } }),
  skill: (memory, n) =>
    memory.procedural.addSkill({ id: "skill", use_when: `when ${n}`, tool_sops: [{ tool: "x" }] }),
  step: (memory, n) =>
    memory.experience.logStep({ taskType: "t", toolName: "x", traceId: `t-${n}`, success: true }),
  entity: (memory, n) =>
    memory.semantic.graph.add({ entities: [{ name: `thing ${n}`, type: "thing", observations: ["seen"] }] }),
  file: (memory, n) => memory.files.append("log.md", `line ${n}\n`),
  decide: (memory, n) => memory.files.record("team-memory/decisions.md", [{ title: `decision ${n}` }]),
  tool: (memory, n) => memory.call("memory_add", { content: `by a tool ${n}` }),
  read: (memory) =>
    memory.read({ scopes: ["dialog", "profile"], sessionId: "s", agentId: "a", query: "fact" }),
  verify: (memory) => memory.log.verify(),
};

for (const [kind, call] of Object.entries(KINDS)) {
  test(`${ROUNDS} overlapping calls: ${kind}`, async () => {
    const memory = await memoryOf();
    await memory.add("a shared fact", { id: "shared", namespace: "long-term" });
    const answers = await Promise.all(Array.from({ length: ROUNDS }, (_, n) => call(memory, n)));
    assert.equal(answers.length, ROUNDS);
    assert.equal((await memory.log.verify()).ok, true);
    await memory.close();
  });
}

test("all kinds at once, in the order of the calls", async () => {
  const memory = await memoryOf();
  await memory.add("a shared fact", { id: "shared", namespace: "long-term" });
  const calls = [];
  for (let n = 0; n < ROUNDS; n += 1) for (const call of Object.values(KINDS)) calls.push(call(memory, n));
  await Promise.all(calls);
  const { text } = await memory.files.read("log.md");
  assert.equal(text, Array.from({ length: ROUNDS }, (_, n) => `line ${n}\n`).join(""));
  const said = await memory.session("s").messages({ limit: ROUNDS });
  assert.deepEqual(
    said.messages.map(textOf),
    Array.from({ length: ROUNDS }, (_, n) => `said ${n}`),
  );
  assert.deepEqual((await memory.state.get("flow", "s")).variables, { n: ROUNDS - 1 });
  assert.equal(await memory.count(), 2 * ROUNDS + 1);
  assert.equal((await memory.log.verify()).ok, true);
});

// The whole loop in a real browser, on real IndexedDB: an agent fails twice, learns why, and is told the next time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

const tab = (name) => browser.tabWith(name);

test("B1 B2 B25 an agent that fails a task twice learns the guard, and gets it in its next context, after a reload", async () => {
  const page = await tab("loop");
  const failed = await page.evaluate(async () => {
    const { keepsake, memory } = globalThis;
    const env = {};
    const check = () => Object.keys(env);
    const deploy = () => {
      if (!env.DATABASE_URL) throw new Error("DATABASE_URL is not set");
      return "deployed";
    };
    const errors = [];
    const run = async (traceId, ...tools) => {
      for (const [toolName, tool] of tools) {
        const query = {
          sessionId: "s-1",
          agentId: "worker",
          taskType: "deploy",
          scopes: ["procedural", "experience"],
        };
        const step = keepsake.withMemory(memory, { query, event: { toolName, traceId } }, tool);
        await step.catch((error) => errors.push(error.message));
      }
    };
    await run("t-1", ["deploy", deploy]);
    await run("t-2", ["deploy", deploy]);
    env.DATABASE_URL = "postgres://";
    await run("t-3", ["check_env", check], ["deploy", deploy]);
    await run("t-4", ["check_env", check], ["deploy", deploy]);
    return errors;
  });
  assert.deepEqual(failed, ["DATABASE_URL is not set", "DATABASE_URL is not set"]);
  // The page goes away before anything was learned.
  await page.reload();
  await page.close();

  const learner = await tab("loop");
  const guards = await learner.evaluate(async () => {
    const { memory } = globalThis;
    const learned = await new Promise((resolve, reject) => {
      memory.learnWhenIdle({ every: 50, onLearned: resolve, onError: reject });
    });
    return learned.guards.map(({ id, use_when, kind, learned }) => ({ id, use_when, kind, learned }));
  });
  assert.ok(guards.length > 0, "a guard was learned");
  const guard = guards.find(({ use_when }) => /deploy/.test(use_when));
  assert.ok(guard, JSON.stringify(guards));
  assert.deepEqual([guard.kind, guard.learned], ["guard", true]);
  await learner.close();

  const fresh = await tab("loop");
  const next = await fresh.evaluate(async () => {
    const { keepsake, memory } = globalThis;
    const chat = memory.session("s-2", { agent: "worker" });
    await chat.append({ role: "user", content: "Please ship the new version" });
    const { prompt, used } = await chat.context({ taskType: "deploy", budget: 2000 });
    const query = {
      sessionId: "s-2",
      agentId: "worker",
      taskType: "deploy",
      scopes: ["procedural", "experience"],
    };
    const { memories } = await keepsake.beforeNode(memory, query);
    const again = await memory.learn();
    return {
      prompt,
      used: used.filter(({ kind }) => kind === "skill").map(({ ref }) => ref),
      offered: memories.procedural.skills.map(({ id }) => id),
      failures: memories.experience.failures.map(({ error }) => error),
      traces: again.traces,
    };
  });
  assert.ok(next.used.includes(guard.id), JSON.stringify(next));
  assert.ok(next.prompt.includes(guard.use_when), next.prompt);
  assert.ok(next.offered.includes(guard.id));
  assert.deepEqual(next.failures, ["DATABASE_URL is not set", "DATABASE_URL is not set"]);
  assert.equal(next.traces, 0, "nothing is learned twice");
});

test("B20 two tabs change different fields of a profile at once, and both are kept", async () => {
  const [one, other] = [await tab("profile"), await tab("profile")];
  const update = (page, name) =>
    page.evaluate(async (name) => {
      for (let n = 0; n < 20; n++) await globalThis.memory.profile.update({ [name]: { [`f${n}`]: n } });
    }, name);
  await Promise.all([update(one, "one"), update(other, "other")]);
  const profile = await other.evaluate(() => globalThis.memory.profile.get());
  const all = Object.fromEntries([...Array(20).keys()].map((n) => [`f${n}`, n]));
  assert.deepEqual(profile, { one: all, other: all });
});

test("B17 B33 a facade in the page: states of two tabs, one of which comes too late", async () => {
  const save = (page, expect) =>
    page.evaluate(async (expect) => {
      const saving = globalThis.memory.state.saveState("buy", "s-1", { expect }, { expect });
      return saving.then(({ version }) => version).catch(({ code }) => code);
    }, expect);
  const [one, other] = [await tab("state"), await tab("state")];
  const both = await Promise.all([save(one, 0), save(other, 0)]);
  assert.deepEqual(both.sort(), [1, "conflict"]);
  assert.equal(await save(other, 1), 2);
  const seen = await one.evaluate(async () => {
    const { keepsake } = globalThis;
    const open = (options) => keepsake.openMemory({ name: "state", ...options });
    const facade = new keepsake.MemoryFacade({ open });
    const who = { userId: "u-1", sessionId: "s-1", agentId: "a", flowId: "buy" };
    const own = keepsake.byScope(await facade.read({ ...who, scopes: ["state"] }));
    const others = keepsake.byScope(await facade.read({ ...who, userId: "u-2", scopes: ["state"] }));
    await facade.close();
    return [own.state.state.version, others.state.state];
  });
  assert.deepEqual(seen, [2, null]);
});

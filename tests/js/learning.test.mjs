// Learning from experience: skills and guards without a model, an app's own extractor, and learning when idle.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { memoryOf } from "./talk.mjs";

const LIMIT_MS = 60_000;
const SKILL = { use_when: "releasing", tool_sops: [{ tool: "test" }, { tool: "tag" }, { tool: "publish" }] };

/** Runs of an agent: each a list of tools, where `!` marks one that fails with this error. */
async function live(memory, taskType, runs, first = 0) {
  for (const [index, run] of runs.entries()) {
    const at = first + index;
    for (const call of run) {
      const [toolName, error] = call.split("!");
      await memory.experience.logStep({
        taskType,
        toolName,
        error,
        traceId: `${taskType}-${at}`,
        session: "s-1",
      });
    }
  }
}

/** Enough of the same to learn from. */
function often(run, times = 6) {
  return Array.from({ length: times }, () => run);
}

/** Resolves when `done` says so. */
async function until(done) {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("B25 B26 what goes well again and again becomes a skill, with what it was learned from", async () => {
  const memory = await memoryOf();
  const release = ["test", "tag", "publish"];
  await live(memory, "release", [...often(release, 8), ...often(["look"], 2)]);
  await live(memory, "cook", often(["chop", "fry", "serve"], 8));
  const seen = [];
  const learned = await memory.learn({ onProgress: ({ traces }) => seen.push(traces) });
  assert.deepEqual(learned.traces, 18);
  assert.equal(seen.at(-1), 18);
  assert.ok(seen.length >= 2, "one kind of task at a time");
  const skill = learned.skills.find(({ taskType }) => taskType === "release");
  assert.deepEqual(
    skill.tool_sops.map(({ tool }) => tool),
    release,
  );
  assert.equal(skill.learned, true);
  assert.ok(skill.support >= 3 && skill.confidence > 0.5 && skill.traces.length > 0);
  assert.ok(skill.traces.every((id) => id.startsWith("release-")));
  const [offered] = await memory.procedural.searchSkills("release");
  assert.equal(offered.id, skill.id);
  const again = await memory.learn();
  assert.deepEqual(
    again,
    { traces: 0, skills: [], guards: [], demoted: [] },
    "never twice from the same trace",
  );
});

test("B2 B28 what goes wrong becomes a guard, which the next prompt tells", async () => {
  const memory = await memoryOf();
  await live(memory, "deploy", [
    ["deploy!DATABASE_URL is not set"],
    ["deploy!DATABASE_URL is not set"],
    ...often(["check_env", "deploy"], 2),
  ]);
  const { guards } = await memory.learn({ taskType: "deploy" });
  assert.ok(guards.length > 0);
  assert.ok(guards.every(({ kind, learned }) => kind === "guard" && learned));
  const chat = memory.session("s-2");
  await chat.append({ role: "user", content: "Ship the new version" });
  const { prompt, used } = await chat.context({ taskType: "deploy", budget: 2000 });
  const told = used.filter(({ kind }) => kind === "skill").map(({ ref }) => ref);
  assert.ok(told.includes(guards[0].id), `${told}`);
  assert.match(prompt, /deploy/);
});

test("B27 an app's extractor makes the skills, and sees no trace twice", async () => {
  const memory = await memoryOf();
  await live(memory, "release", often(["test", "tag", "publish"], 3));
  await live(memory, "cook", often(["chop!blunt knife", "sharpen", "chop"], 2));
  const seen = [];
  const extractSkill = async (traces, { taskType, signal }) => {
    assert.ok(signal instanceof AbortSignal);
    seen.push([taskType, traces.map(({ id }) => id).sort(), traces[0].steps.map(({ toolName }) => toolName)]);
    if (taskType === "cook") return null;
    return [SKILL, { use_when: "Friday: do not", tool_sops: [], kind: "guard" }];
  };
  const learned = await memory.learn({ extractSkill });
  assert.deepEqual(seen.sort(), [
    ["cook", ["cook-0", "cook-1"], ["chop", "sharpen", "chop"]],
    ["release", ["release-0", "release-1", "release-2"], ["test", "tag", "publish"]],
  ]);
  assert.deepEqual([learned.traces, learned.skills.length, learned.guards.length], [5, 1, 1]);
  const [skill] = learned.skills;
  assert.deepEqual([skill.use_when, skill.taskType, skill.learned], ["releasing", "release", true]);
  assert.deepEqual([...skill.traces].sort(), ["release-0", "release-1", "release-2"]);
  assert.equal((await memory.procedural.list()).length, 2);
  await memory.learn({ extractSkill });
  assert.equal(seen.length, 2, "there is nothing new");
  await live(memory, "release", [["test", "publish"]], 3);
  const { traces } = await memory.learn({ extractSkill });
  assert.equal(traces, 1);
  assert.deepEqual(seen.at(-1), ["release", ["release-3"], ["test", "publish"]]);
});

test("B27 an extractor that fails loses nothing: the traces are there the next time", async () => {
  const memory = await memoryOf();
  await live(memory, "release", often(["test", "tag"], 3));
  const own = new Error("no model");
  const failing = {
    rejects: [{ extractSkill: () => Promise.reject(own) }, own],
    throws: [
      {
        extractSkill: () => {
          throw own;
        },
      },
      own,
    ],
    late: [{ extractSkill: () => new Promise(() => {}), extractTimeout: 20 }, /extractSkill.*20 ms/],
    "no skill": [{ extractSkill: async () => ({ use_when: "" }) }, { code: "invalid-input" }],
    "half a skill": [{ extractSkill: async () => [SKILL, { tool_sops: [] }] }, { code: "invalid-input" }],
  };
  for (const [name, [options, expected]] of Object.entries(failing)) {
    await assert.rejects(memory.learn(options), expected, name);
    assert.deepEqual(await memory.procedural.list(), [], name);
  }
  const learned = await memory.learn({ extractSkill: async () => SKILL });
  assert.deepEqual([learned.traces, learned.skills.length], [3, 1]);
});

test("two who learn at once do not ask the extractor about the same traces", async () => {
  const memory = await memoryOf();
  await live(memory, "release", often(["test", "tag"], 3));
  let asked = 0;
  let running = 0;
  const extractSkill = async () => {
    asked += 1;
    running += 1;
    assert.equal(running, 1, "one after the other");
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return SKILL;
  };
  await Promise.all([memory.learn({ extractSkill }), memory.learn({ extractSkill })]);
  assert.equal(asked, 1);
});

test("learning stops when the app says so, and when the memory is closed", async () => {
  const memory = await memoryOf();
  await live(memory, "release", often(["test", "tag"], 3));
  const enough = new AbortController();
  const reason = new Error("enough");
  const waiting = (signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const stopped = memory.learn({ signal: enough.signal, extractSkill: (_, { signal }) => waiting(signal) });
  const caught = assert.rejects(stopped, reason);
  setTimeout(() => enough.abort(reason), 5);
  await caught;
  await assert.rejects(memory.learn({ signal: enough.signal }), reason);
  let asked;
  const begun = new Promise((resolve) => {
    asked = resolve;
  });
  const closed = memory.learn({
    extractSkill: (_, { signal }) => {
      asked();
      return waiting(signal);
    },
  });
  const ended = assert.rejects(closed, { code: "closed" });
  await begun;
  await memory.close();
  await ended;
  await assert.rejects(memory.learn(), { code: "closed" });
});

test("learnWhenIdle learns what comes in, tells of failures, and stops", async () => {
  const memory = await memoryOf();
  const [learned, failed] = [[], []];
  let fails = true;
  const extractSkill = async () => {
    if (fails) throw new Error("no model");
    return SKILL;
  };
  const learning = memory.learnWhenIdle({
    every: 1,
    extractSkill,
    onLearned: ({ skills }) => learned.push(...skills),
    onError: (error) => failed.push(error.message),
  });
  await live(memory, "release", [["test", "tag"]]);
  await until(() => failed.length >= 2);
  assert.deepEqual([...new Set(failed)], ["no model"]);
  assert.deepEqual(learned, []);
  fails = false;
  await until(() => learned.length > 0);
  assert.equal(learned[0].use_when, "releasing");
  learning.stop();
  learning.stop();
  await memory.learn({ extractSkill: async () => null });
  const before = learned.length;
  await live(memory, "cook", [["chop", "fry"]]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(learned.length, before, "nothing is learned any more");
  const { traces } = await memory.learn({ extractSkill: async () => null });
  assert.equal(traces, 1, "and the traces are still there");
});

test("learnWhenIdle ends with the memory, and with the block that it is used in", async () => {
  const memory = await memoryOf();
  const failed = [];
  const onError = (error) => failed.push(error);
  const first = memory.learnWhenIdle({ every: 1, onError });
  first[Symbol.dispose]();
  memory.learnWhenIdle({ every: 1, onError });
  await memory.close();
  memory.learnWhenIdle({ every: 1, onError });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(failed, []);
});

test("learnWhenIdle keeps no program from ending", async () => {
  const program = `
    import { openMemory } from "keepsake";
    const memory = await openMemory({ user: "u", storage: "memory" });
    await memory.experience.logStep({ taskType: "t", toolName: "x" });
    memory.learnWhenIdle({ every: 3_600_000 });
    process.on("exit", () => console.log("over"));
  `;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: LIMIT_MS });
  assert.equal(stdout, "over\n");
});

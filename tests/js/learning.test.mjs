// Learning from experience: skills and guards without a model, an app's own extractor, and learning when idle.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { memoryOf } from "./support/talk.mjs";

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

/** The steps of one run, each a tool with its input, and an error if it failed. */
async function steps(memory, taskType, traceId, calls) {
  for (const [toolName, input, error] of calls) {
    await memory.experience.logStep({ taskType, toolName, input, error, traceId, session: "s-1" });
  }
}

/** What a prompt for this kind of task says. */
async function promptOf(memory, taskType, words = "Do it again, please") {
  const chat = memory.session(`chat-${taskType}`);
  await chat.append({ role: "user", content: words });
  return (await chat.context({ taskType, budget: 4000 })).prompt;
}

const NEXTJS = [
  { tool: "create_repo", action: "create repo from template nextjs" },
  { tool: "run_cmd", action: "npm install" },
  { tool: "run_cmd", action: "npm run build" },
  { tool: "run_cmd", action: "vercel deploy --prod" },
];

test("B19 B25 the document's own procedure is learned with each command", async () => {
  const memory = await memoryOf();
  for (let n = 0; n < 4; n++) {
    const calls = NEXTJS.map(({ tool, action }) => [tool, action]);
    await steps(memory, "deploy Next.js app to Vercel", `run-${n}`, calls);
  }
  const { skills } = await memory.learn();
  assert.deepEqual(
    skills.map(({ tool_sops }) => tool_sops),
    [NEXTJS],
  );
  const [found] = await memory.procedural.searchSkills("deploy Next.js app to Vercel", "npm install");
  assert.deepEqual(found.tool_sops, NEXTJS);
  const prompt = await promptOf(memory, "deploy Next.js app to Vercel");
  for (const line of [
    "1. create_repo: create repo from template nextjs",
    "2. run_cmd: npm install",
    "4. run_cmd: vercel deploy --prod",
  ]) {
    assert.ok(prompt.includes(line), prompt);
  }
});

test("B25 arguments that were the same stay, those that varied become slots, and secrets never get in", async () => {
  const memory = await memoryOf();
  for (let n = 0; n < 5; n++) {
    await steps(memory, "release", `run-${n}`, [
      ["create_repo", { name: `shop-${n}`, template: "nextjs", apiKey: "sk-live-4f9a8b7c6d5e4f3a2b1c" }],
      ["run_cmd", { cmd: `git clone https://example.com/shop-${n}.git`, cwd: `/srv/${n}` }],
      ["run_cmd", { cmd: "npm install", cwd: `/srv/${n}` }],
      ["notify", { text: "x".repeat(5000), to: "team", seats: 3, urgent: n % 2 === 0 }],
    ]);
  }
  const { skills } = await memory.learn();
  assert.equal(skills.length, 1);
  const actions = skills[0].tool_sops.map(({ tool, action }) => [tool, action]);
  assert.deepEqual(actions.slice(0, 3), [
    ["create_repo", '{"name":"<name>","template":"nextjs","apiKey":"<apiKey>"}'],
    ["run_cmd", '{"cmd":"git clone <cmd>","cwd":"<cwd>"}'],
    ["run_cmd", '{"cmd":"npm install","cwd":"<cwd>"}'],
  ]);
  const [tool, notice] = actions[3];
  assert.equal(tool, "notify");
  assert.ok(notice.length < 1000 && notice.includes('"to":"team","seats":3,"urgent":"<urgent>"'), notice);
  assert.ok(!JSON.stringify(skills).includes("sk-live"));
});

test("B25 a procedure in any language keeps its words", async () => {
  const memory = await memoryOf();
  for (let n = 0; n < 4; n++) {
    await steps(memory, "triển khai", `run-${n}`, [
      ["tạo_kho", { mẫu: "cửa hàng", tên: `kho-${n}` }],
      ["chạy", "cài đặt thư viện"],
      ["chạy", "サイトを公開する"],
    ]);
  }
  const { skills } = await memory.learn();
  assert.deepEqual(
    skills.map(({ tool_sops }) => tool_sops.map(({ action }) => action)),
    [['{"mẫu":"cửa hàng","tên":"<tên>"}', "cài đặt thư viện", "サイトを公開する"]],
  );
});

test("B25 minSupport: 1 makes one good run a procedure, with its commands; a failed one teaches none", async () => {
  const calls = NEXTJS.map(({ tool, action }) => [tool, action]);
  const once = await memoryOf();
  await steps(once, "deploy", "run-0", calls);
  assert.deepEqual((await once.learn()).skills, [], "by default one run proves nothing");
  const { skills } = await once.learn({ taskType: "deploy", minSupport: 1 });
  assert.deepEqual(
    skills.map(({ tool_sops, support, confidence, traces }) => ({ tool_sops, support, confidence, traces })),
    [{ tool_sops: NEXTJS, support: 1, confidence: 1, traces: ["run-0"] }],
  );
  assert.match(await promptOf(once, "deploy"), /3\. run_cmd: npm run build/);
  const twice = await memoryOf();
  for (const n of [0, 1])
    await steps(twice, "deploy", `run-${n}`, [
      ["create_repo", { name: `s${n}` }],
      ["run_cmd", "npm install"],
    ]);
  const found = (await twice.learn({ minSupport: 2 })).skills;
  assert.deepEqual(
    found.map(({ tool_sops }) => tool_sops),
    [
      [
        { tool: "create_repo", action: '{"name":"<name>"}' },
        { tool: "run_cmd", action: "npm install" },
      ],
    ],
  );
  const failed = await memoryOf();
  await steps(failed, "deploy", "run-0", [
    ["create_repo", "x"],
    ["run_cmd", "npm install", "no disk"],
  ]);
  const learned = await failed.learn({ minSupport: 1 });
  assert.deepEqual([learned.skills, learned.guards], [[], []]);
});

/** The lessons of runs that all go the same way. */
async function guardsOf(runs, call) {
  const memory = await memoryOf();
  for (let n = 0; n < runs; n++) await steps(memory, "publish", `run-${n}`, call(n));
  const { guards } = await memory.learn();
  return [guards.map(({ use_when }) => use_when), memory];
}

for (const runs of [2, 3, 5, 12]) {
  test(`B28 a tool that works on the second try in ${runs} of ${runs} runs is tried again, not avoided`, async () => {
    const [guards, memory] = await guardsOf(runs, (n) => [
      ["build", { target: "web" }],
      ["upload", { bucket: "site" }, `timeout after ${n} ms`],
      ["upload", { bucket: "site" }],
    ]);
    assert.deepEqual(guards, ["If `upload` fails with “timeout after # ms”, try it again."]);
    const prompt = await promptOf(memory, "publish");
    assert.ok(prompt.includes("try it again") && !prompt.includes("do without"), prompt);
    assert.doesNotMatch(prompt, /went well/, "a warning does not stand under what went well");
    assert.match(prompt, /> Warning: If `upload` fails/);
  });
}

test("B28 its siblings: two failures first, another argument, another tool in between, and no way out at all", async () => {
  const [twice] = await guardsOf(12, () => [
    ["upload", "site", "busy"],
    ["upload", "site", "busy"],
    ["upload", "site"],
  ]);
  assert.deepEqual(twice, ["If `upload` fails with “busy”, try it again, up to 2 times."]);
  for (const runs of [2, 12]) {
    const [value] = await guardsOf(runs, (n) => [
      ["upload", { region: "mars", id: n }, "rejected"],
      ["upload", { region: "eu", id: n }],
    ]);
    assert.deepEqual(value, ['`upload` fails with “rejected” when `region` is `"mars"`.'], `${runs}`);
    const [missing] = await guardsOf(runs, (n) => [
      ["upload", { id: n }, "rejected"],
      ["upload", { region: "eu", id: n }],
    ]);
    assert.deepEqual(missing, [
      "Always give `region` to `upload`: without it `upload` fails with “rejected”.",
    ]);
    const [other] = await guardsOf(runs, (n) => [
      ["upload", { id: n }, "not signed in"],
      ["login", {}],
      ["upload", { id: n }],
    ]);
    assert.deepEqual(other, ["If `upload` fails with “not signed in”, use `login` next."], `${runs}`);
    const [never, memory] = await guardsOf(runs, (n) => [
      ["upload", { id: n }, "gone for good"],
      ["mail", { id: n }],
    ]);
    assert.deepEqual(
      never,
      ["`upload` mostly fails with “gone for good”: do without it if you can."],
      `${runs}`,
    );
    assert.match(await promptOf(memory, "publish"), /> Warning: `upload` mostly fails/);
  }
  const [unclear] = await guardsOf(12, (n) => [
    ["upload", { a: n, b: n }, "rejected"],
    ["upload", { a: n + 100, b: n + 200 }],
  ]);
  assert.deepEqual(unclear, [], "what helped is not known, and it works in the end");
});

// Files of Markdown through the package: the tree, an agent's life in its files, teams, tools for models, and bad input.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryError, MemoryStorage, MemoryToolError, openMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const HOME = "agents/planner/memory";
const CONTEXT = `${HOME}/context.md`;
const DECISIONS = `${HOME}/decisions.md`;
const LEARNINGS = `${HOME}/learnings.md`;

const fixture = (name) => readFile(new URL(`../fixtures/markdown/${name}`, import.meta.url), "utf8");

/** A memory in the middle of January 2026. */
const inJanuary = () => memoryOf({ now: () => Date.parse("2026-01-15T10:30:00Z") });

async function refusedWith(promise, code, field) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof MemoryError, `${error}`);
    assert.deepEqual([error.code, error.field], [code, field], error.message);
    return true;
  });
}

test("A1 A4 A6 files are kept byte for byte, listed by folder, moved with their history, and deleted", async () => {
  const { files } = await memoryOf();
  const odd = "\uFEFF# Kế hoạch 🎉\r\nno newline at the end";
  const first = await files.write("ghi chú/kế hoạch.md", odd, { expect: null });
  assert.deepEqual([first.path, first.text, first.version], ["ghi chú/kế hoạch.md", odd, 1]);
  assert.equal(first.size, Buffer.byteLength(odd));
  assert.deepEqual(await files.read("ghi chú/kế hoạch.md"), first);
  const second = await files.append("ghi chú/kế hoạch.md", "more\n", { expect: first.hash });
  assert.deepEqual([second.text, second.version], [`${odd}\nmore\n`, 2]);
  assert.deepEqual(await files.history("ghi chú/kế hoạch.md"), [first]);
  await files.write("ghi chú.md", "beside the folder");
  const { text, ...info } = second;
  assert.deepEqual(await files.list("ghi chú"), [info], "a folder is a whole name");
  assert.deepEqual(
    (await files.list()).map(({ path }) => path),
    ["ghi chú.md", "ghi chú/kế hoạch.md"],
  );
  const moved = await files.move("ghi chú/kế hoạch.md", "archive/plan.md", { expect: second.hash });
  assert.deepEqual([moved.path, moved.text], ["archive/plan.md", text]);
  assert.equal(await files.read("ghi chú/kế hoạch.md"), null);
  assert.deepEqual(
    (await files.history("archive/plan.md")).map(({ text }) => text),
    [odd],
  );
  assert.deepEqual(
    [await files.delete("archive/plan.md"), await files.delete("archive/plan.md")],
    [true, false],
  );
  assert.deepEqual(await files.history("archive/plan.md"), []);
});

test("a change that has not seen the file as it is rejects with conflict and changes nothing", async () => {
  const { files } = await memoryOf();
  const { hash } = await files.write("a.md", "one");
  const { text } = await files.write("a.md", "two", { expect: hash });
  assert.equal(text, "two");
  await refusedWith(files.write("a.md", "three", { expect: hash }), "conflict", "expect");
  await refusedWith(files.write("a.md", "three", { expect: null }), "conflict", "expect");
  await refusedWith(files.append("a.md", "three", { expect: hash }), "conflict", "expect");
  await refusedWith(files.move("a.md", "b.md", { expect: hash }), "conflict", "expect");
  await refusedWith(files.delete("a.md", { expect: hash }), "conflict", "expect");
  await refusedWith(files.updateSection("a.md", "Notes", "x", { expect: hash }), "conflict", "expect");
  await refusedWith(files.update(CONTEXT, { notes: ["x"] }, { expect: hash }), "conflict", "expect");
  assert.equal((await files.read("a.md")).text, "two");
  await assert.rejects(files.move("nothing.md", "b.md"), { code: "not-found" });
  await files.write("b.md", "");
  await refusedWith(files.move("a.md", "b.md"), "already-exists", "to");
});

test("two versions are merged by section, and what both changed stays between marks and is named", async () => {
  const { files } = await memoryOf();
  const base = "# Plan\n\n## One\n\nfirst\n\n## Two\n\nsecond\n";
  await files.write("plan.md", base.replace("first", "ours"));
  const { file, conflicts } = await files.merge("plan.md", base.replace("second", "theirs"), base);
  assert.equal(file.text, base.replace("first", "ours").replace("second", "theirs"));
  assert.deepEqual(conflicts, []);
  const torn = await files.merge("plan.md", base.replace("first", "others"), base);
  assert.deepEqual(torn.conflicts, [{ section: "One", line: 3 }]);
  assert.match(torn.file.text, /<<<<<<< memory\nours\n=======\nothers\n>>>>>>> file/);
  assert.ok((await files.lint("plan.md")).some(({ rule }) => rule === "conflict"));
});

test("A8 A10 A11 A12 A13 A14 a context is read by its parts and changed by them; every other byte stays", async () => {
  const { files } = await memoryOf();
  const sample = await fixture("context.md");
  await files.write(CONTEXT, sample);
  const document = await files.parse(CONTEXT);
  assert.equal(document.kind, "context");
  assert.equal(document.updated, "2025-12-31");
  const { parts } = document;
  assert.deepEqual(
    parts.activeFocus.map(({ text, done }) => [text, done]),
    [
      ["Implementing user authentication module", false],
      ["Fixing race condition in worker pool", false],
      ["Completed database schema design", true],
    ],
  );
  assert.deepEqual(parts.projectState[0], ["Build", "✅ Passing", "All tests green"]);
  assert.equal(parts.keyFiles.length, 3);
  assert.equal(parts.nextSessionShould[1].text, "Review worker pool race condition fix");
  const changed = await files.update(CONTEXT, {
    updated: "2026-01-15",
    activeFocus: [...parts.activeFocus, { text: "Ship it", done: false }],
  });
  const expected = sample
    .replace("2025-12-31", "2026-01-15")
    .replace("schema design\n", "schema design\n- [ ] Ship it\n");
  assert.equal(changed.text, expected);
  const section = document.sections.find(({ part }) => part === "notes");
  assert.deepEqual([section.title, section.level], ["Notes | Ghi chú", 2]);
  await refusedWith(files.update(CONTEXT, { summary: "of a session" }), "invalid-input", "summary");
  await assert.rejects(files.update(CONTEXT, { notes: [7] }), {
    code: "invalid-input",
    field: /^notes\[0\]/,
  });
});

test("A9 A34 a section is named in either language or both, and nothing else changes", async () => {
  const { files } = await memoryOf();
  const before = "# Current Context\n\n## My own heading\n\nkept  as it is\n\n## Notes | Ghi chú\n\n- old\n";
  for (const name of ["Notes", "Ghi chú", "notes | ghi chú"]) {
    await files.write(CONTEXT, before);
    const { text } = await files.updateSection(CONTEXT, name, "- new");
    assert.equal(text, before.replace("- old", "- new"), name);
  }
  const own = await files.updateSection(CONTEXT, "My own heading", "mine");
  assert.match(own.text, /## My own heading\n\nmine\n/);
  await refusedWith(files.updateSection(CONTEXT, "Nothing", "x"), "invalid-input", "section");
});

test("A16 A17 A22 A25 entries and sessions are read with their fields, whatever the language", async () => {
  const { files } = await memoryOf();
  const decisions = await files.parse(DECISIONS, await fixture("decisions.md"));
  assert.equal(decisions.kind, "decisions");
  const [first] = decisions.entries;
  assert.match(first.heading, /^\d{4}-\d\d-\d\d: /);
  assert.equal(first.heading, `${first.date}: ${first.title}`);
  assert.ok(first.fields.decision.length > 0 && first.fields.reason.length > 0);
  const learnings = await files.parse(LEARNINGS, await fixture("learnings.md"));
  assert.ok(
    learnings.entries.every(({ fields }) => fields.language === "go" && !fields.code.includes("```")),
  );
  const session = await files.parse(`${HOME}/sessions/2025-12-31.md`, await fixture("session.md"));
  assert.equal(session.kind, "session");
  assert.ok(session.parts.summary.length > 0 && session.parts.tasksCompleted.every(({ done }) => done));
  const handoffs = await files.parse("team-memory/handoffs.md", await fixture("handoffs.md"));
  assert.deepEqual(
    handoffs.entries.map(({ from, to, time, status }) => [from, to, time, status]),
    [
      ["Ada", "Grace", "09:15", "pending"],
      ["Grace", "Ada", "16:40", "complete"],
    ],
  );
  assert.equal((await files.parse("notes.md", "# A\n")).kind, "other");
  assert.equal(await files.parse("nowhere.md"), null);
});

test("A3 A26 A27 A28 A31 A32 activation gives the context whole and the ten newest decisions, in the documented frame", async () => {
  const { files } = await inJanuary();
  const nobody = await files.activate("planner");
  assert.deepEqual([nobody.context, nobody.decisions], ["", []]);
  assert.equal(nobody.inject("Do it."), "Do it.");
  const context = await fixture("context.md");
  await files.write(CONTEXT, context);
  const days = [...Array(12).keys()].map((n) => `2025-12-${String(n + 1).padStart(2, "0")}`);
  await files.record(
    DECISIONS,
    days.map((date) => ({ date, title: `Of ${date}`, decision: "Yes" })),
  );
  await files.record(LEARNINGS, [{ title: "Retry", pattern: "kestrelwort", code: "x()", why: "it fails" }]);
  const agent = await files.activate("planner");
  assert.equal(agent.agent, "planner");
  assert.equal(agent.context, context);
  assert.deepEqual(
    agent.decisions.map(({ date }) => date),
    days.slice(2).reverse(),
  );
  const prompt = agent.inject("Do it.");
  const [frame] = (await fixture("injection.md")).split("{content of context.md}");
  assert.ok(prompt.startsWith(frame + context.trimEnd()), prompt);
  assert.ok(
    prompt.includes("\n\n### Recent Decisions | Quyết định gần đây\n\n## 2025-12-12: Of 2025-12-12\n"),
  );
  assert.ok(prompt.endsWith("\n\n---\n\nDo it."));
  assert.ok(!prompt.includes("kestrelwort"));
  assert.deepEqual(
    await files.record(DECISIONS, []).then(({ version }) => version),
    1,
    "nothing new, no version",
  );
});

test("X13 A46 the ten newest are by date, in a file that was written newest first and appended to", async () => {
  const { files } = await memoryOf();
  const days = [...Array(12).keys()].map((n) => `2025-11-${String(30 - n).padStart(2, "0")}`);
  await files.write(DECISIONS, `# Log\n\n${days.map((day) => `## ${day}: Old\n\n---\n\n`).join("")}`);
  const before = (await files.read(DECISIONS)).text;
  const { text } = await files.record(DECISIONS, [{ date: "2025-12-31", title: "New" }]);
  assert.ok(text.startsWith(before) && text.indexOf("2025-12-31") > before.length, "appended");
  const { decisions } = await files.activate("planner");
  assert.deepEqual(
    decisions.map(({ date }) => date),
    ["2025-12-31", ...days.slice(0, 9)],
  );
});

test("A5 A29 A30 A33 A35 A36 a session ends in the documented order, and the next invocation has it", async () => {
  const storage = new MemoryStorage();
  const open = () => openMemory({ user: "u-1", storage: storage.connect() });
  const memory = await open();
  const agent = await memory.files.activate("planner");
  const written = await agent.endSession({
    date: "2025-12-31",
    context: "# Current Context\n\nall of it\n",
    decisions: [
      { title: "Use Redis", context: "A queue", decision: "Redis", reason: "Known", reversible: "Yes" },
    ],
    learnings: [{ title: "Retry", pattern: "Twice", language: "js", code: "retry(2)", why: "Networks fail" }],
    archive: {
      summary: "A long day",
      tasksCompleted: ["Queue"],
      keyChanges: [["queue.js", "new"]],
      issues: [{ title: "It hung", problem: "No timeout", solution: "A timeout" }],
      followUps: ["Tests", { text: "Docs", done: true }],
    },
  });
  const archive = `${HOME}/sessions/2025-12-31.md`;
  assert.deepEqual(
    written.map(({ path }) => path),
    [CONTEXT, DECISIONS, LEARNINGS, archive],
  );
  await memory.close();

  const later = await open();
  const { context, decisions } = await later.files.activate("planner");
  assert.equal(context, "# Current Context\n\nall of it\n");
  assert.deepEqual(
    decisions.map(({ heading, fields }) => [heading, fields.reversible]),
    [["2025-12-31: Use Redis", "Yes"]],
  );
  const { parts } = await later.files.parse(archive);
  assert.equal(parts.summary, "A long day");
  assert.deepEqual(
    parts.followUps.map(({ text, done }) => [text, done]),
    [
      ["Tests", false],
      ["Docs", true],
    ],
  );
  const again = await later.files.activate("planner");
  assert.deepEqual(await again.endSession({}), [], "nothing new, nothing written");
  const before = (await later.files.read(DECISIONS)).text;
  const [changed] = await again.endSession({ decisions: [{ title: "Use SQL", date: "2026-01-01" }] });
  assert.ok(changed.text.startsWith(before), "A36: behind what was there");
  const parted = await again.endSession({ context: { notes: ["only this"] } });
  assert.deepEqual(
    parted.map(({ path }) => path),
    [CONTEXT],
  );
  assert.ok(parted[0].text.startsWith("# Current Context\n\nall of it\n"));
  await later.close();
});

test("A27 A29 A34 A37 an agent looks learnings up, and writes decisions and learnings when they come up", async () => {
  const { files } = await inJanuary();
  const agent = await files.activate("planner");
  const decided = await agent.decide({ title: "Use Redis", decision: "Redis" });
  assert.match(decided.text, /\n## 2026-01-15: Use Redis\n/, "dated today");
  await agent.learned({
    title: "Retry",
    pattern: "Try a flaky network twice",
    code: "retry(2)",
    why: "It fails",
  });
  await agent.learned({ title: "Pool", pattern: "Reuse connections", code: "pool.get()", why: "Faster" });
  const [best] = await agent.learnings.search("the network is flaky", { limit: 1 });
  assert.deepEqual([best.title, best.date], ["Retry", "2026-01-15"]);
  assert.ok(
    best.score > 0 && best.text.startsWith("## 2026-01-15: Retry\n") && best.text.includes("retry(2)"),
  );
  assert.deepEqual(await agent.learnings.search("quantum"), []);
  const { text } = await agent.updateSection("context", "Blockers", "- [ ] No key");
  assert.match(text, /## Blockers \| Điểm nghẽn\n\n- \[ \] No key\n/);
  assert.equal(agent.context, "", "it is as it was when it was activated");
  await refusedWith(agent.decide({ title: "x", date: "2025-13-45" }), "invalid-input", "date");
  await refusedWith(agent.learned({ title: " " }), "invalid-input", "title");
  await refusedWith(agent.updateSection("agent", "Notes", "x"), "invalid-input", "file");
});

test("A42 A43 A44 A45 a team hands work over, has blockers, and its members are activated with what waits for them", async () => {
  const { files } = await inJanuary();
  const { team } = files;
  const handoff = {
    fromAgent: "planner",
    toAgent: "coder",
    task: "Build the queue",
    context: "Redis is there",
    expectedDeliverable: "A pull request",
  };
  await refusedWith(team.handOver(handoff), "invalid-input", "toAgent");
  await files.write("agents/coder/memory/context.md", "# Current Context\n\ncoder's own\n");
  const given = await team.handOver({ ...handoff, priority: "High" });
  assert.equal(given.heading, "2026-01-15 10:30: planner → coder");
  assert.deepEqual([given.from, given.to, given.status], ["planner", "coder", "pending"]);
  assert.equal(given.fields.expectedDeliverable, "A pull request");
  for (const field of ["fromAgent", "task", "context", "expectedDeliverable"]) {
    await assert.rejects(team.handOver({ ...handoff, [field]: "" }), { code: "invalid-input" }, field);
  }
  await files.update(team.paths.context, { teamStatus: [["coder", "busy", "queue"]] });
  for (let day = 1; day <= 7; day++) await team.decide({ title: `Rule ${day}`, date: `2026-01-0${day}` });
  const member = await files.activateMember("coder");
  assert.equal(member.context, "# Current Context\n\ncoder's own\n");
  assert.match(member.teamContext, /\| coder \| busy \| queue \|/);
  assert.deepEqual(
    member.teamDecisions.map(({ title }) => title),
    ["Rule 7", "Rule 6", "Rule 5", "Rule 4", "Rule 3"],
  );
  assert.deepEqual(
    member.handoffs.map(({ heading }) => heading),
    [given.heading],
  );
  const prompt = member.inject("Do it.");
  assert.ok(prompt.includes("Build the queue") && prompt.endsWith("\n\n---\n\nDo it."));
  await member.decide({ title: "Mine", date: "2026-01-15" });
  assert.ok((await files.read("agents/coder/memory/decisions.md")).text.includes("Mine"));

  const done = await team.setHandoff(given.heading, "complete", { result: "Merged" });
  assert.deepEqual([done.status, done.fields.result], ["complete", "Merged"]);
  assert.deepEqual(await team.handoffs({ to: "coder", status: "pending" }), []);
  assert.equal((await team.handoffs()).length, 1);
  assert.deepEqual((await files.activateMember("coder")).handoffs, []);
  await refusedWith(team.setHandoff("nothing", "complete"), "invalid-input", "heading");
  await refusedWith(team.setHandoff(given.heading, "lost"), "invalid-input", "status");

  const blocker = await team.addBlocker({ title: "No key", owner: "Ada", blocking: "the queue" });
  assert.equal(blocker.heading, "BLOCKER-001: No key");
  assert.equal((await team.addBlocker({ title: "No disk" })).heading, "BLOCKER-002: No disk");
  const solved = await team.setBlocker(blocker.heading, "complete", {
    resolvedBy: "Ada",
    resolution: "Found it",
  });
  assert.deepEqual([solved.status, solved.fields.resolvedBy], ["complete", "Ada"]);
  assert.deepEqual(
    (await team.blockers({ status: "pending" })).map(({ heading }) => heading),
    ["BLOCKER-002: No disk"],
  );
});

test("what is no mistake of the model's is thrown by its tool", async () => {
  const memory = await memoryOf();
  const tool = memory.files.memoryTool();
  await memory.close();
  await assert.rejects(tool.view({ path: "/memories" }), { code: "closed" });
  await assert.rejects(tool.run({ command: "view", path: "/memories" }), { code: "closed" });
});

test("the memory tool: six commands on the files of one folder, in the words of its own implementation", async () => {
  const { files } = await memoryOf();
  await files.write("elsewhere.md", "not below the root");
  const { run, ...handlers } = files.memoryTool({ root: HOME });
  // Without the object that they are of, as an SDK may call them.
  const { view, create, str_replace, insert, rename } = handlers;
  assert.equal(
    await create({ path: "/memories/notes.md", file_text: "one\ntwo\nthree\n" }),
    "File created successfully at: /memories/notes.md",
  );
  assert.equal((await files.read(`${HOME}/notes.md`)).text, "one\ntwo\nthree\n");
  const listing = await view({ path: "/memories" });
  assert.match(listing, /^Here're the files and directories up to 2 levels deep in \/memories/);
  assert.ok(listing.includes("/memories/notes.md") && !listing.includes("elsewhere"));
  assert.match(
    await view({ path: "/memories/notes.md", view_range: [2, 3] }),
    /^Here's the content of \/memories\/notes.md with line numbers:\n {5}2\ttwo\n {5}3\tthree/,
  );
  assert.match(
    await str_replace({ path: "/memories/notes.md", old_str: "two", new_str: "2" }),
    /^The memory file has been edited/,
  );
  assert.equal(
    await insert({ path: "/memories/notes.md", insert_line: 0, insert_text: "zero\n" }),
    "The file /memories/notes.md has been edited.",
  );
  assert.equal((await files.read(`${HOME}/notes.md`)).text, "zero\none\n2\nthree\n");
  assert.equal(
    await rename({ old_path: "/memories/notes.md", new_path: "/memories/old/notes.md" }),
    "Successfully renamed /memories/notes.md to /memories/old/notes.md",
  );
  const wrong = [
    [
      () => view({ path: "/memories/none" }),
      "The path /memories/none does not exist. Please provide a valid path.",
    ],
    [() => view({ path: "/etc/passwd" }), "Path must start with /memories, got: /etc/passwd"],
    [() => view({ path: "/memories/../../x" }), "Path /memories/../../x would escape /memories directory"],
    [
      () => create({ path: "/memories/old/notes.md", file_text: "x" }),
      "File /memories/old/notes.md already exists",
    ],
    [
      () => str_replace({ path: "/memories/old/notes.md", old_str: "four", new_str: "x" }),
      "No replacement was performed, old_str `four` did not appear verbatim in /memories/old/notes.md.",
    ],
    [
      () => insert({ path: "/memories/old/notes.md", insert_line: 99, insert_text: "x" }),
      /^Invalid `insert_line` parameter: 99\./,
    ],
    [() => handlers.delete({ path: "/memories" }), /^Cannot delete the \/memories directory itself/],
  ];
  for (const [call, message] of wrong) {
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof MemoryToolError);
      if (typeof message === "string") assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(await handlers.delete({ path: "/memories/old" }), "Successfully deleted /memories/old");
  assert.deepEqual(await files.list(HOME), []);
  assert.equal((await files.read("elsewhere.md")).text, "not below the root");
});

test("the memory tool answers what a model gets wrong, and only the app's mistakes are thrown", async () => {
  const { files } = await memoryOf();
  const { run } = files.memoryTool();
  assert.deepEqual(await run({ command: "create", path: "/memories/a.md", file_text: "x" }), {
    text: "File created successfully at: /memories/a.md",
    isError: false,
  });
  const wrong = [
    [{ command: "fly", path: "/memories" }, /must be view, create/],
    [{ command: "view" }, /`path`/],
    [{ command: "create", path: "/memories/b.md", file_text: 7 }, /`file_text`/],
    [{ command: "create", path: "/memories/b.md", file_text: "x".repeat(1_000_000) }, /too large/],
    [{ command: "view", path: "/memories/a.md", view_range: ["a"] }, /`view_range`/],
    [null, /command/],
  ];
  for (const [command, message] of wrong) {
    const { text, isError } = await run(command);
    assert.ok(isError, JSON.stringify(command));
    assert.match(text, message);
  }
  assert.equal((await files.list()).length, 1);
  for (const root of ["../x", "/x", "a//b", 7]) {
    assert.throws(() => files.memoryTool({ root }), { code: "invalid-input", field: "root" });
  }
});

test("A38 A39 A40 A41 what could be better about a file is told by its lines", async () => {
  const { files } = await inJanuary();
  const rules = async (path, text) =>
    (await files.lint(path, text)).map(({ rule, line, message }) => {
      assert.ok(message.length > 10);
      return `${rule}@${line}`;
    });
  assert.deepEqual(await rules(CONTEXT, "# C\n\n> Last updated: 2025-11-01\n\n- Working on stuff\n"), [
    "outdated@3",
    "vague@5",
  ]);
  assert.deepEqual(
    await rules(DECISIONS, "# L\n## 2025-12-31: Use tabs instead of spaces\n## Undated\n## 2025-13-45: X\n"),
    ["trivial-decision@2", "undated@3", "bad-date@4"],
  );
  assert.deepEqual(await rules(LEARNINGS, "# P\n## 2025-12-31: No code\nonly words\n"), ["no-code@2"]);
  await files.write("notes.md", "# A\n## Same\none\n## Same\ntwo\n");
  assert.deepEqual(await rules("notes.md"), ["duplicate-heading@4"]);
  assert.deepEqual(await rules("nowhere.md"), []);
});

test("a heading that is there twice stays twice, and its first section is the one that is meant", async () => {
  const { files } = await memoryOf();
  const before = "# Current Context\n\n## Notes\n\n- one\n\n## Notes\n\n- two\n";
  await files.write(CONTEXT, before);
  const { text } = await files.updateSection(CONTEXT, "Notes", "- 1");
  assert.equal(text, before.replace("- one", "- 1"));
});

test("a day that does not exist is refused when it is written, and told when it is found", async () => {
  const { files } = await memoryOf();
  const bad = { title: "x", date: "2025-13-45" };
  await refusedWith(files.record(DECISIONS, [{ title: "good" }, bad]), "invalid-input", "entries[1].date");
  const agent = await files.activate("planner");
  await refusedWith(agent.endSession({ decisions: [bad] }), "invalid-input", "decisions[0].date");
  await refusedWith(agent.endSession({ learnings: [bad] }), "invalid-input", "learnings[0].date");
  const never = agent.endSession({ date: "2025-02-30", archive: {} });
  await assert.rejects(never, { code: "invalid-input", field: /date$/ });
  await refusedWith(files.team.decide(bad), "invalid-input", "date");
  await refusedWith(files.update(CONTEXT, { updated: "2025-13-45" }), "invalid-input", "updated");
  assert.deepEqual(await files.list(), [], "nothing was written");
  const found = await files.parse(DECISIONS, "# L\n\n## 2025-13-45: X\n");
  assert.deepEqual(
    found.entries.map(({ heading, date }) => [heading, date]),
    [["2025-13-45: X", undefined]],
  );
});

test("S6 S8 F28 paths and texts that are none are refused by their names, and nothing is written", async () => {
  const { files } = await memoryOf();
  const paths = ["", "/", "/etc/passwd", "..", "a/../b", "a//b", "a/", "a\\b", "C:/x", "a\nb", "%2e%2e/x", 7];
  for (const path of [...paths, undefined, "\uD800"]) {
    await refusedWith(files.write(path, "x"), "invalid-input", "path");
    await refusedWith(files.read(path), "invalid-input", "path");
    await refusedWith(files.delete(path), "invalid-input", "path");
  }
  await refusedWith(files.write("x".repeat(2000), "x"), "too-large", "path");
  await refusedWith(files.write("a.md", "x".repeat(50_000_000)), "too-large", "text");
  await refusedWith(files.write("a.md", "\uDC00"), "invalid-input", "text");
  await refusedWith(files.write("a.md", undefined), "invalid-input", "text");
  await refusedWith(files.write("a.md", "x", { expct: null }), "invalid-input", "expct");
  await refusedWith(files.move("a.md", "../b.md"), "invalid-input", "to");
  for (const agent of ["", "..", "a/b", "%2e%2e", "a\\b"]) {
    await refusedWith(files.activate(agent), "invalid-input", "agent");
  }
  assert.deepEqual(await files.list(), []);
  for (const path of ["__proto__", "constructor/toString", "hasOwnProperty.md"]) {
    await files.write(path, path);
    assert.equal((await files.read(path)).text, path);
  }
});

test("S4 files are one user's", async () => {
  const storage = new MemoryStorage();
  const [one, other] = await Promise.all(
    ["u-1", "u-10"].map((user) => openMemory({ user, storage: storage.connect() })),
  );
  await one.files.write("a.md", "mine");
  assert.equal(await other.files.read("a.md"), null);
  assert.deepEqual(await other.files.list(), []);
  assert.deepEqual((await other.files.activate("planner")).context, "");
});

test("F17 two who end a session at once both have their decisions in the file, and the context of one of them", async () => {
  const storage = new MemoryStorage();
  const open = () => openMemory({ user: "u-1", storage: storage.connect() });
  const [one, other] = [await open(), await open()];
  const ends = [one, other].map(async (memory, at) => {
    const agent = await memory.files.activate("planner");
    return agent.endSession({
      context: `# Current Context\n\nof ${at}\nof ${at}\n`,
      decisions: [{ title: `D${at}` }],
    });
  });
  await Promise.all(ends);
  const { context, decisions } = await one.files.activate("planner");
  assert.deepEqual(decisions.map(({ title }) => title).sort(), ["D0", "D1"]);
  assert.match(context, /^# Current Context\n\nof (\d)\nof \1\n$/);
});

test("the memory tells of each change to a file, and of no look", async () => {
  const memory = await memoryOf();
  const { files } = memory;
  let told = 0;
  const end = memory.on("change", ({ local }) => {
    assert.ok(local);
    told += 1;
  });
  await files.write("a.md", "x");
  await files.read("a.md");
  await files.memoryTool().view({ path: "/memories" });
  await files.memoryTool().create({ path: "/memories/b.md", file_text: "x" });
  assert.equal(told, 2);
  end();
  await files.delete("a.md");
  assert.equal(told, 2);
});

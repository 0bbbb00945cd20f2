// An agent's Markdown files from the user's side: dates that move, archives that stay, roots that are found, sections
// that are missing, code that comes back, and what a model can do with them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const HOME = "agents/planner/memory";
const CONTEXT = `${HOME}/context.md`;
const LEARNINGS = `${HOME}/learnings.md`;

/** A memory in the middle of January 2026. */
const inJanuary = () => memoryOf({ now: () => Date.parse("2026-01-15T10:30:00Z") });

const paths = (files) => files.map(({ path }) => path);

async function refusedWith(promise, field, reason) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof MemoryError, `${error}`);
    assert.deepEqual([error.code, error.field], ["invalid-input", field], error.message);
    if (reason) assert.match(error.message, reason);
    return true;
  });
}

/** A folder in memory, by path. */
function folderOf(texts) {
  const held = new Map(Object.entries(texts));
  return {
    held,
    list: async () => [...held.keys()],
    read: async (path) => new TextEncoder().encode(held.get(path)),
    write: async (path, bytes) => void held.set(path, new TextDecoder().decode(bytes)),
    remove: async (path) => void held.delete(path),
  };
}

test("A7 A30 the end of a session moves the day of the last update, in every form that the line has", async () => {
  const { files } = await inJanuary();
  const agent = await files.activate("planner");
  const ended = async (text, end) => {
    await files.write(CONTEXT, text);
    await agent.endSession(end);
    return (await files.read(CONTEXT)).text;
  };
  const forms = [
    "# Current Context\n\n> Last updated: DAY\n\n---\n\n## Notes | Ghi chú\n\n- kept\n",
    "# Current Context\n\n> Cập nhật lần cuối: DAY\n\n## Ghi chú\n\n- giữ\n",
    "# Current Context\r\n\r\n> **Last updated | Cập nhật lần cuối**: DAY (by Ann)\r\n",
    "# Current Context\n\n> Last updated: DAY\n> Cập nhật lần cuối: DAY\n",
  ];
  for (const form of forms) {
    const before = form.replaceAll("DAY", "2025-12-30");
    assert.equal(await ended(before, { date: "2025-12-31" }), form.replaceAll("DAY", "2025-12-31"), form);
    assert.equal(
      await ended(before, { decisions: [{ title: "Use Redis" }] }),
      form.replaceAll("DAY", "2026-01-15"),
      "without a date it is the day of the clock",
    );
    const whole = await ended("# old\n", { date: "2025-12-31", context: before });
    assert.equal(whole, form.replaceAll("DAY", "2025-12-31"), "a whole file as well");
  }
  const parts = await ended(forms[0].replace("DAY", "2025-12-30"), {
    date: "2025-12-31",
    context: { notes: ["new"] },
  });
  assert.equal(parts, forms[0].replace("DAY", "2025-12-31").replace("kept", "new"));
  const own = await ended(forms[0].replace("DAY", "2025-12-30"), {
    date: "2025-12-31",
    context: { updated: "2025-12-29" },
  });
  assert.match(own, /Last updated: 2025-12-29\n/, "a day that is said for the context counts");
  const undated = "# Mine\n\nLast updated: never, says the text\n";
  assert.equal(
    await ended(undated.replace("Last updated", "Note"), { date: "2025-12-31" }),
    undated.replace("Last updated", "Note"),
  );
  await files.delete(CONTEXT);
  await agent.endSession({ date: "2025-12-31", context: { notes: ["first"] } });
  assert.match((await files.read(CONTEXT)).text, /^# Current Context\n\n> Last updated: 2025-12-31\n/);
  await refusedWith(agent.endSession({ date: "2025-02-30", context: { notes: [] } }), "date");
});

test("A25 a second session archived on one day has a file of its own, and both stay", async () => {
  const storage = new MemoryStorage();
  const open = () => openMemory({ user: "u-1", storage: storage.connect() });
  const memory = await open();
  const { files } = memory;
  const agent = await files.activate("planner");
  const archived = async (summary, date = "2025-12-31") => {
    const written = await agent.endSession({ date, archive: { summary } });
    return written.at(-1).path;
  };
  const made = [];
  for (const summary of ["Morning: the parser", "Buổi chiều: bộ hợp nhất", "Evening: the docs"])
    made.push(await archived(summary));
  assert.equal(made[0], `${HOME}/sessions/2025-12-31.md`);
  assert.equal(new Set(made).size, 3);
  assert.equal(await archived("New Year", "2026-01-01"), `${HOME}/sessions/2026-01-01.md`);
  assert.equal(await archived("Evening: the docs"), made[2], "the same archive again is that archive");
  assert.deepEqual(
    paths(await files.list(`${HOME}/sessions`)),
    [...made, `${HOME}/sessions/2026-01-01.md`],
    "in order",
  );
  const summaries = [];
  for (const path of made) {
    const { text } = await files.read(path);
    assert.ok(text.startsWith("# Session: 2025-12-31\n"), text);
    const document = await files.parse(path);
    assert.equal(document.kind, "session");
    summaries.push(document.parts.summary);
  }
  assert.deepEqual(summaries, ["Morning: the parser", "Buổi chiều: bộ hợp nhất", "Evening: the docs"]);

  const other = await open();
  const twin = await other.files.activate("planner");
  await Promise.all([
    agent.endSession({ date: "2026-01-02", archive: { summary: "one" } }),
    twin.endSession({ date: "2026-01-02", archive: { summary: "two" } }),
  ]);
  const both = (await files.list(`${HOME}/sessions`)).filter(({ path }) => path.includes("2026-01-02"));
  assert.equal(both.length, 2, "two who end at once");
});

test("A44 two handoffs of one pair in one minute are two, and the one that is meant is changed", async () => {
  const { files } = await inJanuary();
  const { team } = files;
  await files.write("agents/coder/agent.md", "# Coder\n");
  const handoff = {
    fromAgent: "planner",
    toAgent: "coder",
    context: "Redis is there",
    expectedDeliverable: "A branch",
  };
  const first = await team.handOver({ ...handoff, task: "Build the queue" });
  const second = await team.handOver({ ...handoff, task: "Viết tài liệu" });
  assert.notEqual(first.heading, second.heading);
  assert.deepEqual([second.from, second.to, second.time], ["planner", "coder", "10:30"]);
  await team.setHandoff(first.heading, "complete", { result: "Merged" });
  const told = async () =>
    (await team.handoffs({ to: "coder" })).map(({ fields, status }) => [fields.task, status]);
  assert.deepEqual(await told(), [
    ["Build the queue", "complete"],
    ["Viết tài liệu", "pending"],
  ]);
  assert.deepEqual(
    (await files.activateMember("coder")).handoffs.map(({ fields }) => fields.task),
    ["Viết tài liệu"],
  );

  // A file that people wrote may well have the same heading twice.
  const entry = (task) =>
    `## 2026-01-15 09:00: Ann → coder\n\n**Task**: ${task}\n\n**Context Provided**: c\n\n**Expected Deliverable**: d\n\n**Status**: ⏳ Pending\n\n---\n\n`;
  const byHand = `# Handoff Log\n\n---\n\n${entry("Look")}${entry("Listen")}`;
  await files.write(team.paths.handoffs, byHand);
  const heading = "2026-01-15 09:00: Ann → coder";
  await refusedWith(team.setHandoff(heading, "complete"), "heading", /lines 5 and 17/);
  assert.equal((await files.read(team.paths.handoffs)).text, byHand, "nothing was changed");
  const set = await team.setHandoff(heading, "blocked", { task: "Look", result: "No ears" });
  assert.deepEqual([set.fields.task, set.status, set.fields.result], ["Look", "blocked", "No ears"]);
  assert.deepEqual(await told(), [
    ["Look", "blocked"],
    ["Listen", "pending"],
  ]);
  await refusedWith(team.setHandoff(heading, "complete", { task: "Sing" }), "heading");
  const blockers = "# B\n\n## BLOCKER-001: Key\n\nx\n\n## BLOCKER-001: Key\n\ny\n";
  await files.write(team.paths.blockers, blockers);
  await refusedWith(team.setBlocker("BLOCKER-001: Key", "complete"), "heading", /lines 3 and 7/);
});

test("A1 a project's `.microai/` is found, in both directions, and two homes of one agent are an error", async () => {
  const { files } = await inJanuary();
  const home = ".microai/agents/reviewer";
  const project = folderOf({
    "README.md": "# The project\n",
    [`${home}/agent.md`]: "# Reviewer\n\nYou review pull requests.\n",
    [`${home}/knowledge/style.md`]: "# Style\n\nTabs are four columns wide.\n",
    [`${home}/memory/context.md`]:
      "# Current Context\n\n> Last updated: 2025-12-30\n\n## Notes\n\n- The queue is flaky\n",
    [`${home}/memory/decisions.md`]:
      "# Key Decisions Log\n\n---\n\n## 2025-12-30: Review twice\n\n**Decision**: Twice\n\n---\n",
  });
  await files.sync(project);
  const agent = await files.activate("reviewer");
  assert.match(agent.context, /The queue is flaky/);
  assert.deepEqual(
    agent.decisions.map(({ title }) => title),
    ["Review twice"],
  );
  assert.equal(agent.folder, home);
  assert.equal(agent.definition, "# Reviewer\n\nYou review pull requests.\n");
  await agent.decide({ title: "Merge on Mondays", date: "2026-01-15" });
  await agent.learned({ title: "Retry", pattern: "Twice", code: "retry(2)" });
  await agent.updateSection("context", "Blockers", "- [ ] No key");
  await agent.endSession({ context: { notes: ["The queue is steady"] }, archive: { summary: "Reviewed" } });
  assert.ok(
    paths(await files.list()).every((path) => !path.startsWith("agents/")),
    "nothing beside it",
  );
  await files.sync(project);
  assert.match(
    project.held.get(`${home}/memory/context.md`),
    /Last updated: 2026-01-15[\s\S]*No key[\s\S]*The queue is steady/,
  );
  assert.match(project.held.get(`${home}/memory/decisions.md`), /Merge on Mondays/);
  assert.ok(project.held.has(`${home}/memory/learnings.md`));
  assert.match(project.held.get(`${home}/memory/sessions/2026-01-15.md`), /Reviewed/);
  const hits = await (await files.activate("reviewer")).learnings.search("retry");
  assert.equal(hits[0]?.title, "Retry");

  // Others that begin in such a tree live in its root too, and so does the team.
  const { team } = files;
  await (await files.activate("tester")).decide({ title: "Test first" });
  assert.ok(await files.read(".microai/agents/tester/memory/decisions.md"));
  await team.handOver({
    fromAgent: "reviewer",
    toAgent: "tester",
    task: "Try it",
    context: "c",
    expectedDeliverable: "d",
  });
  assert.equal((await files.activateMember("tester")).handoffs.length, 1);

  await files.write("agents/reviewer/memory/context.md", "# Another\n");
  await refusedWith(files.activate("reviewer"), "agent", /`agents\/`.*`\.microai\/agents\/`/);
  await refusedWith(agent.decide({ title: "x" }), "agent");
  await files.move("agents/reviewer/memory/context.md", "attic/context.md");
  assert.match((await files.activate("reviewer")).context, /steady/);

  // What an app has made without a root stays where it is.
  const plain = await memoryOf();
  await (await plain.files.activate("planner")).decide({ title: "Here" });
  assert.deepEqual(paths(await plain.files.list()), ["agents/planner/memory/decisions.md"]);
});

test("A1 A27 agent.md is the agent's definition, and knowledge/ is searched when it is asked for", async () => {
  const { files } = await memoryOf();
  const empty = await files.activate("planner");
  assert.deepEqual([empty.definition, empty.folder], ["", "agents/planner"]);
  assert.equal(empty.inject(), "");
  await files.write("agents/planner/agent.md", "# Planner\n\nYou plan the work of this project.\n");
  await files.write(CONTEXT, "# Current Context\n\nThe parser\n");
  await files.write(
    "agents/planner/knowledge/deploy.md",
    "# Deploying\n\n## Rollback\n\nRun the kestrel script twice.\n\n## Secrets\n\nThe vault opens with a hardware key.\n",
  );
  await files.write(
    "agents/planner/knowledge/vi/may-chu.md",
    "# Máy chủ\n\nMáy chủ dự phòng đặt ở Đà Nẵng.\n",
  );
  await files.write("agents/coder/knowledge/x.md", "# Secrets\n\nThe coder's vault opens with a song.\n");
  const agent = await files.activate("planner");
  const prompt = agent.inject();
  assert.ok(prompt.startsWith("## Agent Memory | Memory của Agent\n"));
  assert.ok(prompt.endsWith("\n\n---\n\n# Planner\n\nYou plan the work of this project.\n"), prompt);
  assert.ok(!prompt.includes("kestrel") && !prompt.includes("Đà Nẵng"), "knowledge is not loaded");
  assert.ok(agent.inject("Do it.").endsWith("\n\n---\n\nDo it."), "a prompt of the app's own counts");
  const [vault, ...rest] = await agent.knowledge.search("how do I open the vault");
  assert.deepEqual(
    [vault.path, vault.heading],
    ["agents/planner/knowledge/deploy.md", "Deploying > Secrets"],
  );
  assert.match(vault.text, /hardware key/);
  assert.ok(vault.score > 0 && rest.every(({ path }) => !path.startsWith("agents/coder")));
  assert.equal(
    (await agent.knowledge.search("may chu du phong o dau", { limit: 1 }))[0]?.path,
    "agents/planner/knowledge/vi/may-chu.md",
  );
  assert.deepEqual(await agent.knowledge.search("quantum"), []);
});

test("A34 a model lists its files and names them as they are listed", async () => {
  const memory = await memoryOf();
  const { files } = memory;
  const scope = { agent: "planner" };
  const ok = async (name, args) => {
    const { text, isError } = await memory.call(name, args, scope);
    assert.ok(!isError, text);
    return text;
  };
  assert.match(await ok("list_memory_files", {}), /no files/i);
  await ok("write_memory_file", {
    path: "memory/context.md",
    text: "# Current Context\n\n## Notes\n\n- one\n",
  });
  assert.ok(await files.read(CONTEXT), "relative to the agent's own folder");
  await files.write(
    "agents/planner/knowledge/deploy.md",
    "# Deploying\n\nThe vault opens with a hardware key.\n",
  );
  await files.write("agents/coder/memory/context.md", "# Current Context\n\ncoder's\n");
  await files.write("team-memory/context.md", "# Team Context\n");
  await files.write("memory/context.md", "# Of nobody\n");
  await files.write("agents/planner/agents/odd.md", "# Odd\n");
  const listed = (await ok("list_memory_files", {})).split("\n");
  assert.deepEqual(listed, [
    "knowledge/deploy.md",
    "memory/context.md",
    "/agents/coder/memory/context.md",
    "/agents/planner/agents/odd.md",
    "/memory/context.md",
    "/team-memory/context.md",
  ]);
  const texts = await Promise.all(listed.map((path) => ok("read_memory_file", { path })));
  assert.deepEqual(
    texts.map((text) => text.split("\n").find((line) => line && line !== "# Current Context")),
    ["# Deploying", "## Notes", "coder's", "# Odd", "# Of nobody", "# Team Context"],
  );
  assert.match(
    await ok("read_memory_file", { path: "agents/planner/memory/context.md" }),
    /- one/,
    "documented paths too",
  );
  assert.match(await ok("read_memory_file", { path: "team-memory/context.md" }), /Team Context/);
  assert.deepEqual((await ok("list_memory_files", { folder: "memory" })).split("\n"), ["memory/context.md"]);
  assert.match(
    await ok("memory_search", { query: "vault", scope: "knowledge" }),
    /knowledge\/deploy\.md[\s\S]*hardware key/,
  );
  for (const path of ["../coder/memory/context.md", "/../x", "memory/%2e%2e/x", ""])
    assert.ok((await memory.call("read_memory_file", { path }, scope)).isError, path);

  // A model that is not told who it is names the agent, or paths from the root.
  const named = await memory.call("read_memory_file", { agent: "coder", path: "memory/context.md" });
  assert.match(named.text, /coder's/);
  assert.match((await memory.call("read_memory_file", { path: "memory/context.md" })).text, /Of nobody/);
  const all = (await memory.call("list_memory_files", {})).text.split("\n");
  assert.ok(all.includes("/agents/planner/memory/context.md") && all.every((path) => path.startsWith("/")));
  const shown = await memory.tools("anthropic", scope);
  const list = shown.find(({ name }) => name === "list_memory_files");
  assert.deepEqual(Object.keys(list.input_schema.properties), ["folder"]);
});

test("A8 A34 a documented section that is missing is made in its place; any other is refused with those that there are", async () => {
  const memory = await inJanuary();
  const { files } = memory;
  const before =
    "# Current Context\n\n> Last updated: 2025-12-30\n\n---\n\n## Active Focus | Đang tập trung\n\n- [ ] parse\n\n---\n\n## Notes | Ghi chú\n\n- old\n";
  await files.write(CONTEXT, before);
  const { text } = await files.updateSection(CONTEXT, "Điểm nghẽn", "- [ ] No key");
  assert.equal(
    text,
    before.replace("## Notes", "## Blockers | Điểm nghẽn\n\n- [ ] No key\n\n---\n\n## Notes"),
  );
  const scope = { agent: "planner" };
  for (const [section, said] of [
    ["Next Session Should", "1. Ship"],
    ["Project State", "| Aspect | Status | Notes |\n|---|---|---|\n| Build | ✅ | green |"],
  ]) {
    const answer = await memory.call(
      "update_memory_section",
      { file: "context", section, text: said },
      scope,
    );
    assert.ok(!answer.isError, answer.text);
  }
  const document = await files.parse(CONTEXT);
  assert.deepEqual(
    document.sections.flatMap(({ part }) => part ?? []),
    ["activeFocus", "projectState", "blockers", "nextSessionShould", "notes"],
  );
  assert.deepEqual(document.parts.projectState, [["Build", "✅", "green"]]);
  const rules = (await files.read(CONTEXT)).text.match(/^---$/gm).length;
  assert.equal(rules, 5, "one before each section");
  await files.write(CONTEXT, "# Current Context\n\n## Notes\n\n- old\n");
  assert.equal(
    (await files.updateSection(CONTEXT, "Active Focus", "- [ ] parse")).text,
    "# Current Context\n\n## Active Focus | Đang tập trung\n\n- [ ] parse\n\n---\n\n## Notes\n\n- old\n",
  );
  await refusedWith(files.updateSection(CONTEXT, "Shopping", "x"), "section", /Active Focus.*Notes/);
  const wrong = await memory.call(
    "update_memory_section",
    { file: "context", section: "Summary", text: "x" },
    scope,
  );
  assert.ok(wrong.isError && /Blockers/.test(wrong.text), wrong.text);
  const fresh = await memory.call("update_memory_section", {
    agent: "new",
    file: "context",
    section: "Ghi chú",
    text: "- first",
  });
  assert.ok(!fresh.isError, fresh.text);
  assert.match(
    (await files.read("agents/new/memory/context.md")).text,
    /^# Current Context\n\n> Last updated: 2026-01-15\n[\s\S]*## Notes \| Ghi chú\n\n- first\n$/,
  );
});

test("A20 A22 code is read without its fence and comes back the same, whatever it is written in", async () => {
  const { files } = await memoryOf();
  const codes = [
    ["go", "ctx, cancel := context.WithTimeout(ctx, 30*time.Second)\ndefer cancel()"],
    ["", "plain text, no language"],
    ["md", "# Title\n\n```js\nretry(2)\n```\n---\n**Why**: not a label"],
    ["md", "````\nfour\n````"],
    ["c++", "\n  int x = 1;  \n\n"],
    ['js title="a.js"', "x()"],
    ["`odd`", "~~~\ny()\n~~~"],
    ["python", "print('Xin chào 👋')\n\tpass"],
    ["", "one `tick` and ``two``"],
  ];
  for (const [language, code] of codes) {
    await files.write(LEARNINGS, "");
    await files.record(LEARNINGS, [
      { title: "T", date: "2025-12-31", pattern: "p", language, code, why: "w" },
    ]);
    const first = await files.read(LEARNINGS);
    const [entry] = (await files.parse(LEARNINGS)).entries;
    assert.deepEqual(
      [entry.fields.language ?? "", entry.fields.code, entry.fields.why],
      [language, code, "w"],
      first.text,
    );
    await files.write(LEARNINGS, "");
    await files.record(LEARNINGS, [{ title: entry.title, date: entry.date, ...entry.fields }]);
    assert.equal((await files.read(LEARNINGS)).text, first.text, code);
  }
  // As people write it: longer fences, tildes, two blocks, no fence at all.
  const wild = [
    "`````go\nx()\n`````",
    "~~~ruby\nputs 1\n~~~",
    "```js\na()\n```\n\nor\n\n```js\nb()\n```",
    "````\n```js\nx()\n```\n````",
    "use `select` with ctx.Done()",
    "```\n```",
    "   ```sh\n   ls\n   ```",
  ];
  for (const said of wild) {
    const text = `# Patterns Learned\n\n## 2025-12-31: T\n\n**Pattern**:\np\n\n**Code**:\n${said}\n\n**Why**:\nw\n`;
    const [{ fields, title, date }] = (await files.parse(LEARNINGS, text)).entries;
    await files.write(LEARNINGS, "");
    await files.record(LEARNINGS, [{ title, date, ...fields }]);
    const [again] = (await files.parse(LEARNINGS)).entries;
    assert.deepEqual(again.fields, fields, said);
  }
  const [{ fields }] = (await files.parse(LEARNINGS, "## 2025-12-31: T\n\n**Code**:\n`````go\nx()\n`````\n"))
    .entries;
  assert.deepEqual(fields, { language: "go", code: "x()" });
});

test("A43 the lead's dispatch log is read and appended to", async () => {
  const { files } = await inJanuary();
  const { team } = files;
  assert.deepEqual(await team.dispatches("maestro"), []);
  const made = await team.dispatch("maestro", {
    task: "Design the login",
    plan: [
      { specialist: "dijkstra", subtask: "Complexity" },
      { specialist: "linus", subtask: "Kiến trúc | hệ thống", status: "inProgress", duration: "15min" },
    ],
  });
  assert.deepEqual(
    [made.date, made.received, made.task, made.status],
    ["2026-01-15", "10:30", "Design the login", "pending"],
  );
  await team.dispatch("maestro", { task: "Write it up", date: "2026-01-15", received: "16:00" });
  await team.dispatch("maestro", { task: "Next day", date: "2026-01-16", received: "09:00" });
  const { text } = await files.read("agents/maestro/memory/dispatch-log.md");
  assert.ok(
    text.startsWith(
      "# Dispatch Log | Nhật ký phân công\n\n---\n\n## Session: 2026-01-15\n\n### Task: Design the login\n",
    ),
    text,
  );
  assert.equal(text.match(/^## Session: 2026-01-15$/gm).length, 1, "one section a day");
  const log = await team.dispatches("maestro");
  assert.deepEqual(
    log.map(({ date, received, task }) => [date, received, task]),
    [
      ["2026-01-15", "10:30", "Design the login"],
      ["2026-01-15", "16:00", "Write it up"],
      ["2026-01-16", "09:00", "Next day"],
    ],
  );
  assert.deepEqual(log[0].plan, [
    { specialist: "dijkstra", subtask: "Complexity", status: "pending" },
    { specialist: "linus", subtask: "Kiến trúc | hệ thống", status: "inProgress", duration: "15min" },
  ]);
  assert.equal((await files.parse("agents/maestro/memory/dispatch-log.md")).kind, "dispatchLog");
  await refusedWith(team.dispatch("maestro", { task: " " }), "task");
  await refusedWith(
    team.dispatch("maestro", { task: "x", plan: [{ specialist: "", subtask: "y" }] }),
    "plan[0].specialist",
  );

  const byHand =
    "# Dispatch Log | Nhật ký phân công\n\n---\n\n## Session: 2025-12-31\n\n### Task: Auth\n\n**Received | Nhận**: 10:00\n**Status | Trạng thái**: In Progress\n\n" +
    "**Dispatch Plan | Kế hoạch phân công**:\n\n| Order | Specialist | Subtask | Status | Duration |\n|-------|------------|---------|--------|----------|\n" +
    "| 1 | Ada | Algorithms | ✅ Done | 15min |\n| 2 | Grace | Systems | 🔄 Active | - |\n\n**Findings Integration | Tích hợp kết quả**:\n\n1. **Ada** → O(1)\n\n---\n";
  await files.write("agents/maestro/memory/dispatch-log.md", byHand);
  const [auth] = await team.dispatches("maestro");
  assert.deepEqual(
    [auth.status, auth.plan[1].status, auth.findings],
    ["inProgress", "inProgress", "1. **Ada** → O(1)"],
  );
  await team.dispatch("maestro", { task: "Late", date: "2025-12-31", received: "18:00" });
  const after = (await files.read("agents/maestro/memory/dispatch-log.md")).text;
  assert.ok(after.startsWith(byHand.trimEnd().replace(/\n---$/, "")), "what was there stays");
  assert.deepEqual(
    (await team.dispatches("maestro")).map(({ date }) => date),
    ["2025-12-31", "2025-12-31"],
  );
});

// The command line, run as people run it: a program of its own, with arguments, pipes and exit codes.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { jsonl, openMemory } from "keepsake";

const program = fileURLToPath(new URL("../../pkg/dist/cli/keepsake.js", import.meta.url));
const { KEEPSAKE_USER: _, ...env } = process.env;

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-cli-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs the program; what it says, and how it ends. */
function keepsake(args, { input = "", ...options } = {}) {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env, maxBuffer: 1e9, ...options },
      (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** A memory with something of every kind, at times long past. */
async function filled(path, user = "ann") {
  let clock = Date.parse("2024-03-01T08:00:00Z");
  const now = () => {
    clock += 1000;
    return clock;
  };
  const config = { namespaces: { recipes: { maxContentChars: 2_000_000 } } };
  const memory = await openMemory({ user, storage: jsonl(path), now, config });
  const draft = { namespace: "long-term", tags: ["food"], importance: 0.5, metadata: { n: [1, null, "x"] } };
  await memory.add("Ann is allergic to nuts", { ...draft, source: "chat", session: "s-1", speaker: "ann" });
  await memory.add("phở bò: 牛肉面 🍜\u2028line", {
    id: "__proto__",
    namespace: "recipes",
    ttl: 1e12,
    trust: "low",
  });
  await memory.add("x ".repeat(300_000), { id: "huge", namespace: "recipes", ttl: 1e12 });
  await memory.add("Ann lives in Hue", { key: "city", agent: "a", at: "2020-05-05", namespace: "long-term" });
  await memory.add("Ann lives in Hanoi", { key: "city", session: "s-1", namespace: "long-term" });
  const { id } = await memory.add("first words", { namespace: "long-term" });
  await memory.update(id, { content: "second words", tags: ["changed"] });
  await memory.update(id, { importance: 1, metadata: { constructor: 1 } });
  const session = memory.session("s-1", { agent: "planner" });
  await session.append([
    { id: "m/1", role: "user", name: "Ann", content: "Hello", pinned: true, metadata: { a: 1 } },
    {
      role: "assistant",
      content: [
        { type: "thought", text: "hm" },
        { type: "tool_use", id: "t", name: "f", input: {} },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool_result", toolUseId: "t", output: [{ type: "text", text: "ok" }] }],
    },
  ]);
  await session.setTitle("Một cuộc trò chuyện");
  await session.saveComponents({ plan: { step: 2 } });
  const fork = await session.fork({ at: "m/1", to: "s-2" });
  await fork.append({ role: "assistant", content: "another way" });
  await session.append({ role: "user", content: "and further" });
  await memory.profile.update({ name: "Ann", style: { tone: "dry", emoji: false } }, { source: "chat" });
  await memory.profile.update({ style: { tone: "warm" }, langs: ["vi", "en"] });
  const { id: skill } = await memory.procedural.addSkill({
    use_when: "deploy",
    tool_sops: [{ tool: "sh", action: "run" }],
  });
  await memory.procedural.addSkill({
    id: skill,
    use_when: "deploy now",
    tool_sops: [{ tool: "sh" }],
    taskType: "ops",
  });
  for (const success of [true, false, true]) await memory.procedural.recordUse(skill, success);
  await memory.experience.logStep({
    taskType: "ops",
    toolName: "sh",
    input: { a: 1 },
    skillId: skill,
    traceId: "t-1",
  });
  await memory.experience.logStep({ taskType: "ops", toolName: "sh", error: "timeout", session: "s-1" });
  await memory.files.write("notes/kế hoạch.md", "# Old\r\n");
  await memory.files.write("notes/kế hoạch.md", "# New\n");
  await memory.semantic.addDocuments([
    { id: "doc", title: "D", content: "One thing. Another thing.\n\n# More\n\nText." },
  ]);
  await memory.semantic.graph.add({
    entities: [{ name: "Ann", type: "person", observations: ["likes tea"] }],
    relations: [{ from: "Ann", to: "Hanoi", type: "lives in" }],
  });
  await memory.collection("app/settings").write([
    { key: "__proto__", value: { theme: "tối", n: [null, 1.5] } },
    { key: "khóa", value: false },
  ]);
  await memory.close();
}

test("F43 what is exported and imported is the same, times and versions included; a second import changes nothing", async (t) => {
  const folder = await folderOf(t);
  const [from, to, dump] = ["a.jsonl", "b.jsonl", "dump.jsonl"].map((name) => join(folder, name));
  await filled(from);
  const all = ["--collection", "app/settings", "-c", "none"];
  const first = await keepsake(["export", from, "--user", "ann", ...all]);
  assert.equal(first.code, 0, first.stderr);
  await writeFile(dump, `\uFEFF${first.stdout.replaceAll("\n", "\r\n")}`);
  const taken = await keepsake(["import", to, "--user", "ann", "--from", dump, "--json"]);
  assert.equal(taken.code, 0, taken.stderr);
  const { imported, alreadyThere } = JSON.parse(taken.stdout);
  assert.equal(imported.entry, 7);
  assert.equal(imported.session, 2);
  assert.deepEqual(alreadyThere, {});
  const second = await keepsake(["export", to, "--user", "ann", ...all]);
  const lines = ({ stdout }) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  // The numbers of steps begin anew, and the sum at the end is over them too.
  const numbers = (item) => {
    if (item.kind === "end") return { ...item, sum: "" };
    return item.kind === "step" ? { ...item, step: { ...item.step, n: 0 } } : item;
  };
  assert.deepEqual(lines(second).map(numbers), lines(first).map(numbers));
  const kinds = new Set(lines(first).map(({ kind }) => kind));
  assert.equal(kinds.size, 12, `every kind is there: ${[...kinds]}`);

  const again = await keepsake(["import", to, "-u", "ann"], { input: first.stdout });
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /^imported nothing\nalready there 7 entries, 2 sessions/);
  assert.equal((await keepsake(["export", to, "-u", "ann", ...all])).stdout, second.stdout);
  const found = await keepsake(["search", to, "phở", "-u", "ann", "--json"]);
  assert.equal(JSON.parse(found.stdout)[0].content, "phở bò: 牛肉面 🍜\u2028line");
});

test("through a pipe from one user to another; a memory that is there keeps what it has", async (t) => {
  const folder = await folderOf(t);
  const [from, to] = ["a.jsonl", "b.jsonl"].map((name) => join(folder, name));
  await filled(from);
  const there = await openMemory({ user: "bob", storage: jsonl(to) });
  await there.profile.update({ name: "Bob" });
  await there.files.write("notes/kế hoạch.md", "mine\n");
  await there.add("Bob lives in Rome", { key: "city" });
  await there.close();
  const line = `"$0" "$1" export "$2" -u ann | "$0" "$1" import "$3" -u bob`;
  const said = await new Promise((resolve) => {
    const args = ["-c", line, process.execPath, program, from, to];
    execFile("/bin/sh", args, { env }, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
  assert.equal(said.error, null, said.stderr);
  assert.match(said.stderr, /ann's memory; it is imported into bob's/);
  const memory = await openMemory({ user: "bob", storage: jsonl(to) });
  t.after(() => memory.close());
  assert.deepEqual(await memory.profile.get(), {
    name: "Bob",
    style: { tone: "warm", emoji: false },
    langs: ["vi", "en"],
  });
  assert.equal((await memory.files.read("notes/kế hoạch.md")).text, "mine\n");
  assert.equal(
    (await memory.search("lives in", { ranking: "best", limit: 1 }))[0].summary,
    "Bob lives in Rome",
  );
  assert.equal((await memory.session("s-2").info()).forkedFrom.session, "s-1");
  assert.deepEqual(await memory.log.verify().then(({ ok }) => ok), true);
});

test("search and inspect, for people and for programs", async (t) => {
  const path = join(await folderOf(t), "a.jsonl");
  await filled(path);
  const memory = await openMemory({ user: "ann", storage: jsonl(path) });
  const summary = "steer \u001b[31mred\u0007 the\nterminal";
  await memory.add("steer the terminal", { namespace: "long-term", summary });
  await memory.close();
  const shown = await keepsake(["search", path, "steer the terminal", "--user", "ann", "-n", "1"]);
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(
    shown.stdout,
    /^0\.\d{3} {2}\d{4}-\d\d-\d\d {2}[0-9a-f]{16} {2}steer \[31mred the terminal\n$/,
  );
  const all = await keepsake(["search", path, "and further", "--all", "--json"], {
    env: { ...env, KEEPSAKE_USER: "ann" },
  });
  assert.equal(JSON.parse(all.stdout)[0].kind, "message");
  const only = await keepsake(["search", path, "phở", "-u", "ann", "--namespace", "recipes", "--json"]);
  assert.equal(JSON.parse(only.stdout).length, 1, only.stderr);
  const none = await keepsake(["search", path, "zebra", "-u", "ann", "--json"]);
  const hint = "keepsake: no results among the entries; --all searches messages too\n";
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, "[]\n", hint]);
  const stranger = await keepsake(["search", path, "nuts", "-u", "bob", "--json"]);
  assert.equal(stranger.stdout, "[]\n", "users do not see each other");

  const inspected = await keepsake(["inspect", path, "-u", "ann", "--json"]);
  const { namespaces, sessions, log, files, entities } = JSON.parse(inspected.stdout);
  assert.deepEqual([namespaces.recipes, sessions.length, files, entities, log.ok], [2, 2, 1, 2, true]);
  const told = await keepsake(["inspect", path, "-u", "ann"]);
  assert.match(told.stdout, /Một cuộc trò chuyện {2}4 messages/);
  assert.match(told.stdout, /^log {7}verified, \d+ links$/m);
  assert.ok(!told.stdout.includes("\u001b"), "no colours into a pipe");
});

test("wrong use ends with 2, failure with 1, help with 0, and each says what to do", async (t) => {
  const folder = await folderOf(t);
  const path = join(folder, "a.jsonl");
  await filled(path);
  const missing = join(folder, "none.jsonl");
  const wrong = [
    [[], 2, /missing argument: COMMAND/],
    [["fly"], 2, /unknown command: fly/],
    [["__proto__"], 2, /unknown command/],
    [["search"], 2, /search: missing argument: FILE/],
    [["search", ""], 2, /missing argument: QUERY/],
    [["search", path], 2, /missing argument: QUERY/],
    [["search", path, "x"], 2, /--user NAME/],
    [["search", path, "x", "y", "-u", "ann"], 2, /unexpected argument: y/],
    [["search", path, "x", "-u", "ann", "--limit", "0"], 2, /--limit must be a positive integer/],
    [["search", path, "x", "-u", "ann", "--limit", "1e3"], 2, /--limit/],
    [["search", path, "x", "--colour", "-u", "ann"], 2, /--colour/],
    [["inspect", path, "--user"], 2, /user/],
    [["search", missing, "x", "-u", "ann"], 1, /no such file/],
    [["export", missing, "-u", "ann"], 1, /no such file/],
    [["inspect", folder, "-u", "ann"], 1, /no such file/],
    [["search", path, " ", "-u", "ann", "-n", "1"], 0, /no results|^$/],
    [["search", path, "x", "-u", "u".repeat(5000)], 1, /user/],
    [["import", missing, "-u", "ann", "--from", join(folder, "no-such-dump")], 1, /no-such-dump/],
  ];
  for (const [args, code, message] of wrong) {
    const said = await keepsake(args);
    assert.equal(said.code, code, `${args}: ${said.stderr}`);
    assert.match(said.stderr, message, `${args}`);
    if (code !== 0) assert.equal(said.stdout, "");
    assert.doesNotMatch(said.stderr, /\n\s+at /, "no stack");
  }
  for (const name of ["mcp", "search", "export", "import", "inspect"]) {
    const said = await keepsake([name, "--help"]);
    assert.equal(said.code, 0);
    assert.match(said.stdout, new RegExp(`keepsake ${name} .*FILE`));
    assert.match((await keepsake(["--help"])).stdout, new RegExp(`  ${name} `));
  }
  const { version } = JSON.parse(await readFile(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  assert.equal((await keepsake(["--version"])).stdout, `${version}\n`);
});

test("F43 an import that cannot be read says where; what came before is in, and it can be run again", async (t) => {
  const folder = await folderOf(t);
  const path = join(folder, "b.jsonl");
  const header = '{"kind":"keepsake","version":1,"user":"ann","namespaces":["long-term"]}';
  const bad = [
    ["", /nothing to import/],
    ["not json", /line 1 is not JSON/],
    ["[]", /line 1 is not an object/],
    ['{"kind":"other"}', /not written by `keepsake export`/],
    ['{"kind":"keepsake","version":3}', /newer/],
    ['{"kind":"keepsake","version":1,"user":"ann","namespaces":7}', /`namespaces`/],
    ['{"kind":"keepsake","version":1,"namespaces":[]}', /`user`/],
    [`${header}\n{"kind":`, /line 2 is not JSON/],
    [`${header}\n\n{"kind":"toString"}`, /line 3 has an unknown kind/],
    [`${header}\n{"kind":"entry"}`, /line 2: something is missing/],
    [`${header}\n{"kind":"value","collection":"c","key":"k"}`, /line 2: a value is missing/],
    [`${header}\n{"kind":"value","collection":"","key":"k","value":1}`, /line 2: .*collection/],
    [`${header}\n{"kind":"entry","entry":{"id":"x","updatedAt":"soon"},"before":[]}`, /line 2: .*ISO 8601/],
    [`${header}\n{"kind":"message","message":{"role":"user","content":"x"}}`, /line 2: a message precedes/],
    [`${header}\n{"kind":"file","path":"../x","text":"x","version":1,"at":"2020-01-01"}`, /line 2: .*path/],
  ];
  for (const [input, message] of bad) {
    const said = await keepsake(["import", path, "-u", "ann"], { input });
    assert.equal(said.code, 1, input);
    assert.match(said.stderr, message);
    assert.equal(said.stdout, "");
  }
  await filled(join(folder, "a.jsonl"));
  const { stdout } = await keepsake(["export", join(folder, "a.jsonl"), "-u", "ann"]);
  const lines = stdout.trimEnd().split("\n");
  const broken = [...lines.slice(0, 9), "{", ...lines.slice(9)].join("\n");
  assert.match(
    (await keepsake(["import", path, "-u", "ann"], { input: broken })).stderr,
    /line 10 is not JSON/,
  );
  const damaged = [
    [lines.slice(0, -1), /cut off/],
    [lines.slice(0, 5), /cut off/],
    [lines.toSpliced(3, 1), /lines are missing/],
    [lines.toSpliced(3, 0, lines[3]), /lines are duplicated/],
    [lines.with(3, lines[4]).with(4, lines[3]), /changed or reordered/],
    [lines.with(2, lines[2].replace("a", "b")), /changed or reordered/],
    [[...lines, lines[3]], /after the last line/],
  ];
  for (const [some, message] of damaged) {
    const said = await keepsake(["import", path, "-u", "ann"], { input: some.join("\n") });
    assert.equal(said.code, 1);
    assert.match(said.stderr, message);
    assert.match(said.stderr, /nothing was imported/);
    await assert.rejects(readFile(path), { code: "ENOENT" }, "no file was written");
  }
  const older = lines.slice(0, -1).with(0, lines[0].replace('"version":2', '"version":1'));
  const read = await keepsake(["import", join(folder, "c.jsonl"), "-u", "ann"], { input: older.join("\n") });
  assert.equal(read.code, 0);
  assert.match(read.stderr, /older version: lines missing at its end cannot be detected/);
  assert.equal((await keepsake(["import", path, "-u", "ann"], { input: stdout })).code, 0);
  const count = ({ stdout }) => stdout.trimEnd().split("\n").length;
  assert.equal(count(await keepsake(["export", path, "-u", "ann"])), lines.length);
});

test("a reader that goes away ends an export quietly", async (t) => {
  const path = join(await folderOf(t), "a.jsonl");
  await filled(path);
  const child = spawn(process.execPath, [program, "export", path, "-u", "ann"], { env });
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([code, stderr], [0, ""]);
});

test("the official client of the Model Context Protocol starts it and talks to it", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const start = async (...more) => {
    const client = new Client({ name: "test", version: "1" });
    const args = [program, "mcp", path, "--user", "người dùng", ...more];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    return client;
  };
  const client = await start("--agent", "planner");
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "create_entities"));
  const { isError } = await client.callTool({
    name: "memory_add",
    arguments: { content: "Đà Nẵng có cầu Rồng", namespace: "long-term" },
  });
  assert.equal(isError, false);
  await client.close();
  const reader = await start("--read-only", "--no-graph");
  const { tools: fewer } = await reader.listTools();
  assert.ok(fewer.every(({ annotations }) => annotations.readOnlyHint));
  assert.ok(!fewer.some(({ name }) => name === "read_graph"));
  const { content } = await reader.callTool({ name: "memory_search", arguments: { query: "cầu Rồng" } });
  assert.match(content[0].text, /Đà Nẵng/);
  await reader.close();
  const ended = await keepsake(["mcp", path, "-u", "x"], { input: "" });
  assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, "", ""], "it ends with its client");
  assert.equal((await keepsake(["mcp", path])).code, 2);
});

test("alone in a folder, without the SDK: everything works but mcp, which says what it needs", async (t) => {
  const folder = await folderOf(t);
  const pkg = fileURLToPath(new URL("../../pkg", import.meta.url));
  for (const part of ["dist", "wasm", "package.json"]) {
    await cp(join(pkg, part), join(folder, part), { recursive: true });
  }
  const alone = join(folder, "dist/cli/keepsake.js");
  const path = join(folder, "a.jsonl");
  const run = (...args) =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [alone, ...args],
        { env, cwd: folder },
        (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }),
      );
      child.stdin.end();
    });
  await filled(path);
  assert.match((await run("search", path, "nuts", "-u", "ann")).stdout, /allergic to nuts/);
  const { code, stderr } = await run("mcp", path, "-u", "ann");
  assert.equal(code, 1);
  assert.equal(stderr, "keepsake: this needs the official SDK: npm install @modelcontextprotocol/sdk\n");
});

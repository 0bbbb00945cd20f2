// A memory for the tool runner of Anthropic's SDK: the real client and runner, and a model that follows a script.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { jsonl, openMemory } from "keepsake";
import { memoryTool, memoryTools } from "keepsake/anthropic";
import { resultsIn, scripted } from "./support/anthropic-api.mjs";
import { memoryOf } from "./support/talk.mjs";

/** Runs the steps, and answers what the model was told after each, and what it said at the end. */
async function run(tools, steps, options = {}) {
  const { name, ...params } = options;
  const api = scripted(steps, name);
  const client = new Anthropic({ apiKey: "none", fetch: api.fetch, maxRetries: 0 });
  const messages = [{ role: "user", content: "Keep notes." }];
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5",
    max_tokens: 100,
    messages,
    tools,
    ...params,
  });
  const last = await runner.runUntilDone();
  const told = api.requests.slice(1).map((request) => resultsIn(request)[0]);
  return { told, said: last.content[0].text, requests: api.requests };
}

const P = "/memories/plan.md";

/** What a model may do and get wrong, one after the other. */
const COMMANDS = [
  { command: "create", path: P, file_text: "one\ntwo\nthree\n" },
  { command: "create", path: P, file_text: "again" },
  { command: "view", path: P },
  { command: "view", path: P, view_range: [2, 3] },
  { command: "view", path: P, view_range: [2, -1] },
  { command: "view", path: "/memories/none.md" },
  { command: "view", path: "/etc/passwd" },
  { command: "view", path: "/memories/../../etc/passwd" },
  { command: "str_replace", path: P, old_str: "two", new_str: "zwei\n$& $1" },
  { command: "str_replace", path: P, old_str: "four", new_str: "x" },
  { command: "str_replace", path: "/memories/none.md", old_str: "a", new_str: "b" },
  { command: "create", path: "/memories/twice.md", file_text: "a\nb\na" },
  { command: "str_replace", path: "/memories/twice.md", old_str: "a", new_str: "x" },
  { command: "insert", path: P, insert_line: 0, insert_text: "zero\n" },
  { command: "insert", path: P, insert_line: 99, insert_text: "x" },
  { command: "insert", path: P, insert_line: -1, insert_text: "x" },
  { command: "insert", path: "/memories/none.md", insert_line: 0, insert_text: "x" },
  { command: "view", path: P },
  { command: "rename", old_path: P, new_path: "/memories/a/b/c.md" },
  { command: "rename", old_path: P, new_path: "/memories/d.md" },
  { command: "rename", old_path: "/memories/twice.md", new_path: "/memories/a/b/c.md" },
  { command: "rename", old_path: "/memories", new_path: "/memories/x" },
  { command: "str_replace", path: "/memories/a", old_str: "a", new_str: "b" },
  { command: "delete", path: "/memories/a" },
  { command: "delete", path: "/memories/a" },
  { command: "delete", path: "/memories" },
  { command: "view", path: "/memories/twice.md" },
  { command: "fly" },
];

test("the model is told what the SDK's own tool would tell it, word by word", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-anthropic-"));
  t.after(() => rm(folder, { recursive: true }));
  const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
  const steps = [...COMMANDS, "done"];
  const ours = await run([memoryTool(await memoryOf())], steps);
  const expected = await run([theirs], steps);
  assert.equal(ours.said, "done");
  assert.equal(ours.told.length, COMMANDS.length);
  assert.deepEqual(ours.told, expected.told);
  assert.deepEqual(ours.requests[0].tools, expected.requests[0].tools, "and sent the same definition");
});

test("a listing names files and folders as the SDK's does", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-anthropic-"));
  t.after(() => rm(folder, { recursive: true }));
  const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder));
  const paths = ["a.md", "b/c.md", "b/d/e.md", "b/d/f/g.md", ".hidden", "node_modules/x.md", "ghi chú.md"];
  const creates = paths.map((path) => ({
    command: "create",
    path: `/memories/${path}`,
    file_text: "x".repeat(1500),
  }));
  const steps = [
    ...creates,
    { command: "view", path: "/memories" },
    { command: "view", path: "/memories/b" },
    "done",
  ];
  const listed = async (tool) => {
    const { told } = await run([tool], steps);
    // How large a folder is depends on the file system.
    return told
      .slice(-2)
      .map(({ content }) => content.replace(/^\S+\t(.*(?:\/|memories|memories\/b))$/gm, "\t$1"));
  };
  assert.deepEqual(await listed(memoryTool(await memoryOf())), await listed(theirs));
});

test("streamed, an error that the model sees and corrects", async () => {
  const memory = await memoryOf();
  const steps = [
    { command: "create", path: P, file_text: "tea, tea\n" },
    { command: "str_replace", path: P, old_str: "tea", new_str: "coffee" },
    ([{ content, is_error }]) => {
      assert.equal(is_error, true);
      assert.match(content, /Multiple occurrences/);
      return { command: "str_replace", path: P, old_str: "tea, tea", new_str: "coffee, tea" };
    },
    ([{ is_error }]) => (is_error ? "failed" : "corrected"),
  ];
  for (const params of [{ stream: true }, { stream: true, runToolsEagerly: true }]) {
    await memory.files.delete("plan.md").catch(() => {});
    const { said } = await run([memoryTool(memory)], steps, params);
    assert.equal(said, "corrected");
    assert.equal((await memory.files.read("plan.md")).text, "coffee, tea\n");
  }
});

test("below a root; fields of the definition go along; a wrong root is refused at once", async () => {
  const memory = await memoryOf();
  await memory.files.write("secret.md", "not for the model");
  const tool = memoryTool(memory, {
    root: "agents/coder",
    definition: { cache_control: { type: "ephemeral" } },
  });
  const { told, requests } = await run(
    [tool],
    [
      { command: "create", path: P, file_text: "x" },
      { command: "view", path: "/memories/../secret.md" },
      "done",
    ],
  );
  assert.equal((await memory.files.read("agents/coder/plan.md")).text, "x");
  assert.equal(told[1].is_error, true);
  assert.deepEqual(requests[0].tools, [
    { type: "memory_20250818", name: "memory", cache_control: { type: "ephemeral" } },
  ]);
  assert.throws(() => memoryTool(memory, { root: "../x" }), { code: "invalid-input", field: "root" });
});

test("hostile and broken inputs are answers to the model, and nothing is written", async () => {
  const memory = await memoryOf();
  const wrong = [
    { command: "toString" },
    { command: "__proto__" },
    { command: "run", path: P },
    { command: "view" },
    { command: "view", path: 7 },
    { command: "create", path: P, file_text: { a: 1 } },
    { command: "create", path: "/memories/a\u0000b", file_text: "x" },
    { command: "create", path: "/memories/\ud800", file_text: "x" },
    { command: "create", path: `/memories/${"x".repeat(5000)}`, file_text: "x" },
    { command: "create", path: P, file_text: "x".repeat(9_000_000) },
    { command: "insert", path: P, insert_line: "0", insert_text: "x" },
    { command: "rename", old_path: [], new_path: P },
    {},
  ];
  const { told, said } = await run([memoryTool(memory)], [...wrong, "done"]);
  assert.equal(said, "done");
  for (const [at, { content, is_error }] of told.entries()) {
    assert.equal(is_error, true, `${JSON.stringify(wrong[at]).slice(0, 80)}: ${content}`);
  }
  assert.deepEqual(await memory.files.list(), []);
});

test("the memory's own tools run; a wrong call is told and corrected; what is not offered is not there", async () => {
  const memory = await memoryOf();
  const tools = await memoryTools(memory, { agent: "coder" });
  const { said, requests } = await run(tools, [
    { tool: "memory_add", text: "wrong name" },
    ([{ content, is_error }]) => {
      assert.equal(is_error, true);
      assert.match(content, /^`memory_add` was not called: `content` is required/);
      return [
        { tool: "memory_add", content: "Ann likes tea", namespace: "long-term" },
        { tool: "record_decision", title: "Keep bytes", decision: "Nothing is rewritten" },
      ];
    },
    (results) => {
      assert.ok(results.every(({ is_error }) => !is_error));
      return { tool: "memory_search", query: "tea" };
    },
    ([{ content }]) => content,
  ]);
  assert.match(said, /Ann likes tea/);
  assert.equal(await memory.count(), 1);
  assert.match((await memory.files.read("agents/coder/memory/decisions.md")).text, /Keep bytes/);
  assert.equal(requests[0].tools.length, tools.length);
  assert.ok(requests[0].tools.every(({ run, parse }) => run === undefined && parse === undefined));

  const reading = await memoryTools(memory, { readOnly: true });
  assert.ok(reading.length > 0 && reading.every(({ name }) => !/add|delete|write|record|update/.test(name)));
  const { told } = await run(reading, [{ tool: "memory_delete", id: "x" }, "done"]);
  assert.match(told[0].content, /not found/);
  const [one, ...others] = await memoryTools(memory, { only: ["memory_stats"] });
  assert.deepEqual([one.name, others], ["memory_stats", []]);
  await assert.rejects(memoryTools(memory, { only: ["fly"] }), { code: "invalid-input" });
});

test("a closed memory is told to the model, and making tools of it is refused", async () => {
  const memory = await memoryOf();
  const tools = [memoryTool(memory), ...(await memoryTools(memory))];
  await memory.close();
  const { told } = await run(tools, [
    { command: "view", path: "/memories" },
    { tool: "memory_stats" },
    "done",
  ]);
  for (const { content, is_error } of told) {
    assert.equal(is_error, true);
    assert.match(content, /closed/);
  }
  await assert.rejects(memoryTools(memory), { code: "closed" });
});

test("two agents on one file write at once and lose nothing; all is there when it is opened again", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-anthropic-"));
  t.after(() => rm(folder, { recursive: true }));
  const open = () => openMemory({ user: "u-1", storage: jsonl(join(folder, "memory.jsonl")) });
  const first = await open();
  await run([memoryTool(first)], [{ command: "create", path: P, file_text: "begin" }, "done"]);
  const second = await open();
  const inserts = (who) => [
    ...Array.from({ length: 20 }, (_, n) => ({
      command: "insert",
      path: P,
      insert_line: 1,
      insert_text: `${who} ${n}`,
    })),
    "done",
  ];
  await Promise.all([run([memoryTool(first)], inserts("a")), run([memoryTool(second)], inserts("b"))]);
  await Promise.all([first.close(), second.close()]);
  const again = await open();
  const lines = (await again.files.read("plan.md")).text.split("\n");
  const wanted = ["a", "b"].flatMap((who) => Array.from({ length: 20 }, (_, n) => `${who} ${n}`));
  assert.deepEqual(lines.toSorted(), ["begin", ...wanted].toSorted());
  await again.close();
});

// Tools for models through the package: their forms, calls, what a model gets wrong, and who hears of changes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { MemoryStorage, openMemory } from "keepsake";
import { memoryOf } from "./support/talk.mjs";

const FORMATS = ["openai", "openai-responses", "anthropic", "mcp", "ai-sdk", "gemini"];

test("each maker's form has each tool", async () => {
  const memory = await memoryOf();
  for (const format of FORMATS) {
    const tools = await memory.tools(format);
    assert.equal(tools.length, 14, format);
    for (const tool of tools) assert.match(tool.name ?? tool.function.name, /^[a-z_]{1,64}$/);
  }
  const [only] = await memory.tools("openai", { strict: true, only: ["memory_search"] });
  assert.equal(only.function.strict, true);
  assert.deepEqual(only.function.parameters.required, Object.keys(only.function.parameters.properties));
  await assert.rejects(memory.tools("cohere"), { code: "invalid-input", field: "format" });
});

test("a tool's parameters are a JSON Schema, and it refuses what the tool refuses", async () => {
  const memory = await memoryOf();
  const ajv = new Ajv2020({ strict: true });
  // Gemini has types of its own.
  for (const format of FORMATS.filter((name) => name !== "gemini")) {
    for (const strict of [false, true]) {
      for (const tool of await memory.tools(format, { strict })) {
        const { parameters, input_schema, inputSchema } = tool.function ?? tool;
        const schema = parameters ?? input_schema ?? inputSchema;
        assert.equal(schema.type, "object");
        ajv.compile(schema);
      }
    }
  }
  const schemas = new Map((await memory.tools("mcp")).map(({ name, inputSchema }) => [name, inputSchema]));
  const calls = [
    ["memory_add", { content: "Ann likes tea", importance: 1, tags: ["a"] }, true],
    ["memory_add", { content: "Ann likes tea", importance: 1.5 }, false],
    ["memory_add", { content: 7 }, false],
    ["memory_add", {}, false],
    ["memory_search", { query: "tea", limit: 2 }, true],
    ["memory_search", { query: "tea", limit: 2.5 }, false],
    ["memory_search", { query: "tea", namespace: "elsewhere" }, false],
    ["memory_search", { query: "tea", scope: "conversations" }, true],
    ["memory_search", { query: "tea", scope: "everywhere" }, false],
    ["memory_search", { query: "tea", where: "here" }, false],
    ["record_to_memory", { thinking: "t", content: ["Ann drinks it at five"] }, true],
    ["record_to_memory", { thinking: "t", content: [7] }, false],
  ];
  for (const [name, args, isFit] of calls) {
    const { isError, text } = await memory.call(name, args);
    assert.equal(!isError, isFit, `${name} ${JSON.stringify(args)}: ${text}`);
    assert.equal(ajv.validate(schemas.get(name), args), isFit, `${name} ${JSON.stringify(args)}`);
  }
});

test("A34 a model keeps its agent's files by tools", async () => {
  const memory = await memoryOf();
  const scope = { agent: "planner" };
  const call = async (name, args) => {
    const { text, isError } = await memory.call(name, args, scope);
    assert.equal(isError, false, text);
    return text;
  };
  await memory.files.write("agents/planner/memory/context.md", "# Current Context\n\n## Notes\n\n- old\n");
  await call("update_memory_section", { file: "context", section: "Notes", text: "- from the model" });
  await call("record_decision", { title: "Use Redis", decision: "Redis", reason: ["known", "fast"] });
  const { context, decisions } = await memory.files.activate("planner");
  assert.ok(context.includes("- from the model"));
  assert.equal(decisions[0].fields.reason, "- known\n- fast", "a list is as good as a text");
  await call("record_learning", { title: "Retry", pattern: "Retry network calls", code: "retry(2)" });
  assert.match(
    await call("memory_search", { query: "network", scope: "learnings" }),
    /## \d{4}-\d\d-\d\d: Retry/,
  );
  await call("hand_over", { toAgent: "planner", task: "t", context: "c", expectedDeliverable: "d" });
  assert.equal((await memory.files.team.handoffs())[0].from, "planner");
});

test("who watches the files hears of what a model writes to them, and of nothing else", async () => {
  const memory = await memoryOf();
  let heard = 0;
  memory.files.onChange(() => {
    heard += 1;
  });
  await memory.call("record_decision", { title: "x", decision: "y" }, { agent: "planner" });
  await memory.call("memory_add", { content: "no file" });
  await memory.call("memory_search", { query: "file" });
  assert.equal(heard, 1);
});

test("what a model gets wrong is told so that it can mend it, and nothing is done", async () => {
  const memory = await memoryOf();
  const wrong = [
    ["memory_search", { limit: "ten", where: "x" }, /`query` is required; `limit` must be an integer/],
    ["memory_fly", {}, /no such tool.*memory_add/],
    ["memory_add", { content: "x".repeat(1_000_000) }, /`content` must be a string of at most 500000 bytes/],
    ["memory_add", "{", /must be an object/],
    ["memory_add", null, /`content` is required/],
    ["record_decision", { title: "x", decision: "y" }, /`agent` is required/],
  ];
  for (const [name, args, answer] of wrong) {
    const { text, isError, data } = await memory.call(name, args);
    assert.equal(isError, true, name);
    assert.equal(data, undefined);
    assert.match(text, answer);
  }
  const readOnly = await memory.call("memory_delete", { id: "x" }, { readOnly: true });
  assert.match(readOnly.text, /may only be read here/);
  const unlisted = await memory.call("memory_add", { content: "x" }, { only: ["memory_search"] });
  assert.match(unlisted.text, /not allowed here/);
  assert.equal(await memory.count(), 0);
  await memory.close();
  await assert.rejects(memory.call("memory_stats", {}), { code: "closed" }, "no model can mend that");
});

test("F28 finding 7: text that is no Unicode is the model's mistake, and is answered", async () => {
  const memory = await memoryOf();
  const lone = "half \ud83d of a smile";
  for (const [name, args] of [
    ["memory_add", { content: lone }],
    ["memory_search", { query: lone }],
    ["memory_search", { query: lone, scope: "conversations" }],
    ["query_memory", { query: lone }],
    ["write_memory_file", { path: "notes.md", text: lone }],
    ["record_to_memory", { thinking: "t", content: ["fine", lone] }],
    ["update_profile", { updates: { [lone]: 1 } }],
    [lone, {}],
  ]) {
    for (const given of name === lone ? [args] : [args, JSON.stringify(args)]) {
      const { text, isError, data } = await memory.call(name, given);
      assert.equal(isError, true, name);
      assert.equal(data ?? null, null);
      assert.ok(text.length > 20 && text.isWellFormed(), text);
    }
  }
  assert.deepEqual([await memory.count(), await memory.files.list()], [0, []]);
  // A mistake of the app is still the app's.
  await assert.rejects(memory.call("memory_stats", {}, { agent: lone }), {
    code: "invalid-input",
    field: "agent",
  });
});

test("what a tool remembers is embedded, and arguments may be text", async () => {
  const seen = [];
  const embedder = async (texts) => {
    seen.push(...texts);
    return texts.map(() => [1, 0]);
  };
  const memory = await openMemory({ user: "u-1", storage: new MemoryStorage().connect(), embedder });
  const { isError } = await memory.call("memory_add", JSON.stringify({ content: "Ann likes tea" }));
  assert.equal(isError, false);
  assert.deepEqual(seen, ["Ann likes tea"]);
});

// Options: a name that is not known is an error, and the error says which one was probably meant.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as keepsake from "keepsake";
import { jsonl, MemoryError, MemoryFacade, openMemory } from "keepsake";
import { AutoContextConfig, AutoContextMemory } from "keepsake/agentscope";
import { memoryOf } from "./support/talk.mjs";

const open = () => memoryOf();
const store = { getProfile: async () => ({}), updateProfile: async () => {} };

/** A typo, the name that it is answered with, and what takes it. */
const TYPOS = [
  ["profile_store", "profileStore", () => new MemoryFacade({ open, profile_store: store })],
  ["experianceStore", "experienceStore", () => new MemoryFacade({ open, experianceStore: store })],
  ["policy", "policies", () => new MemoryFacade({ open, policy: {} })],
  ["embeder", "embedder", () => openMemory({ user: "u", storage: "memory", embeder: async () => [] })],
  ["count_tokens", "countTokens", () => openMemory({ user: "u", storage: "memory", count_tokens: () => 1 })],
  ["usr", "user", () => openMemory({ usr: "u", user: "u", storage: "memory" })],
  ["compact_above", "compactAbove", () => jsonl(join(tmpdir(), "never.jsonl"), { compact_above: 5 })],
  ["contextTokes", "contextTokens", async (m) => m.session("s", { contextTokes: 5 })],
  ["userId", "user", async () => openMemory({ userId: "ann" })],
  ["user_id", "user", async () => openMemory({ user_id: "ann" })],
  ["sumarize", "summarize", async (m) => m.session("s", { sumarize: () => "" })],
  ["recordfilter", "recordFilter", async (m) => m.longTerm({ recordfilter: () => [] })],
  ["batchsize", "batchSize", async (m) => m.embedAll({ batchsize: 5 })],
  ["readonly", "readOnly", async (m) => m.call("memory_stats", {}, { readonly: true })],
  ["readonly", "readOnly", async (m) => m.tools("mcp", { readonly: true })],
  ["min_support", "minSupport", async (m) => m.learn({ min_support: 5 })],
  ["onLearnt", "onLearned", async (m) => m.learnWhenIdle({ onLearnt: () => {} })],
  ["pagesize", "pageSize", async (m) => m.entries({ pagesize: 5 }).next()],
  ["target_chars", "targetChars", async (m) => m.ingest("x", { source: "s", target_chars: 9 })],
  ["signals", "signal", async (m) => m.session("s").compress(undefined, { signals: 1 })],
  ["onlyy", "only", async (m) => m.files.sync({}, { onlyy: () => true })],
  ["rot", "root", async (m) => m.files.memoryTool({ rot: "x" })],
  ["tag", "tags", async (m) => m.add("x", { tag: ["a"] })],
  ["limits", "limit", async (m) => m.search("x", { limits: 5 })],
  ["metdata", "metadata", async (m) => m.state.saveState("f", "s", {}, { metdata: {} })],
  [
    "sessionID",
    "sessionId",
    async (memory) => new AutoContextMemory(AutoContextConfig.builder().build(), { memory, sessionID: "s" }),
  ],
];

for (const [typo, meant, act] of TYPOS) {
  test(`\`${typo}\` is refused, and \`${meant}\` named`, async () => {
    const memory = await open();
    await assert.rejects(
      async () => act(memory),
      (error) => {
        assert.ok(error instanceof MemoryError, String(error));
        assert.deepEqual([error.code, error.field], ["invalid-input", typo]);
        assert.match(error.message, new RegExp(`did you mean \`${meant}\`\\?$`));
        return true;
      },
    );
  });
}

test("a name that is like none is answered with all of them, and one that is undefined is none", async () => {
  assert.throws(
    () => new MemoryFacade({ open, colour: "red" }),
    /^MemoryError: unknown option `colour`; known are: open, /,
  );
  const memory = await openMemory({ user: "u", storage: "memory", colour: undefined });
  await assert.rejects(
    memory.add("x", { colour: "red" }),
    /`colour` is not a known field; known are: content, /,
  );
});

test("a path in place of a storage is answered with `jsonl`", async () => {
  for (const options of [{ storage: "memory.jsonl" }, { path: "memory.jsonl" }]) {
    await assert.rejects(openMemory({ user: "u", ...options }), {
      code: "invalid-input",
      field: Object.keys(options)[0],
      message: /for a file in Node: storage: jsonl\("memory\.jsonl"\)/,
    });
  }
  await (await openMemory({ user: "u", storage: "memory", path: undefined })).close();
});

test("the id of a session that is no string is refused at once", async () => {
  const memory = await open();
  for (const id of [5, undefined, null, {}]) {
    assert.throws(() => memory.session(id), { field: "session", message: "`session` must be a string" });
  }
  await memory.close();
});

test("documented spellings that were taken before still are", async () => {
  const memory = await open();
  const who = { session_id: "s-1", agent_id: "a", flow_id: "f", node_id: "n" };
  await memory.write({
    ...who,
    user_id: "u-1",
    scope: "experience",
    data: { task_type: "t", tool_name: "x" },
  });
  const read = await memory.read({ ...who, task_type: "t", scopes: ["experience"] });
  assert.equal(read[0].payload.successes.length, 1);
  assert.equal((await memory.policy({ flow_id: "f", agent_id: "a" })).max_docs, 5);
});

test("every entry of the package refuses them in one way", () => {
  const source = readFileSync(new URL("../../pkg/src/base/options.ts", import.meta.url), "utf8");
  assert.match(source, /unknown option/);
  assert.equal(keepsake.known, undefined, "it is not for apps");
});

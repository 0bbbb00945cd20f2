// A memory as a server of the Model Context Protocol, driven by the official client.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { jsonl, openMemory } from "keepsake";
import { mcpServer, PortTransport } from "keepsake/mcp";
import { memoryOf } from "./support/talk.mjs";

const NINE = [
  "create_entities",
  "create_relations",
  "add_observations",
  "delete_entities",
  "delete_observations",
  "delete_relations",
  "read_graph",
  "search_nodes",
  "open_nodes",
];

async function connected(transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return client;
}

/** A client of a server of this memory. */
async function clientOf(memory, options) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(memory, options).connect(ours);
  return connected(theirs);
}

const caller = (client) => async (name, args) => {
  const { content, isError } = await client.callTool({ name, arguments: args });
  return { text: content[0].text, isError };
};

test("the client lists the tools and calls each of them", async () => {
  const client = await clientOf(await memoryOf(), { agent: "coder" });
  const { tools } = await client.listTools();
  const called = new Set();
  const call = async (name, args) => {
    called.add(name);
    const { text, isError } = await caller(client)(name, args);
    assert.equal(isError, false, `${name}: ${text}`);
    return text;
  };
  const added = JSON.parse(await call("memory_add", { content: "Deploy keys rotate on Mondays" }));
  const id = added.referenceId;
  assert.ok((await call("memory_search", { query: "deploy keys" })).includes(id));
  assert.match(await call("memory_get", { id }), /rotate on Mondays/);
  assert.match(await call("memory_stats", {}), /"total"/);
  await call("record_to_memory", { content: ["Ann is allergic to nuts."] });
  assert.match(await call("memory_search", { query: "allergic", scope: "memories" }), /nuts/);
  assert.match(await call("update_profile", { changes: { name: "Ann" } }), /Ann/);
  const path = "agents/coder/memory/context.md";
  await call("write_memory_file", { path, text: "# Current Context\n\n## Notes\n\n- old\n" });
  await call("update_memory_section", { file: "context", section: "Notes", text: "- new" });
  assert.match(await call("read_memory_file", { path }), /- new/);
  await call("record_decision", { title: "Keep bytes", decision: "Nothing is rewritten" });
  await call("record_learning", { title: "Retry", pattern: "Retry network calls" });
  assert.match(await call("memory_search", { query: "network", scope: "learnings" }), /Retry/);
  assert.match(await call("list_memory_files", {}), /^memory\/context\.md$/m);
  assert.equal(await call("memory_search", { query: "network", scope: "knowledge" }), "[]");
  await call("hand_over", { toAgent: "coder", task: "t", context: "c", expectedDeliverable: "d" });
  await call("memory_delete", { id });

  const ann = { name: "Ann", entityType: "person", observations: ["likes tea"] };
  const max = { name: "Max", entityType: "dog", observations: [] };
  const owns = { from: "Ann", to: "Max", relationType: "owns" };
  assert.deepEqual(JSON.parse(await call("create_entities", { entities: [ann, max] })), [ann, max]);
  assert.deepEqual(JSON.parse(await call("create_entities", { entities: [ann] })), [], "only new ones");
  assert.deepEqual(JSON.parse(await call("create_relations", { relations: [owns] })), [owns]);
  const more = [{ entityName: "Ann", contents: ["likes tea", "lives in Hanoi"] }];
  assert.deepEqual(JSON.parse(await call("add_observations", { observations: more })), [
    { entityName: "Ann", addedObservations: ["lives in Hanoi"] },
  ]);
  const graph = JSON.parse(await call("read_graph", {}));
  assert.deepEqual(graph.relations, [owns]);
  const found = JSON.parse(await call("search_nodes", { query: "Hanoi" }));
  assert.deepEqual(
    found.entities.map(({ name }) => name),
    ["Ann"],
  );
  await call("delete_observations", { deletions: [{ entityName: "Ann", observations: ["likes tea"] }] });
  const [opened] = JSON.parse(await call("open_nodes", { names: ["Ann"] })).entities;
  assert.deepEqual(opened, { name: "Ann", entityType: "person", observations: ["lives in Hanoi"] });
  await call("delete_relations", { relations: [owns] });
  assert.equal(await call("delete_entities", { entityNames: ["Ann"] }), "Entities deleted successfully");

  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => !called.has(name)),
    [],
    "every tool was called",
  );
  assert.ok(NINE.every((name) => called.has(name)));
});

test("the client reads files, entries and the profile as resources", async () => {
  const memory = await memoryOf();
  await memory.files.write("ghi chú/kế hoạch #1.md", "# Kế hoạch\n");
  const { id } = await memory.add("a memory with a content");
  await memory.profile.update({ name: "Ann" });
  const client = await clientOf(memory);
  const { resources } = await client.listResources();
  const texts = [];
  for (const { uri } of resources) texts.push((await client.readResource({ uri })).contents[0].text);
  assert.equal(resources.length, 2);
  assert.match(texts[0], /Ann/);
  assert.equal(texts[1], "# Kế hoạch\n");
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 2);
  const entry = await client.readResource({ uri: `keepsake://entries/${id}` });
  assert.equal(entry.contents[0].text, "a memory with a content");
  for (const uri of [
    "keepsake://files/../x",
    "keepsake://files/%2e%2e/x",
    "keepsake://files/none.md",
    "keepsake://entries/none",
    "keepsake://entries/%",
    "file:///etc/passwd",
  ]) {
    await assert.rejects(client.readResource({ uri }), { code: -32602 }, uri);
  }
});

test("what a model gets wrong is an answer; what it may not do is not offered and refused", async () => {
  const memory = await memoryOf();
  const client = await clientOf(memory, { readOnly: true });
  const { tools } = await client.listTools();
  assert.ok(tools.every(({ annotations }) => annotations.readOnlyHint));
  const call = caller(client);
  const wrong = [
    ["memory_delete", { id: "x" }, /may only be read here/],
    ["create_entities", { entities: [] }, /no such tool/],
    ["memory_search", { limit: 0 }, /`query` is required/],
    ["search_nodes", {}, /`query`/],
    ["fly", {}, /no such tool/],
  ];
  for (const [name, args, answer] of wrong) {
    const { text, isError } = await call(name, args);
    assert.equal(isError, true, name);
    assert.match(text, answer);
  }
  const writing = caller(await clientOf(memory));
  const unknown = [{ entityName: "Nobody", contents: ["x"] }];
  assert.match((await writing("add_observations", { observations: unknown })).text, /Nobody not found/);
  assert.equal((await writing("create_entities", { entities: [{ entityType: "x" }] })).isError, true);
  assert.deepEqual((await memory.semantic.graph.read()).entities, []);
  await memory.close();
  assert.match((await writing("memory_stats", {})).text, /closed/);
});

test("finding 7: ill-typed arguments of the graph's tools are refused by name, and nothing is done", async () => {
  const memory = await memoryOf();
  const call = caller(await clientOf(memory));
  const entity = { name: "Ann", entityType: "person", observations: ["likes tea"] };
  await call("create_entities", { entities: [entity] });
  const before = await memory.semantic.graph.read();
  for (const [name, args, field] of [
    ["create_entities", { entities: "Bob" }, "entities"],
    ["create_entities", {}, "entities"],
    ["create_entities", { entities: { 0: entity } }, "entities"],
    ["create_entities", { entities: ["Bob"] }, "entities[0]"],
    ["create_entities", { entities: [entity, null] }, "entities[1]"],
    ["create_entities", { entities: [{ ...entity, name: 7 }] }, "entities[0].name"],
    [
      "create_entities",
      { entities: [{ ...entity, name: "Bob", observations: "tea" }] },
      "entities[0].observations",
    ],
    ["create_relations", { relations: { from: "Ann", to: "Bob", relationType: "knows" } }, "relations"],
    [
      "create_relations",
      { relations: [{ from: "Ann", to: ["Bob"], relationType: "knows" }] },
      "relations[0].to",
    ],
    ["add_observations", { observations: "x" }, "observations"],
    [
      "add_observations",
      { observations: [{ entityName: "Ann", contents: [7] }] },
      "observations[0].contents[0]",
    ],
    ["delete_entities", { entityNames: "Ann" }, "entityNames"],
    ["delete_entities", { names: ["Ann"] }, "entityNames"],
    ["delete_entities", { entityNames: [["Ann"]] }, "entityNames[0]"],
    ["delete_observations", { deletions: 7 }, "deletions"],
    ["delete_observations", { deletions: [{ entityName: "Ann" }] }, "deletions[0].observations"],
    ["delete_relations", { relations: "all" }, "relations"],
    ["search_nodes", { query: ["Ann"] }, "query"],
    ["open_nodes", { names: "Ann" }, "names"],
  ]) {
    const { text, isError } = await call(name, args);
    assert.equal(isError, true, `${name} ${JSON.stringify(args)}: ${text}`);
    assert.ok(text.includes(`\`${field}\``), `${name}: ${text}`);
  }
  assert.deepEqual(await memory.semantic.graph.read(), before);
});

test("through a port, as in a page; closing one end closes the other", async () => {
  const { port1, port2 } = new MessageChannel();
  await mcpServer(await memoryOf()).connect(new PortTransport(port1));
  const client = await connected(new PortTransport(port2));
  const closed = new Promise((resolve) => {
    client.onclose = resolve;
  });
  const { isError } = await caller(client)("memory_add", { content: "through a port" });
  assert.equal(isError, false);
  port1.postMessage(null);
  await closed;
  await assert.rejects(client.listTools());
});

test("two clients, each with a server program of its own on one file, write at once and lose nothing", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-mcp-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "memory.jsonl");
  const program = fileURLToPath(new URL("./support/mcp-stdio.mjs", import.meta.url));
  const start = () =>
    connected(new StdioClientTransport({ command: process.execPath, args: [program, path] }));
  const clients = await Promise.all([start(), start()]);
  const adds = clients.flatMap((client, which) =>
    Array.from({ length: 50 }, (_, n) =>
      caller(client)("memory_add", { content: `fact ${n} of ${which}`, namespace: "long-term" }),
    ),
  );
  for (const { text, isError } of await Promise.all(adds)) assert.equal(isError, false, text);
  await Promise.all(clients.map((client) => client.close()));
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  assert.equal(await memory.count(), 100);
  await memory.close();
});

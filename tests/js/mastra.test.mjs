// Mastra's memory storage: the same answers as the framework's own, agents that remember, reloads, two at once.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { InMemoryDB, InMemoryMemory, InMemoryStore } from "@mastra/core/storage";
import { jsonl, MemoryError, openMemory } from "keepsake";
import { KeepsakeMemoryStorage, keepsakeStore } from "keepsake/mastra";
import { memoryOf } from "./support/talk.mjs";

const at = (minute) => new Date(Date.UTC(2024, 0, 1, 0, minute));
const thread = (id, resourceId = "ann", minute = 0, more = {}) => ({
  id,
  resourceId,
  title: `Thread ${id}`,
  metadata: { kind: id },
  createdAt: at(minute),
  updatedAt: at(minute),
  ...more,
});
const message = (id, threadId, minute, more = {}) => ({
  id,
  threadId,
  resourceId: "ann",
  role: "user",
  type: "text",
  createdAt: at(minute),
  content: { format: 2, parts: [{ type: "text", text: `words of ${id}` }], metadata: { of: id, n: minute } },
  ...more,
});

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-mastra-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Does the same on both and compares what they answer, but for the times of changes. */
async function both() {
  const theirs = new InMemoryMemory({ db: new InMemoryDB() });
  const ours = new KeepsakeMemoryStorage(await memoryOf());
  // When something was done is told by a clock.
  const timeless = (key, value) => {
    if (["updatedAt", "clonedAt"].includes(key)) return "then";
    return key === "createdAt" && value > "2025" ? "now" : value;
  };
  const shown = (value) => JSON.parse(JSON.stringify(value ?? null, timeless));
  const answer = async (storage, name, args) => {
    try {
      return { answer: shown(await storage[name](structuredClone(args))) };
    } catch (error) {
      return { error: error.message.replace(/^`(\w+)` /, "$1 ") };
    }
  };
  const call = async (name, args) => {
    const [one, other] = [await answer(ours, name, args), await answer(theirs, name, args)];
    assert.deepEqual(one, other, `${name} ${JSON.stringify(args)}`);
    return one.answer;
  };
  return { call, ours, theirs };
}

const IDS = ["t-1", "t/2", "__proto__", "a:b%2F", "chuyện 👩‍🚀", " x "];

test("threads: the same answers as the framework's own storage", async () => {
  const { call } = await both();
  for (const [n, id] of IDS.entries()) {
    await call("saveThread", { thread: thread(id, n % 2 ? "bob" : "ann", n >> 1) });
  }
  for (const id of [...IDS, "none", "t-1/"]) {
    await call("getThreadById", { threadId: id });
    await call("getThreadById", { threadId: id, resourceId: "ann" });
  }
  await call("updateThread", { id: "t-1", title: "New" });
  await call("updateThread", { id: "t/2", metadata: { more: [1, { a: null }], kind: "other" } });
  await call("updateThread", { id: "none", title: "x" });
  await call("patchThread", { id: "t-1", metadata: { patched: true } });
  await call("saveThread", { thread: thread("t-1", "ann", 9, { title: undefined, metadata: undefined }) });
  const lists = [
    {},
    { perPage: 2 },
    { perPage: 2, page: 1 },
    { perPage: 2, page: 9 },
    { perPage: false },
    { perPage: 0 },
    { filter: { resourceId: "bob" } },
    { filter: { metadata: { kind: "other" } } },
    { filter: { resourceId: "ann", metadata: { kind: "__proto__" } } },
    { filter: { metadata: { more: [1, { a: null }] } } },
    { orderBy: { field: "createdAt", direction: "ASC" } },
    { orderBy: { field: "createdAt", direction: "DESC" }, perPage: 3 },
    { page: -1 },
    { perPage: -1 },
    { perPage: 1.5 },
    { page: 1, perPage: false },
    { filter: { metadata: { "no good": 1 } } },
    { filter: { metadata: JSON.parse('{"__proto__":1}') } },
  ];
  for (const args of lists) await call("listThreads", args);
  await call("deleteThread", { threadId: "t/2" });
  await call("deleteThread", { threadId: "none" });
  await call("listThreads", {});
});

test("messages: the same answers as the framework's own storage, page by page", async () => {
  const { call } = await both();
  for (const id of IDS) await call("saveThread", { thread: thread(id) });
  const all = Array.from({ length: 12 }, (_, n) => message(`m-${n}`, n % 3 ? "t-1" : "t/2", n >> 1));
  all[4].resourceId = "bob";
  all[5].role = "assistant";
  await call("saveMessages", { messages: all });
  await call("saveMessages", { messages: [] });
  await call("saveMessages", { messages: [message("m-3", "t/2", 7), message("__proto__", "__proto__", 3)] });
  await call("saveMessages", { messages: [message("m-4", "t/2", 2, { resourceId: "bob" })] });
  const lists = [
    { threadId: "t-1" },
    { threadId: "t/2" },
    { threadId: "t" },
    { threadId: "__proto__" },
    { threadId: ["t-1", "t/2"] },
    { threadId: ["t-1", "t-1"], perPage: 3 },
    { threadId: [] },
    { threadId: "" },
    { threadId: ["t-1", " "] },
    { threadId: "t-1", resourceId: "bob" },
    { threadId: "t/2", resourceId: "ann" },
    { threadId: "t-1", perPage: 3 },
    { threadId: "t-1", perPage: 3, page: 1 },
    { threadId: "t-1", perPage: 3, page: 2 },
    { threadId: "t-1", perPage: 3, page: 9 },
    { threadId: "t-1", perPage: false },
    { threadId: "t-1", perPage: 0 },
    { threadId: "t-1", page: -1 },
    { threadId: "t-1", page: Number.MAX_SAFE_INTEGER },
    { threadId: "t-1", perPage: -3 },
    { threadId: "t-1", perPage: 2, orderBy: { field: "createdAt", direction: "DESC" } },
    { threadId: "t-1", orderBy: { field: "updatedAt", direction: "DESC" } },
    { threadId: "t-1", filter: { dateRange: { start: at(1), end: at(3) } } },
    {
      threadId: "t-1",
      filter: { dateRange: { start: at(1), startExclusive: true, end: at(3), endExclusive: true } },
    },
    { threadId: "t-1", filter: { metadata: { of: "m-5" } } },
    { threadId: "t-1", filter: { metadata: { n: 2 } }, perPage: 1 },
    { threadId: "t-1", filter: { metadata: { "bad key": 1 } } },
    { threadId: "t-1", perPage: 0, include: [{ id: "m-5", withPreviousMessages: 1, withNextMessages: 1 }] },
    {
      threadId: "t-1",
      perPage: 2,
      include: [
        { id: "m-10", withPreviousMessages: 2 },
        { id: "m-8", withNextMessages: 1 },
      ],
    },
    { threadId: "t-1", perPage: 1, include: [{ id: "m-6", withPreviousMessages: 9, withNextMessages: 9 }] },
    { threadId: "t-1", perPage: 1, include: [{ id: "none" }, { id: "__proto__" }] },
    {
      threadId: "t-1",
      resourceId: "ann",
      perPage: 1,
      include: [{ id: "m-4", withNextMessages: 1 }, { id: "m-5" }],
    },
    { threadId: ["t-1", "t/2"], perPage: 1, include: [{ id: "m-5" }] },
  ];
  for (const args of lists) await call("listMessages", args);
  const { threadId: _, ...rest } = lists[24];
  for (const args of [
    {},
    { perPage: 4, page: 1 },
    { perPage: false },
    rest,
    { include: [{ id: "m-4" }, { id: "m-6", withNextMessages: 1 }], perPage: 2 },
  ]) {
    await call("listMessagesByResourceId", { resourceId: "ann", ...args });
    await call("listMessagesByResourceId", { resourceId: "bob", ...args });
  }
  await call("listMessagesById", { messageIds: ["m-7", "none", "m-1", "m-7", "__proto__"] });
  await call("listMessagesById", { messageIds: [] });
  const changes = [
    { id: "m-1", content: { metadata: { extra: 1 } } },
    { id: "m-1", content: { content: "plain words" }, role: "assistant" },
    { id: "m-2", threadId: "t/2", resourceId: "bob", type: "text" },
    { id: "none", role: "assistant" },
    { id: "m-5", content: { format: 2, parts: [] } },
  ];
  await call("updateMessages", { messages: changes });
  await call("deleteMessages", ["m-7", "none"]);
  await call("deleteMessages", []);
  for (const threadId of ["t-1", "t/2"]) await call("listMessages", { threadId, perPage: false });
  await call("deleteThread", { threadId: "t/2" });
  await call("listMessages", { threadId: "t/2" });
  await call("listMessagesById", { messageIds: ["m-0", "m-1", "m-2"] });
  await call("dangerouslyClearAll", undefined);
  await call("listThreads", {});
});

test("resources, copies and new owners: the same answers as the framework's own storage", async () => {
  const { call, ours, theirs } = await both();
  await call("getResourceById", { resourceId: "ann" });
  await call("updateResource", { resourceId: "ann", workingMemory: "# Ann", metadata: { a: 1 } });
  await call("updateResource", { resourceId: "ann", metadata: { b: 2 } });
  await call("updateResource", { resourceId: "__proto__", workingMemory: "" });
  await call("saveResource", {
    resource: { id: "bob", workingMemory: "x", metadata: {}, createdAt: at(0), updatedAt: at(0) },
  });
  for (const resourceId of ["ann", "bob", "__proto__"]) await call("getResourceById", { resourceId });
  await call("saveThread", { thread: thread("t-1") });
  await call("saveMessages", { messages: Array.from({ length: 6 }, (_, n) => message(`m-${n}`, "t-1", n)) });
  const copies = [
    { newThreadId: "c-1" },
    { newThreadId: "c-2", resourceId: "bob", title: "Copy", metadata: { x: 1 } },
    { newThreadId: "c-3", options: { messageLimit: 2 } },
    {
      newThreadId: "c-4",
      options: { messageFilter: { startDate: at(1), endDate: at(4), messageIds: ["m-0", "m-2", "m-4"] } },
    },
    { newThreadId: "c-5", options: { messageFilter: { startDate: at(99) } } },
  ];
  for (const copy of copies) {
    const args = { sourceThreadId: "t-1", ...copy };
    const told = async (storage) => {
      const { thread, clonedMessages, messageIdMap } = await storage.cloneThread(args);
      const back = new Map(Object.entries(messageIdMap).map(([from, to]) => [to, from]));
      const { createdAt, updatedAt, metadata, ...rest } = thread;
      const told = {
        ...rest,
        clone: { ...metadata, clone: { ...metadata.clone, clonedAt: 0 } },
        messages: clonedMessages.map((message) => ({ ...message, id: back.get(message.id) })),
      };
      return JSON.parse(JSON.stringify(told));
    };
    const [one, other] = [await told(ours), await told(theirs)];
    assert.deepEqual(one, other);
    assert.equal(one.id, copy.newThreadId);
  }
  await call("copyThread", { sourceThreadId: "none" });
  await call("copyThread", { sourceThreadId: "t-1", newThreadId: "c-1" });
  await call("updateThreadResourceId", { threadId: "t-1", resourceId: "bob" });
  await call("updateThreadResourceId", { threadId: "t-1", resourceId: "bob" });
  await call("updateThreadResourceId", { threadId: "none", resourceId: "bob" });
  await call("listMessages", { threadId: "t-1" });
  await call("listMessagesByResourceId", {
    resourceId: "ann",
    filter: { dateRange: { end: at(0) } },
    perPage: 0,
  });
});

/** A model that says what the script says, and notes what it was told. */
function scripted(replies) {
  const asked = [];
  const next = (options) => {
    asked.push(JSON.stringify(options.prompt));
    return replies.shift() ?? { text: "nothing more" };
  };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const finish = ({ call }) => (call ? "tool-calls" : "stop");
  const model = {
    specificationVersion: "v2",
    provider: "script",
    modelId: "script",
    supportedUrls: {},
    async doGenerate(options) {
      const reply = next(options);
      const content = reply.call
        ? [{ type: "tool-call", toolCallId: "c-1", toolName: reply.call, input: JSON.stringify(reply.args) }]
        : [{ type: "text", text: reply.text }];
      return { content, finishReason: finish(reply), usage, warnings: [] };
    },
    async doStream(options) {
      const reply = next(options);
      const parts = reply.call
        ? [{ type: "tool-call", toolCallId: "c-1", toolName: reply.call, input: JSON.stringify(reply.args) }]
        : [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: reply.text },
            { type: "text-end", id: "1" },
          ];
      const all = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason: finish(reply), usage },
      ];
      const stream = new ReadableStream({
        start(controller) {
          for (const part of all) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  return { model, asked };
}

test("an agent remembers what was said before a reload, and its working memory", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const open = async (replies) => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    const storage = keepsakeStore(memory);
    const { model, asked } = scripted(replies);
    const agent = new Agent({
      id: "helper",
      name: "helper",
      instructions: "Help.",
      model,
      memory: new MockMemory({ storage, enableWorkingMemory: true }),
    });
    const mastra = new Mastra({ agents: { helper: agent }, storage, logger: false });
    return { memory, agent: mastra.getAgent("helper"), asked, storage };
  };
  const of = { memory: { thread: "trip", resource: "ann" } };
  const first = await open([
    { call: "updateWorkingMemory", args: { memory: "# Ann\n- allergic to nuts" } },
    { text: "I will remember that." },
    { text: "Yes." },
  ]);
  const said = await first.agent.generate("I am Ann, and I am allergic to nuts.", of);
  assert.equal(said.text, "I will remember that.");
  const streamed = await first.agent.stream("Do you know me?", of);
  assert.equal(await streamed.text, "Yes.");
  await first.memory.close();

  const second = await open([{ text: "You are Ann." }]);
  t.after(() => second.memory.close());
  const { text } = await second.agent.generate("Who am I?", of);
  assert.equal(text, "You are Ann.");
  assert.match(second.asked[0], /I am Ann, and I am allergic to nuts/);
  assert.match(second.asked[0], /# Ann\\*\\n- allergic to nuts/);
  const store = await second.storage.getStore("memory");
  const { messages } = await store.listMessages({ threadId: "trip", perPage: false });
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["user", "assistant", "user", "assistant", "user", "assistant"],
  );
  const [hit] = await store.searchMessages("allergic to nuts", { threadId: "trip" });
  assert.equal(hit.message.role, "user");
  assert.deepEqual(await store.searchMessages("allergic", { threadId: "other" }), []);
});

test("beside another store for everything else", async () => {
  const memory = await memoryOf();
  const storage = keepsakeStore(memory, { id: "both", default: new InMemoryStore(), collection: "mine" });
  assert.ok((await storage.getStore("memory")) instanceof KeepsakeMemoryStorage);
  assert.ok(await storage.getStore("workflows"));
  await (await storage.getStore("memory")).saveThread({ thread: thread("t-1") });
  assert.equal((await memory.collection("mine").list()).length, 1);
});

test("two instances write at once: every message, title and field of metadata is there", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const memories = await Promise.all([1, 2].map(() => openMemory({ user: "u-1", storage: jsonl(path) })));
  t.after(() => Promise.all(memories.map((memory) => memory.close())));
  const two = memories.map((memory) => new KeepsakeMemoryStorage(memory));
  await two[0].saveThread({ thread: thread("t-1") });
  await two[0].saveMessages({ messages: [message("shared", "t-1", 0)] });
  await Promise.all(
    two.flatMap((storage, which) =>
      Array.from({ length: 6 }, (_, n) => [
        storage.saveMessages({ messages: [message(`m-${which}-${n}`, "t-1", n)] }),
        storage.updateThread({ id: "t-1", metadata: { [`f${which}${n}`]: n } }),
        storage.updateThreadMetadata({
          id: "t-1",
          update: ({ metadata }) => ({ count: (metadata.count ?? 0) + 1 }),
        }),
        storage.updateMessages({
          messages: [{ id: "shared", content: { metadata: { [`g${which}${n}`]: n } } }],
        }),
        storage.updateResource({ resourceId: "ann", metadata: { [`h${which}${n}`]: n } }),
      ]).flat(),
    ),
  );
  const { total } = await two[0].listMessages({ threadId: "t-1", perPage: false });
  assert.equal(total, 13);
  const { metadata } = await two[1].getThreadById({ threadId: "t-1" });
  assert.equal(Object.keys(metadata).length, 14);
  assert.equal(metadata.count, 12);
  const { messages } = await two[1].listMessagesById({ messageIds: ["shared"] });
  assert.equal(Object.keys(messages[0].content.metadata).length, 14);
  assert.equal(Object.keys((await two[1].getResourceById({ resourceId: "ann" })).metadata).length, 12);
});

test("bad input is refused with its field, and leaves nothing behind", async () => {
  const memory = await memoryOf();
  const storage = new KeepsakeMemoryStorage(memory);
  const good = message("m", "t", 0);
  const save = (more) => storage.saveMessages({ messages: [message("ok", "t", 0), { ...good, ...more }] });
  const wrong = [
    [() => storage.saveThread({ thread: thread("") }), "thread.id"],
    [() => storage.saveThread({ thread: undefined }), "thread.id"],
    [() => storage.saveThread({ thread: thread("\uD800") }), "thread.id"],
    [() => storage.saveThread({ thread: thread("t", 7) }), "thread.resourceId"],
    [() => storage.saveThread({ thread: thread("t", "r", 0, { createdAt: "soon" }) }), "thread.createdAt"],
    [() => storage.getThreadById({ threadId: "" }), "threadId"],
    [() => storage.getThreadById({ threadId: 7 }), "threadId"],
    [() => save({ id: "" }), "messages[1].id"],
    [() => save({ id: undefined }), "messages[1].id"],
    [() => save({ threadId: undefined }), "messages[1].threadId"],
    [() => save({ createdAt: new Date(Number.NaN) }), "messages[1].createdAt"],
    [() => save({ content: undefined }), "messages[1].content"],
    [() => storage.saveMessages({ messages: [null] }), "messages[0].id"],
    [() => storage.listMessages({ threadId: 7 }), "threadId"],
    [() => storage.listMessages({ threadId: "t", page: 0.5 }), "page"],
    [() => storage.listMessagesById({ messageIds: "m" }), "messageIds"],
    [() => storage.updateResource({ resourceId: "" }), "resourceId"],
    [() => storage.updateThread({ id: "none" }), "id"],
    [() => storage.copyThread({ sourceThreadId: "none" }), "sourceThreadId"],
  ];
  for (const [act, field] of wrong) {
    await assert.rejects(act, (error) => {
      assert.ok(error instanceof MemoryError, `${act}: ${error.stack}`);
      assert.equal(error.field, field, String(act));
      return true;
    });
  }
  await assert.rejects(save({ content: { format: 2, parts: [], text: "x".repeat(9_000_000) } }), {
    code: "too-large",
  });
  await assert.rejects(storage.saveThread({ thread: thread("t".repeat(2000)) }), { code: "too-large" });
  assert.deepEqual(await memory.collection("mastra").list(), []);
  assert.throws(() => new KeepsakeMemoryStorage({}), { field: "memory" });
  assert.equal(storage.supportsObservationalMemory, false);
  await assert.rejects(storage.getObservationalMemory("t", "r"), /not implemented/);
  await memory.close();
  await assert.rejects(storage.listThreads({}), { code: "closed" });
  await assert.rejects(storage.saveThread({ thread: thread("t") }), { code: "closed" });
});

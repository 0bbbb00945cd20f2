// LangChain's interfaces on a memory, with LangChain's own chains and messages.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  AIMessage,
  AIMessageChunk,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import { RunnableWithMessageHistory } from "@langchain/core/runnables";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeChatMessageHistory, KeepsakeKeyValueStore, KeepsakeRetriever } from "keepsake/langchain";
import { memoryOf } from "./support/talk.mjs";

const historyOf = (memory, sessionId = "s-1") =>
  new KeepsakeChatMessageHistory(memory, { sessionId, compression: false });

/** What LangChain put in a message: its class, and every field that it has. */
const fieldsOf = (message) => ({
  of: message.constructor.name,
  ...Object.fromEntries(Object.entries(message).filter(([name]) => !name.startsWith("lc_"))),
});

async function folderOf(t) {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-langchain-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const hostile = JSON.parse('{"__proto__": {"lc": 1}, "a/b": [null, true, 0.1], "constructor": "x", "lc": 1}');

const MESSAGES = [
  new SystemMessage({ content: "Be kind.", id: "sys", additional_kwargs: { __openai_role__: "developer" } }),
  new HumanMessage({ content: "What is this?", name: "Ann", id: "h-1", response_metadata: { at: 1 } }),
  new HumanMessage(""),
  new HumanMessage({ content: [] }),
  new HumanMessage({
    content: [
      { type: "text", text: "Look:", cache_control: { type: "ephemeral" }, citations: null },
      { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw==" } },
      { type: "image_url", image_url: "https://example.com/b.png" },
      { type: "image", source_type: "base64", data: "iVBORw==", mime_type: "image/png" },
      { type: "image", source: { type: "url", url: "https://example.com/c.png" } },
      { type: "audio", data: new Uint8Array([0, 1, 255]), mimeType: "audio/wav" },
      { type: "video", fileId: "f-1", id: "block-1" },
      {
        type: "file",
        url: "https://example.com/a.pdf",
        mimeType: "application/pdf",
        metadata: { name: "a" },
      },
      { type: "file", file: { file_data: "x", filename: "a.pdf" } },
      { type: "document", source: { type: "text", data: "plain" }, title: "A" },
      { type: "tool_result", tool_use_id: "c-0", content: "Sunny" },
      { type: "langchain", part: 1 },
      { type: "text", text: "marked", langchain: { type: "tool_use" } },
      { type: "marked", langchain: { type: "tool_use" } },
      { type: "a-kind-of-tomorrow", deep: [{ er: hostile }] },
      { no: "type" },
    ],
  }),
  new AIMessage({
    content: [
      { type: "thinking", thinking: "Hm.", signature: "s==" },
      { type: "reasoning", reasoning: "So be it.", index: 0 },
      { type: "text", text: "I ask." },
      { type: "tool_use", id: "c-1", name: "weather", input: { city: "Hà Nội" } },
      { type: "tool_use", id: "c-9", name: "nothing", input: null },
      { type: "tool_call", id: "c-2", name: "time", args: hostile },
    ],
    id: "ai-1",
    tool_calls: [
      { type: "tool_call", id: "c-1", name: "weather", args: { city: "Hà Nội" } },
      { type: "tool_call", id: "c-3", name: "added", args: { lc: 1, deep: { er: [] } } },
      { type: "tool_call", name: "without an id", args: {} },
    ],
    invalid_tool_calls: [{ type: "invalid_tool_call", id: "c-4", name: "bad", args: "{", error: "no JSON" }],
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    additional_kwargs: { refusal: null, own: hostile },
    response_metadata: { finish_reason: "tool_calls" },
  }),
  new ToolMessage({ content: "Sunny", tool_call_id: "c-1", name: "weather", artifact: { raw: [1, 2] } }),
  new ToolMessage({ content: "No such city", tool_call_id: "c-3", status: "error", id: "t-1" }),
  new ToolMessage({ content: [{ type: "text", text: "12:00" }], tool_call_id: "", metadata: { a: 1 } }),
  new AIMessage("It is sunny."),
  new ChatMessage({ content: "Is it?", role: "critic" }),
  new ChatMessage({ content: "It is.", role: "constructor" }),
  new FunctionMessage({ content: "42", name: "answer" }),
];

test("everything that LangChain puts in a message comes back, also after a reload", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const open = () => openMemory({ user: "u-1", storage: jsonl(path) });
  const memory = await open();
  const history = historyOf(memory);
  const before = MESSAGES.map(fieldsOf);
  await history.addMessages(MESSAGES);
  assert.deepEqual(MESSAGES.map(fieldsOf), before, "the messages themselves are left alone");
  assert.deepEqual((await history.getMessages()).map(fieldsOf), before);
  await memory.close();
  const again = await open();
  assert.deepEqual((await historyOf(again).getMessages()).map(fieldsOf), before);
  assert.equal(Object.getPrototypeOf({}).lc, undefined);
  await again.close();
});

test("fields that are larger or deeper than metadata may be come back as well", async () => {
  const memory = await memoryOf();
  const history = historyOf(memory);
  let deep = { end: true };
  for (let level = 0; level < 40; level++) deep = { deep };
  const messages = [
    new AIMessage({ content: "large", additional_kwargs: { audio: "ả".repeat(50_000) }, id: "a" }),
    new AIMessage({ content: "deep", response_metadata: deep }),
    new ToolMessage({ content: "both", tool_call_id: "c", artifact: { deep, audio: "x".repeat(100_000) } }),
  ];
  await history.addMessages(messages);
  assert.deepEqual((await history.getMessages()).map(fieldsOf), messages.map(fieldsOf));
});

test("search, context and providers' forms of the memory see the talk", async () => {
  const memory = await memoryOf();
  const history = historyOf(memory);
  await history.addUserMessage("I keep my bicycle in the cellar");
  await history.addMessages([
    new AIMessage({
      content: [{ type: "thinking", thinking: "A note.", signature: "s==" }],
      tool_calls: [{ id: "c-1", name: "note", args: { text: "bicycle" } }],
    }),
    new ToolMessage({ content: "Noted", tool_call_id: "c-1" }),
  ]);
  await history.addAIMessage("I noted it.");
  const found = await memory.queryMemory("where in the cellar is the bicycle?");
  assert.deepEqual([found[0].kind, found[0].text], ["message", "I keep my bicycle in the cellar"]);
  const { messages } = await history.session.context({ format: "anthropic", budget: 1000 });
  const parts = messages.messages.flatMap(({ content }) => content);
  assert.deepEqual(
    parts.map(({ type }) => type),
    ["text", "thinking", "tool_use", "tool_result", "text"],
  );
  assert.deepEqual(parts[1], { type: "thinking", thinking: "A note.", signature: "s==" });
  assert.deepEqual(parts[2].input, { text: "bicycle" });
  assert.equal(
    JSON.stringify(messages).includes("langchain"),
    false,
    "nothing of ours is sent to a provider",
  );
});

test("what others appended to the session is there in LangChain's form", async () => {
  const memory = await memoryOf();
  const history = historyOf(memory);
  await history.session.append([
    { role: "system", content: "Be kind." },
    { role: "user", name: "Ann", content: "Weather?" },
    {
      role: "assistant",
      content: [
        { type: "thought", text: "Hm." },
        { type: "tool_use", id: "c-1", name: "weather", input: { city: "Hanoi" } },
      ],
    },
    { role: "tool", content: [{ type: "tool_result", toolUseId: "c-1", output: "Sunny", isError: true }] },
    { role: "user", content: [{ type: "file", mediaType: "image/png", data: "iVBORw==", name: "a.png" }] },
  ]);
  const [system, ann, ai, tool, image] = await history.getMessages();
  assert.ok(system instanceof SystemMessage);
  assert.equal(system.text, "Be kind.");
  assert.equal(ann.name, "Ann");
  assert.deepEqual(ai.tool_calls, [
    { type: "tool_call", id: "c-1", name: "weather", args: { city: "Hanoi" } },
  ]);
  assert.deepEqual(ai.content, [{ type: "reasoning", reasoning: "Hm." }]);
  assert.ok(tool instanceof ToolMessage);
  assert.deepEqual([tool.tool_call_id, tool.content, tool.status], ["c-1", "Sunny", "error"]);
  const [part] = image.content;
  assert.deepEqual([part.type, part.mimeType, part.data], ["image", "image/png", "iVBORw=="]);
});

test("B38 a chain with a history remembers over turns and reloads, and sessions do not mix", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const seen = [];
  /** The model is scripted; chain, prompt and history are LangChain's own. */
  class Scripted extends FakeListChatModel {
    async _generate(messages, ...rest) {
      seen.push(messages.map(({ text }) => text));
      return super._generate(messages, ...rest);
    }
  }
  const prompt = ChatPromptTemplate.fromMessages([
    ["system", "Be kind."],
    new MessagesPlaceholder("history"),
    ["human", "{input}"],
  ]);
  const turn = async (input, sessionId, answer) => {
    const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
    const chain = new RunnableWithMessageHistory({
      runnable: prompt.pipe(new Scripted({ responses: [answer] })),
      getMessageHistory: (sessionId) => historyOf(memory, sessionId),
      inputMessagesKey: "input",
      historyMessagesKey: "history",
    });
    const { text } = await chain.invoke({ input }, { configurable: { sessionId } });
    assert.equal(text, answer);
    await memory.close();
  };
  await turn("I am Ann", "one", "Hello Ann");
  await turn("I am Bob", "two", "Hello Bob");
  await turn("Who am I?", "one", "Ann");
  assert.deepEqual(seen, [
    ["Be kind.", "I am Ann"],
    ["Be kind.", "I am Bob"],
    ["Be kind.", "I am Ann", "Hello Ann", "Who am I?"],
  ]);
});

test("a chain that streams, and one whose input is messages", async () => {
  const memory = await memoryOf();
  const chain = new RunnableWithMessageHistory({
    runnable: new FakeListChatModel({ responses: ["Hello", "Again"] }),
    getMessageHistory: (sessionId) => historyOf(memory, sessionId),
  });
  const options = { configurable: { sessionId: "s-1" } };
  let streamed = "";
  for await (const chunk of await chain.stream([new HumanMessage("Hi")], options)) streamed += chunk.text;
  assert.equal(streamed, "Hello");
  await chain.invoke([new HumanMessage("And?")], options);
  const said = (await historyOf(memory).getMessages()).map((message) => [message.type, message.text]);
  assert.deepEqual(said, [
    ["human", "Hi"],
    ["ai", "Hello"],
    ["human", "And?"],
    ["ai", "Again"],
  ]);
});

test("the prompt of the next turn keeps to its budget, with summaries and memories", async () => {
  const memory = await memoryOf();
  await memory.add("Ann is allergic to peanuts", { namespace: "long-term" });
  const history = historyOf(memory);
  for (let turn = 0; turn < 20; turn++) {
    await history.addUserMessage(`Turn ${turn}. ${"More words. ".repeat(20)}`);
    await history.addAIMessage(`Reply ${turn}.`);
  }
  await history.addUserMessage("Snacks with peanuts?");
  const messages = await history.getContext({ budget: 1000, system: "Be kind." });
  assert.ok(messages[0] instanceof SystemMessage);
  assert.match(messages[0].text, /Be kind\.[\s\S]*allergic to peanuts/);
  assert.equal(messages.at(-1).text, "Snacks with peanuts?");
  assert.ok(messages.length > 2 && messages.length < 41, `${messages.length}`);
});

test("two instances on one session lose nothing, and clear takes every message away", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const open = () => openMemory({ user: "u-1", storage: jsonl(path) });
  const memories = [await open(), await open()];
  await Promise.all(
    memories.flatMap((memory, which) =>
      Array.from({ length: 20 }, (_, n) => historyOf(memory).addUserMessage(`${which}-${n}`)),
    ),
  );
  const texts = async (memory) => (await historyOf(memory).getMessages()).map(({ text }) => text);
  const [one, two] = await Promise.all(memories.map(texts));
  assert.deepEqual(one, two);
  assert.equal(new Set(one).size, 40);
  await memories[0].add("kept", { session: "s-1" });
  await historyOf(memories[0]).clear();
  assert.deepEqual(await texts(memories[1]), []);
  assert.equal(await memories[1].count(), 1, "what was recorded stays");
  await historyOf(memories[1]).clear();
  await historyOf(memories[1]).addUserMessage("anew");
  assert.deepEqual(await texts(memories[0]), ["anew"]);
  await Promise.all(memories.map((memory) => memory.close()));
});

test("what is no message, or too large, is refused by its place, and nothing of the batch is stored", async () => {
  const memory = await memoryOf();
  for (const options of [undefined, {}, { sessionId: "" }, { sessionId: 1 }]) {
    assert.throws(() => new KeepsakeChatMessageHistory(memory, options), { field: "sessionId" });
  }
  const history = historyOf(memory);
  const good = new HumanMessage("good");
  const cyclic = {};
  cyclic.self = cyclic;
  const refused = [
    [good, undefined],
    [good, "text"],
    [good, { role: "user", content: "x" }],
    [good, new RemoveMessage({ id: "x" })],
    [good, new HumanMessage({ content: "x", additional_kwargs: { cyclic } })],
    [good, new HumanMessage({ content: "x", additional_kwargs: { big: 1n } })],
  ];
  for (const batch of refused) {
    await assert.rejects(history.addMessages(batch), { code: "invalid-input", field: "messages[1]" });
  }
  await assert.rejects(history.addMessages("text"), { code: "invalid-input", field: "messages" });
  await assert.rejects(history.addMessages([good, new HumanMessage("x".repeat(1_100_000))]), {
    code: "too-large",
    field: "messages[1]",
  });
  await assert.rejects(history.addUserMessage("half \ud800"), { code: "invalid-input" });
  await history.addMessages([]);
  assert.deepEqual(await history.getMessages(), []);
  await memory.close();
  await assert.rejects(history.addUserMessage("x"), { code: "closed" });
  await assert.rejects(history.getMessages(), { code: "closed" });
  await assert.rejects(history.clear(), { code: "closed" });
});

test("the chunks of a stream are kept as the message that they are", async () => {
  const history = historyOf(await memoryOf());
  const chunk = new AIMessageChunk({
    content: "Hel",
    tool_call_chunks: [{ type: "tool_call_chunk", id: "c", name: "f", args: '{"a":1}', index: 0 }],
  }).concat(new AIMessageChunk("lo"));
  await history.addMessage(chunk);
  const [message] = await history.getMessages();
  assert.ok(message instanceof AIMessage);
  assert.equal(message.text, "Hello");
  assert.deepEqual(message.tool_calls, [{ type: "tool_call", id: "c", name: "f", args: { a: 1 } }]);
});

test("the retriever answers with documents: over everything, or over memories by filters", async () => {
  const memory = await memoryOf();
  const long = `Ann drinks tea. ${"She has many cups. ".repeat(200)}`;
  const { id } = await memory.add(long, { tags: ["tea"], source: "diary", metadata: { page: 3 } });
  await memory.add("Ann drinks coffee", { tags: ["coffee"] });
  await historyOf(memory, "s-9").addUserMessage("Does Ann drink tea?");
  const everything = await new KeepsakeRetriever(memory, { recall: { limit: 9 } }).invoke("Ann tea");
  const kinds = everything.map(({ metadata }) => metadata.kind);
  assert.ok(kinds.includes("entry") && kinds.includes("message"), `${kinds}`);
  const said = everything.find(({ metadata }) => metadata.kind === "message");
  assert.equal(said.metadata.session, "s-9");
  assert.equal(said.pageContent, "Does Ann drink tea?");
  const scores = everything.map(({ metadata }) => metadata.score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );

  const retriever = new KeepsakeRetriever(memory, { search: { tags: ["tea"] }, tags: ["mine"] });
  const started = [];
  const handler = { handleRetrieverStart: (_, query, ...rest) => started.push([query, rest[2]]) };
  const [document, ...others] = await retriever.invoke("Ann", { callbacks: [handler] });
  assert.deepEqual(others, []);
  assert.equal(document.id, id);
  assert.equal(document.pageContent, long, "the whole content, not its summary");
  const { kind, source, namespace, tags, metadata, score } = document.metadata;
  assert.deepEqual(
    { kind, source, namespace, tags, metadata },
    {
      kind: "entry",
      source: "diary",
      namespace: "short-term",
      tags: ["tea"],
      metadata: { page: 3 },
    },
  );
  assert.ok(score > 0);
  assert.deepEqual(started, [["Ann", ["mine"]]]);
  const chain = retriever.pipe((documents) => documents.length);
  assert.equal(await chain.invoke("Ann"), 1);

  assert.throws(() => new KeepsakeRetriever(memory, { search: {}, recall: {} }), { field: "recall" });
  await assert.rejects(new KeepsakeRetriever(memory, { recall: { limit: -1 } }).invoke("x"), {
    field: "limit",
  });
  await assert.rejects(retriever.invoke(1), { code: "invalid-input" });
  await memory.close();
  await assert.rejects(retriever.invoke("Ann"), { code: "closed" });
});

test("the store keeps bytes and JSON by key, all or nothing, over a reload", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const open = () => openMemory({ user: "u-1", storage: jsonl(path) });
  const memory = await open();
  const store = new KeepsakeKeyValueStore(memory);
  const keys = ["a/1", "a/2", "b", "__proto__", "việt 🌱", "\u0000"];
  const bytes = (at) => Uint8Array.from({ length: 70_000 }, (_, n) => (n * (at + 1)) % 256);
  await store.mset(keys.map((key, at) => [key, bytes(at)]));
  await store.mset([
    ["b", new Uint8Array([1])],
    ["b", new Uint8Array()],
  ]);
  const json = new KeepsakeKeyValueStore(memory, { name: "json" });
  const values = [{ bytes: "no" }, null, 0, "", [JSON.parse('{"__proto__": 1}')]];
  await json.mset(values.map((value, at) => [`${at}`, value]));
  await memory.close();

  const again = await open();
  const reopened = new KeepsakeKeyValueStore(again);
  const found = await reopened.mget([...keys, "none"]);
  assert.deepEqual(
    found,
    [...keys.keys()].map((at) => (keys[at] === "b" ? new Uint8Array() : bytes(at))).concat([undefined]),
  );
  assert.deepEqual(
    await new KeepsakeKeyValueStore(again, { name: "json" }).mget(["0", "1", "2", "3", "4"]),
    values,
  );
  const listed = async (prefix) => {
    const all = [];
    for await (const key of reopened.yieldKeys(prefix)) all.push(key);
    return all;
  };
  assert.deepEqual(await listed("a/"), ["a/1", "a/2"]);
  assert.deepEqual((await listed()).sort(), keys.toSorted());
  await reopened.mdelete(["a/1", "a/1", "none"]);
  assert.deepEqual(await listed("a/"), ["a/2"]);
  await again.close();
});

test("two stores write at once and lose nothing", async (t) => {
  const path = join(await folderOf(t), "memory.jsonl");
  const memories = [1, 2].map(() => openMemory({ user: "u-1", storage: jsonl(path) }));
  const stores = (await Promise.all(memories)).map((memory) => new KeepsakeKeyValueStore(memory));
  await Promise.all(
    stores.flatMap((store, which) =>
      Array.from({ length: 20 }, (_, n) => store.mset([[`${which}-${n}`, new Uint8Array([which, n])]])),
    ),
  );
  for (const store of stores)
    assert.deepEqual(await store.mget(["0-19", "1-19"]), [new Uint8Array([0, 19]), new Uint8Array([1, 19])]);
  for (const memory of memories) await (await memory).close();
});

test("keys and values that cannot be are refused, and nothing of the batch is stored", async () => {
  const memory = await memoryOf();
  const store = new KeepsakeKeyValueStore(memory);
  const good = ["good", new Uint8Array([1])];
  const wrong = { code: "invalid-input" };
  for (const bad of [
    ["", new Uint8Array()],
    [1, new Uint8Array()],
    ["f", () => {}],
  ]) {
    await assert.rejects(store.mset([good, bad]), wrong);
  }
  await assert.rejects(store.mset([good, ["d", new Date()]]), wrong);
  await assert.rejects(store.mset([good, ["x".repeat(1025), new Uint8Array()]]), { code: "too-large" });
  await assert.rejects(store.mset([good, ["big", new Uint8Array(7_000_000)]]), { code: "too-large" });
  await assert.rejects(store.mset("text"), { ...wrong, field: "keyValuePairs" });
  await assert.rejects(store.mset([good, "text"]), { ...wrong, field: "keyValuePairs" });
  await assert.rejects(store.mget([""]), wrong);
  await assert.rejects(store.mdelete("text"), { ...wrong, field: "keys" });
  await store.mset([]);
  await store.mdelete([]);
  assert.deepEqual(await store.mget(["good"]), [undefined]);
  assert.deepEqual(await store.mget([]), []);
  for (const name of ["", 1]) {
    await assert.rejects(async () => new KeepsakeKeyValueStore(memory, { name }).mget(["a"]), wrong);
  }
  await memory.close();
  await assert.rejects(store.mget(["a"]), { code: "closed" });
});

// Chats of the AI SDK that stay, and a transport without a server: driven by the SDK's own `Chat`.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Chat } from "@ai-sdk/react";
import { isStepCount, ToolLoopAgent, validateUIMessages } from "ai";
import { jsonl, openMemory } from "keepsake";
import { ChatStore, MemoryChatTransport, memoryTools } from "keepsake/ai-sdk";
import { asked, call, scriptedModel } from "./support/ai-sdk-model.mjs";
import { memoryOf } from "./support/talk.mjs";

function fail(error) {
  throw error;
}

/** As it is after a way through JSON: the SDK leaves fields about that are `undefined`. */
const json = (value) => JSON.parse(JSON.stringify(value));

const storeOf = (memory, options) => new ChatStore(memory, { onError: fail, ...options });

const message = (id, text, role = "user") => ({ id, role, parts: [{ type: "text", text }] });

/** One message with a part of each kind, in each state. */
const EVERYTHING = {
  id: "m-everything",
  role: "assistant",
  metadata: { model: "x", tokens: 7, nested: { list: [null, true, 1.5, "ü"] } },
  parts: [
    { type: "step-start" },
    { type: "reasoning", text: "hm", state: "done", providerMetadata: { p: { signature: "s" } } },
    { type: "text", text: "Hello 🌞", state: "streaming", providerMetadata: { p: { a: 1 } } },
    { type: "custom", kind: "p.kind", providerMetadata: { p: { b: 2 } } },
    { type: "tool-weather", toolCallId: "c-1", state: "input-streaming", input: { city: "Hu" } },
    { type: "tool-weather", toolCallId: "c-2", state: "input-available", input: { city: "Huế" } },
    {
      type: "tool-weather",
      toolCallId: "c-3",
      state: "output-available",
      input: { city: "Huế" },
      output: { sky: ["sunny", null], __proto__x: 1 },
      callProviderMetadata: { p: { c: 3 } },
    },
    { type: "tool-weather", toolCallId: "c-4", state: "output-error", input: {}, errorText: "no" },
    { type: "tool-pay", toolCallId: "c-5", state: "approval-requested", input: {}, approval: { id: "a-1" } },
    {
      type: "tool-pay",
      toolCallId: "c-6",
      state: "output-denied",
      input: {},
      approval: { id: "a-2", approved: false, reason: "no" },
    },
    {
      type: "dynamic-tool",
      toolName: "later",
      toolCallId: "c-7",
      state: "output-available",
      input: 1,
      output: "two",
    },
    { type: "source-url", sourceId: "s-1", url: "https://example.com", title: "A" },
    { type: "source-document", sourceId: "s-2", mediaType: "application/pdf", title: "B", filename: "b.pdf" },
    { type: "file", mediaType: "image/png", filename: "cat.png", url: "data:image/png;base64,AAAA" },
    { type: "reasoning-file", mediaType: "image/png", url: "data:image/png;base64,AAAA" },
    { type: "data-chart", id: "d-1", data: JSON.parse('{"__proto__": {"x": 1}, "points": [[1, 2]]}') },
  ],
};

test("any kind of part and any metadata comes back as it was, in order", async () => {
  const memory = await memoryOf();
  const messages = [
    message("m-1", "Hi"),
    EVERYTHING,
    { ...message("m-2", "Be kind", "system"), metadata: null },
  ];
  await storeOf(memory).save("c-1", messages);
  const loaded = await storeOf(memory).load("c-1");
  assert.deepEqual(loaded, messages);
  assert.ok(Object.hasOwn(loaded[1].parts.at(-1).data, "__proto__"));
  assert.equal((await validateUIMessages({ messages: loaded.slice(0, 1) })).length, 1);
  assert.deepEqual(await storeOf(memory).load("c-2"), []);
  // What JSON cannot hold is as it would be over HTTP.
  const odd = { ...message("m-3", "x"), metadata: { when: new Date(0), none: undefined, half: "a\ud800" } };
  await storeOf(memory).save("c-2", [odd]);
  const [{ metadata }] = await storeOf(memory).load("c-2");
  assert.deepEqual(metadata, { when: "1970-01-01T00:00:00.000Z", half: "a\ufffd" });
});

test("what is saved is merged: new, changed, unchanged here but changed elsewhere, taken away", async () => {
  const memory = await memoryOf();
  const [one, two] = [storeOf(memory), storeOf(memory)];
  const texts = async () =>
    (await storeOf(memory).load("c")).map(({ id, parts }) => `${id}: ${parts[0].text}`);
  await one.save("c", [message("1", "a"), message("2", "b")]);
  const stale = await two.load("c");
  await one.save("c", [message("1", "a"), message("2", "B"), message("3", "c")]);
  await two.save("c", [...stale, message("4", "d")]);
  assert.deepEqual(await texts(), ["1: a", "2: B", "3: c", "4: d"], "what a tab has not touched stays");
  await two.save("c", [{ ...stale[0], parts: [{ type: "text", text: "A" }] }]);
  assert.deepEqual(await texts(), ["1: A", "2: B", "3: c", "4: d"], "what is not mentioned stays");
  await one.save("c", [message("1", "a")], { remove: ["2", "none", "1"] });
  assert.deepEqual(await texts(), ["1: A", "3: c", "4: d"], "what is named goes, unless it is saved");
  await two.save("c", [stale[1]]);
  assert.deepEqual(
    await texts(),
    ["1: A", "3: c", "4: d"],
    "what was taken away does not come back by itself",
  );
  await two.save("c", [message("5", "e"), message("1", "z")], { replace: true });
  assert.deepEqual(await texts(), ["1: z", "5: e"], "all others go");
});

test("chats are listed, the last used first, and taken away with their talk", async () => {
  const memory = await memoryOf();
  const chats = storeOf(memory);
  const ids = ["__proto__", "a/b", "a", "a%2Fb", "ký hiệu 🌞", " ", "x".repeat(200)];
  for (const id of ids) {
    await chats.save(id, [message("m", `the secret of ${id.slice(0, 9)}`)]);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.deepEqual(
    (await chats.list()).map(({ id, messages }) => [id, messages]),
    ids.toReversed().map((id) => [id, 1]),
  );
  assert.equal((await memory.queryMemory("secret", { limit: 50 })).length, ids.length);
  assert.equal(await chats.delete("a"), true);
  assert.equal(await chats.delete("a"), false);
  assert.deepEqual(await chats.load("a"), []);
  assert.equal((await chats.load("a/b")).length, 1);
  assert.equal((await memory.queryMemory("secret", { limit: 50 })).length, ids.length - 1);
});

test("the talk is in step: searched, without bytes of files, written anew after a change", async () => {
  const memory = await memoryOf();
  const chats = storeOf(memory, { agent: "helper" });
  const talk = async () => {
    const { messages } = await memory.session(chats.talkId("c")).messages({ limit: 100 });
    return messages.map(({ role, content }) => `${role} ${content.map(({ type }) => type).join()}`);
  };
  await chats.save("c", [message("1", "Where is the harbour?"), EVERYTHING]);
  const before = await talk();
  assert.equal(before[0], "user text");
  assert.ok(before.includes("tool tool_result,tool_result,tool_result,tool_result") || before.length > 2);
  const hits = await memory.queryMemory("harbour");
  assert.ok(hits.every(({ session }) => session === chats.talkId("c")));
  const found = await Promise.all(hits.map(({ ref }) => memory.session(chats.talkId("c")).message(ref)));
  const said = found.find(({ content }) => /harbour/.test(content[0].text));
  assert.equal(said.metadata.message, "1", "it names the message of the chat");
  const big = {
    id: "3",
    role: "user",
    parts: [
      { type: "text", text: "Look" },
      { type: "file", mediaType: "image/png", url: `data:image/png;base64,${"A".repeat(3_000_000)}` },
    ],
  };
  await chats.save("c", [big]);
  assert.equal((await talk()).length, before.length + 1);
  assert.deepEqual((await chats.load("c"))[2], big);
  await chats.save("c", [{ ...message("1", "Where is the station?") }]);
  assert.deepEqual(await memory.queryMemory("harbour"), []);
  assert.equal((await talk()).length, before.length + 1);
  assert.equal((await memory.session(chats.talkId("c")).info()).agent, "helper");
});

test("bad input is refused by name, and nothing is kept", async () => {
  const memory = await memoryOf();
  const chats = storeOf(memory);
  const refused = (id, messages, field) =>
    assert.rejects(chats.save(id, messages), { name: "MemoryError", code: "invalid-input", field });
  for (const id of ["", 7, undefined, "x".repeat(201), "\ud800"]) {
    await refused(id, [], "id");
    await assert.rejects(chats.load(id), { field: "id" });
  }
  await refused("c", "all", "messages");
  await refused("c", [message("1", "a"), null], "messages[1].id");
  await refused("c", [message("", "a")], "messages[0].id");
  await refused("c", [message("1", "a"), message("1", "b")], "messages[1].id");
  await refused("c", [message("1", "a", "robot")], "messages[0].role");
  await refused("c", [{ id: "1", role: "user", content: "old" }], "messages[0].parts");
  await refused("c", [{ ...message("1", "a"), metadata: { big: 1n } }], "messages[0]");
  await assert.rejects(chats.save("c", [message("1", "a"), message("2", "x".repeat(9_000_000))]), {
    code: "too-large",
  });
  assert.deepEqual(await chats.load("c"), []);
  assert.throws(() => new MemoryChatTransport(memory, {}), { field: "model" });
  assert.throws(() => new MemoryChatTransport(memory, { model: "openai/gpt-5" }), { field: "model" });
  assert.throws(() => new MemoryChatTransport(memory, { model: scriptedModel(), answer: () => {} }), {
    field: "model",
  });
  await memory.close();
  await assert.rejects(chats.load("c"), { code: "closed" });
  await assert.rejects(chats.save("c", [message("1", "a")]), { code: "closed" });
});

/** A chat of the SDK's on a transport of ours, with the messages that are kept. */
async function chatOf(memory, options, id = "c-1") {
  const transport = new MemoryChatTransport(memory, { chats: storeOf(memory), ...options });
  const chat = new Chat({ id, transport, messages: await transport.chats.load(id) });
  return { chat, transport };
}

const texts = (messages) =>
  messages.map(({ role, parts }) => `${role}: ${parts.map(({ text }) => text ?? "").join("")}`);

test("a chat without a server, with a memory; it goes on where it was", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-ai-chat-"));
  t.after(() => rm(folder, { recursive: true }));
  const open = () => openMemory({ user: "u-1", storage: jsonl(join(folder, "memory.jsonl")) });
  const memory = await open();
  await memory.add("Ann is allergic to peanuts", { namespace: "long-term" });
  const model = scriptedModel((prompt) => (/allergic/.test(asked(prompt)) ? "No peanuts!" : "?"));
  const { chat, transport } = await chatOf(memory, { model, settings: { instructions: "Be kind." } });
  await chat.sendMessage({ text: "Peanuts for Ann? I live in Hanoi." });
  assert.equal(chat.status, "ready");
  assert.deepEqual(texts(chat.messages), [
    "user: Peanuts for Ann? I live in Hanoi.",
    "assistant: No peanuts!",
  ]);
  assert.equal(model.prompts[0][0].content, "Be kind.");
  await transport.idle();
  const found = await memory.search("Where does the user live?", { namespace: "long-term" });
  assert.ok(found.some(({ summary }) => /Hanoi/.test(summary)));
  await memory.close();

  const again = await open();
  const next = scriptedModel("You said so.");
  const { chat: later } = await chatOf(again, { model: next, remember: false });
  assert.deepEqual(later.messages, json(chat.messages));
  await later.sendMessage({ text: "And now?" });
  assert.deepEqual(
    next.prompts[0].map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.deepEqual(await storeOf(again).load("c-1"), json(later.messages));
  assert.equal(later.messages.length, 4);
  await again.close();
});

test("a loop of tools is kept whole; an agent or a function answers as well", async () => {
  const memory = await memoryOf();
  const tools = await memoryTools(memory);
  const steps = [[call("memory_add", { content: "Ann likes tea" })], "Noted."];
  const { chat } = await chatOf(memory, {
    model: scriptedModel(...steps),
    tools,
    settings: { stopWhen: isStepCount(3) },
  });
  await chat.sendMessage({ text: "I like tea." });
  const [, answer] = await storeOf(memory).load("c-1");
  assert.deepEqual(
    answer.parts.map(({ type, state }) => [type, state]),
    [
      ["step-start", undefined],
      ["tool-memory_add", "output-available"],
      ["step-start", undefined],
      ["text", "done"],
    ],
  );
  assert.deepEqual(answer, json(chat.lastMessage));
  assert.ok((await memory.search("Ann tea")).some(({ summary }) => summary === "Ann likes tea"));

  const agent = new ToolLoopAgent({ model: scriptedModel(...steps), tools });
  const seen = [];
  const byAgent = await chatOf(
    memory,
    {
      tools,
      answer: ({ messages, abortSignal, ...rest }) => {
        seen.push(rest);
        return agent.stream({ prompt: messages, abortSignal });
      },
    },
    "c-2",
  );
  await byAgent.chat.sendMessage({ text: "I like tea." }, { body: { plan: "x" } });
  assert.equal(byAgent.chat.status, "ready", byAgent.chat.error?.message);
  assert.equal((await storeOf(memory).load("c-2"))[1].parts.length, 4);
  assert.deepEqual([seen[0].chatId, seen[0].body, seen[0].trigger], ["c-2", { plan: "x" }, "submit-message"]);
});

test("another answer, and another question, take the place of what was there; also after a reopening", async () => {
  const memory = await memoryOf();
  const kept = async () => texts(await storeOf(memory).load("c-1"));
  const first = await chatOf(memory, { model: scriptedModel("One.", "Two.", "Three.") });
  await first.chat.sendMessage({ text: "Say a number" });
  await first.chat.regenerate();
  assert.deepEqual(await kept(), ["user: Say a number", "assistant: Two."]);
  const second = await chatOf(memory, { model: scriptedModel("Four.", "Five.", "Six.") });
  await second.chat.regenerate();
  assert.deepEqual(await kept(), ["user: Say a number", "assistant: Four."]);
  await second.chat.sendMessage({ text: "More" });
  const [question] = second.chat.messages;
  await second.chat.sendMessage({ text: "Say six", messageId: question.id });
  assert.deepEqual(await kept(), ["user: Say six", "assistant: Six."]);
  assert.deepEqual(await storeOf(memory).load("c-1"), json(second.chat.messages));
});

test("two tabs in one chat lose nothing, also if one wants another answer", async () => {
  const memory = await memoryOf();
  const one = await chatOf(memory, { model: scriptedModel("a1", "a2", "a3") });
  await one.chat.sendMessage({ text: "q1" });
  const two = await chatOf(memory, { model: scriptedModel("b1", "b2") });
  await Promise.all([one.chat.sendMessage({ text: "q2" }), two.chat.sendMessage({ text: "p1" })]);
  const all = texts(await storeOf(memory).load("c-1"));
  assert.deepEqual(all.slice(0, 2), ["user: q1", "assistant: a1"]);
  assert.deepEqual(all.slice(2).toSorted(), ["assistant: a2", "assistant: b1", "user: p1", "user: q2"]);
  await one.chat.regenerate();
  const after = texts(await storeOf(memory).load("c-1"));
  assert.ok(!after.includes("assistant: a2"));
  for (const text of ["user: q2", "user: p1", "assistant: b1", "assistant: a3"])
    assert.ok(after.includes(text), text);
});

test("an aborted answer is kept as far as it came, a failed one is not, the question is", async () => {
  const memory = await memoryOf();
  const stopped = await chatOf(memory, {
    model: scriptedModel("A long answer that nobody reads to its end."),
  });
  let pieces = 0;
  stopped.chat["~registerMessagesCallback"](() => {
    if (/long/.test(texts(stopped.chat.messages).join()) && pieces++ === 0) stopped.chat.stop();
  });
  await stopped.chat.sendMessage({ text: "Go on" });
  await stopped.transport.idle();
  const kept = await storeOf(memory).load("c-1");
  assert.equal(kept.length, 2);
  assert.match(texts(kept)[1], /^assistant: A long/);
  assert.ok(!/to its end/.test(texts(kept)[1]));
  assert.equal(await memory.count(), 0, "nothing half is recorded");

  const broken = scriptedModel(() => {
    throw new Error("no model today");
  });
  const failed = await chatOf(
    memory,
    { model: broken, settings: { maxRetries: 0, onError: () => {} } },
    "c-2",
  );
  await failed.chat.sendMessage({ text: "Hello?" });
  assert.equal(failed.chat.status, "error");
  assert.match(failed.chat.error.message, /no model today/);
  await failed.transport.idle();
  assert.deepEqual(texts(await storeOf(memory).load("c-2")), ["user: Hello?"]);

  const half = [
    { type: "text", text: "Half an answer" },
    { type: "error", error: new Error("the line is gone") },
  ];
  const broke = await chatOf(memory, { model: scriptedModel(half), settings: { onError: () => {} } }, "c-4");
  await broke.chat.sendMessage({ text: "Hello?" });
  assert.equal(broke.chat.status, "error");
  await broke.transport.idle();
  assert.deepEqual(texts(await storeOf(memory).load("c-4")), ["user: Hello?"]);
  assert.equal(await memory.count(), 0);

  const closing = await chatOf(memory, { model: scriptedModel("x") }, "c-3");
  await memory.close();
  await closing.chat.sendMessage({ text: "Hello?" });
  assert.equal(closing.chat.error.code, "closed", "a chat that cannot be kept says so");
});

test("an answer goes on when nobody looks, is kept, and is given again from its beginning", async () => {
  const memory = await memoryOf();
  let go;
  const held = new Promise((resolve) => {
    go = resolve;
  });
  const answer = () => ({
    stream: new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: "start" });
        controller.enqueue({ type: "start-step", request: {}, warnings: [] });
        controller.enqueue({ type: "text-start", id: "0" });
        controller.enqueue({ type: "text-delta", id: "0", text: "One" });
        await held;
        controller.enqueue({ type: "text-delta", id: "0", text: " and two." });
        controller.enqueue({ type: "text-end", id: "0" });
        controller.enqueue({ type: "finish", finishReason: "stop", totalUsage: {} });
        controller.close();
      },
    }),
  });
  const { transport } = await chatOf(memory, { answer });
  const messages = [message("m-1", "Count")];
  const request = { chatId: "c-1", trigger: "submit-message", messages };
  assert.equal(await transport.reconnectToStream({ chatId: "c-1" }), null);
  const view = await transport.sendMessages(request);
  await view.cancel();
  const again = new Chat({ id: "c-1", transport, messages: await transport.chats.load("c-1") });
  const resumed = again.resumeStream();
  assert.equal(await transport.reconnectToStream({ chatId: "other" }), null);
  go();
  await resumed;
  assert.deepEqual(texts(again.messages), ["user: Count", "assistant: One and two."]);
  await transport.idle();
  assert.deepEqual(await storeOf(memory).load("c-1"), json(again.messages));
  assert.equal(await transport.reconnectToStream({ chatId: "c-1" }), null);
});

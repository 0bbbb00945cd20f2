// Conversations through the TypeScript API: kept in order, read in pages, forked, erased; and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isBlock, MemoryError, MemoryStorage, openMemory, textOf } from "keepsake";
import { memoryOf, talk, texts, toolPair } from "./support/talk.mjs";

test("what is appended comes back with an id and a time, and a string is a block of text", async () => {
  const memory = await memoryOf({ now: () => Date.UTC(2025, 0, 2, 10) });
  const chat = memory.session("s-1", { agent: "helper" });
  const said = await chat.append({ role: "user", content: "I'm allergic to peanuts." });
  assert.equal(typeof said.id, "string");
  assert.equal(said.at, "2025-01-02T10:00:00.000Z");
  assert.deepEqual(said.content, [{ type: "text", text: "I'm allergic to peanuts." }]);
  assert.deepEqual(await chat.message(said.id), said);
  assert.equal(await chat.message("nobody"), null);
  const info = await chat.info();
  assert.deepEqual([info.id, info.agent, info.messages, info.histories], ["s-1", "helper", 1, 0]);
  assert.ok(info.tokens > 0);
});

test("X4 roles are taken in either case and come back in lower case", async () => {
  const chat = (await memoryOf()).session("s");
  const stored = await chat.append([
    { role: "USER", content: "a" },
    { role: "assistant", content: "b" },
  ]);
  assert.deepEqual(
    stored.map(({ role }) => role),
    ["user", "assistant"],
  );
});

test("everything about a message comes back, with fields nobody knows", async () => {
  const chat = (await memoryOf()).session("s");
  const message = {
    id: "m-1",
    role: "assistant",
    name: "Ann",
    content: [
      { type: "text", text: "hi", lang: "en" },
      { type: "thought", text: "hm", signature: "s==" },
      { type: "tool_use", id: "c1", name: "look", input: { b: 1.5, a: [] } },
      { type: "tool_result", toolUseId: "c1", output: [{ type: "chart", n: 1 }], isError: true },
      { type: "file", mediaType: "image/png", name: "a.png", data: "AA==" },
      { type: "weather_map", layers: [1, { deep: null }] },
    ],
    at: "2025-01-02T10:00:00.123Z",
    pinned: true,
    metadata: { k: [1] },
  };
  assert.deepEqual(await chat.append(message), message);
  assert.deepEqual((await chat.messages()).messages, [message]);
});

test("C2 C4 C5 E22 the window is the last thirty, and those before are a page away", async () => {
  const chat = (await memoryOf()).session("s", { compression: false });
  await chat.append(talk(75));
  const last = await chat.messages();
  assert.deepEqual([last.messages.length, last.total, last.more], [30, 75, true]);
  assert.equal(textOf(last.messages[0]).split(" ")[1], "45");
  const before = await chat.messages({ limit: 50, before: last.messages[0].id });
  assert.deepEqual([before.messages.length, before.more], [45, false]);
  assert.equal(textOf(before.messages.at(-1)).split(" ")[1], "44");
  assert.deepEqual((await chat.messages({ limit: 0 })).messages, []);
});

test("E9 E10 X11 no page begins between a tool call and its result", async () => {
  const chat = (await memoryOf()).session("s");
  await chat.append({ role: "user", content: "Weather?" });
  await chat.append(toolPair("call_001"));
  await chat.append({ role: "assistant", content: "It is sunny." });
  const { messages } = await chat.messages({ limit: 2 });
  const call = messages.flatMap(({ content }) => content).find((block) => isBlock(block, "tool_use"));
  const result = messages.flatMap(({ content }) => content).find((block) => isBlock(block, "tool_result"));
  assert.deepEqual([call.id, result.toolUseId], ["call_001", "call_001"]);
  assert.deepEqual(result.output, [{ type: "text", text: "Sunny" }]);
});

test("all messages are read from the oldest to the newest, without those that come meanwhile", async () => {
  const chat = (await memoryOf()).session("s", { compression: false });
  for (let start = 0; start < 350; start += 70) await chat.append(talk(70, 1, start));
  const seen = [];
  for await (const message of chat.all()) {
    if (seen.length === 5) await chat.append({ role: "user", content: "too late" });
    seen.push(textOf(message).split(" ")[1]);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 350 }, (_, at) => `${at}`),
  );
  const none = [];
  for await (const message of (await memoryOf()).session("nothing").all()) none.push(message);
  assert.deepEqual(none, []);
});

test("appends that overlap keep their order, also on two handles", async () => {
  const memory = await memoryOf();
  const [one, two] = [memory.session("s"), memory.session("s")];
  const said = talk(40).map((message, at) => (at % 2 ? one : two).append(message));
  await Promise.all(said);
  assert.deepEqual(
    texts((await one.messages({ limit: 100 })).messages),
    talk(40).map(({ content }) => content),
  );
});

test("C3 C24 what was said is there after a restart", async () => {
  const storage = new MemoryStorage();
  const first = await openMemory({ user: "u-1", storage: storage.connect() });
  await first.session("s").append(talk(3));
  const again = await openMemory({ user: "u-1", storage: storage.connect() });
  assert.equal((await again.session("s").messages()).total, 3);
  assert.equal((await again.sessions()).length, 1);
  const other = await openMemory({ user: "u-2", storage: storage.connect() });
  assert.deepEqual(await other.sessions(), [], "B14 of another user there is nothing to be seen");
});

test("sessions are listed by their last use, have titles, are forked and erased", async () => {
  let clock = Date.UTC(2025, 0, 1);
  const memory = await memoryOf({ now: () => clock++ });
  const [one, two] = [memory.session("one"), memory.session("two")];
  const stored = await one.append(talk(4));
  await two.append(talk(1));
  assert.deepEqual(
    (await memory.sessions()).map(({ id }) => id),
    ["two", "one"],
  );
  assert.equal((await one.setTitle("Peanuts")).title, "Peanuts");
  assert.equal((await memory.sessions())[0].id, "one");
  const fork = await one.fork({ at: stored[1].id, to: "three" });
  assert.equal(fork.id, "three");
  assert.deepEqual((await fork.info()).forkedFrom, { session: "one", message: stored[1].id });
  await fork.append({ role: "user", content: "elsewhere" });
  assert.equal((await fork.messages()).total, 3);
  assert.equal((await one.messages()).total, 4);
  assert.equal(await one.delete(), 4);
  assert.equal(await one.info(), null);
  assert.equal(await one.delete(), 0);
  assert.equal((await fork.messages()).total, 3, "B14 a fork is a session of its own");
});

test("C21 C22 everything is looked through: memories, all sessions, documents", async () => {
  const memory = await memoryOf();
  await memory.session("old").append({ role: "user", content: "We decided for passkeys in the auth ADR" });
  await memory.add("Passkeys are stored in the vault", { namespace: "long-term" });
  const made = await memory.ingest("# Auth\n\nThe ADR says: passkeys.\n\n# Deploy\n\nOn Mondays.", {
    source: "adr.md",
    targetChars: 30,
  });
  assert.deepEqual(made, { chunks: 2, replaced: 0 });
  const found = await memory.queryMemory("passkeys ADR decision", { limit: 10 });
  assert.deepEqual([...new Set(found.map(({ kind }) => kind))].sort(), ["entry", "message"]);
  assert.ok(found.some(({ source }) => source === "adr.md"));
  const said = found.find(({ kind }) => kind === "message");
  assert.deepEqual([said.session, said.speaker], ["old", "user"]);
  assert.ok(said.score > 0 && said.text.includes("passkeys"));
  assert.equal((await memory.queryMemory("passkeys", { session: "old" })).length, 1);
  assert.equal((await memory.queryMemory("passkeys", { limit: 1 })).length, 1);
  assert.deepEqual(await memory.ingest("# Auth\n\nMagic links.", { source: "adr.md" }), {
    chunks: 1,
    replaced: 2,
  });
});

test("C19 an embedder sees the passages of a document", async () => {
  const seen = [];
  const embedder = async (texts) => {
    seen.push(...texts);
    return texts.map((text) => [text.length, 1]);
  };
  const memory = await memoryOf({ embedder });
  await memory.ingest("# Auth\n\nThe ADR says: passkeys.", { source: "adr.md" });
  assert.ok(seen.some((text) => text.includes("passkeys")));
  assert.equal(await memory.embedAll(), 0);
});

test("a hidden message is not what the next prompt is about: no embedder sees it again", async () => {
  const seen = [];
  const embedder = async (texts) => {
    seen.push(...texts);
    return texts.map((text) => [text.length, 1]);
  };
  const memory = await memoryOf({ embedder });
  const chat = memory.session("trip");
  const said = await chat.append([
    { role: "user", content: "¿Dónde está el lago?" },
    { role: "user", content: "My card number is 4000 0000 0000 0002, oops, wrong window" },
  ]);
  await memory.embedAll();
  await chat.hide(said[1].id);
  seen.length = 0;
  await chat.context({ budget: 500 });
  assert.deepEqual(seen, ["¿Dónde está el lago?"]);
});

const bad = [
  ["an unknown role", { role: "robot", content: "x" }, "invalid-input", /role$/],
  ["no role", { content: "x" }, "invalid-input", /role$/],
  ["no content", { role: "user" }, "invalid-input", /content$/],
  ["content that is a number", { role: "user", content: 7 }, "invalid-input", /content$/],
  [
    "a block without a type",
    { role: "user", content: [{ text: "x" }] },
    "invalid-input",
    /content\[0\]\.type$/,
  ],
  ["a text block without text", { role: "user", content: [{ type: "text" }] }, "invalid-input", /text$/],
  ["half of a surrogate pair", { role: "user", content: "a\uD800" }, "invalid-input", /content$/],
  ["a time that is none", { role: "user", content: "x", at: "noon" }, "invalid-input", /at$/],
  ["an unknown field", { role: "user", content: "x", contnt: 1 }, "invalid-input", /contnt$/],
  ["an empty id", { role: "user", content: "x", id: "" }, "invalid-input", /id$/],
  ["an id that is taken", { role: "user", content: "x", id: "m-1" }, "already-exists", /id$/],
  ["2 MB", { role: "user", content: "x".repeat(2_000_000) }, "too-large", /messages\[0\]/],
];
for (const [name, message, code, field] of bad) {
  test(`a message with ${name} is refused by name, and nothing of its batch is stored`, async () => {
    const chat = (await memoryOf()).session("s");
    await chat.append({ role: "user", content: "first", id: "m-1" });
    for (const batch of [message, [message, { role: "user", content: "good" }]]) {
      await assert.rejects(chat.append(batch), (error) => {
        assert.ok(error instanceof MemoryError);
        assert.equal(error.code, code);
        assert.match(error.field, field);
        return true;
      });
    }
    assert.equal((await chat.messages()).total, 1);
  });
}

test("two messages with one id in one batch are refused", async () => {
  const chat = (await memoryOf()).session("s");
  const twice = { role: "user", content: "x", id: "m-1" };
  await assert.rejects(chat.append([twice, twice]), ({ code, field }) => {
    return code === "already-exists" && /\bid$/.test(field);
  });
  assert.equal(await chat.info(), null);
});

test("a session needs an id, and what is not there is not found", async () => {
  const memory = await memoryOf();
  await assert.rejects(memory.session("").append(talk(1)), { code: "invalid-input", field: "session" });
  const chat = memory.session("s");
  await assert.rejects(chat.setTitle("x"), { code: "not-found" });
  await assert.rejects(chat.fork({ at: "m", to: "t" }), { code: "not-found" });
  assert.deepEqual(await chat.messages(), { messages: [], total: 0, more: false });
  assert.deepEqual(await chat.view(), []);
  assert.deepEqual(await chat.histories(), []);
  assert.deepEqual(await chat.append([]), []);
});

test("what a model's API returns is refused with the call that converts it, and that call converts it", async () => {
  const memory = await memoryOf();
  const chat = memory.session("s");
  const message = { role: "assistant", content: "Noted.", refusal: null, annotations: [] };
  const calling = { role: "assistant", content: null, tool_calls: [] };
  const contents = [{ type: "text", text: "Noted." }];
  const replies = {
    openai: { id: "c-1", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] },
    "openai-responses": {
      object: "response",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Noted." }] }],
    },
    gemini: { candidates: [{ content: { role: "model", parts: [{ text: "Noted." }] } }] },
    anthropic: { id: "m-1", type: "message", role: "assistant", content: contents, stop_reason: "end_turn" },
  };
  for (const [format, reply] of Object.entries(replies)) {
    const error = await chat.append(reply).catch((error) => error);
    assert.equal(error.code, "invalid-input", format);
    assert.equal(error.field, "messages[0]");
    const call = error.message.match(/`(memory\.parse\("(.*?)", .*\))`/);
    assert.equal(call?.[2], format, error.message);
    // What it says to write is run as it stands.
    const converted = await new Function("memory", "reply", `return ${call[1]}`)(memory, reply);
    const [stored] = await chat.append(converted);
    assert.deepEqual([stored.role, textOf(stored)], ["assistant", "Noted."]);
  }
  for (const foreign of [message, calling, { role: "tool", tool_call_id: "t", content: "5" }]) {
    await assert.rejects(chat.append([{ role: "user", content: "hi" }, foreign]), {
      field: "messages[1]",
      message: /`memory\.parse\("openai", \[message\]\)`/,
    });
  }
  await assert.rejects(chat.append("user", "hello"), { field: "messages[0]", message: /role: "user"/ });
  await assert.rejects(memory.longTerm().record([replies.anthropic]), {
    field: "messages[0]",
    message: /anthropic/,
  });
  await assert.rejects(memory.longTerm().record([replies.openai]), { message: /memory\.parse\("openai"/ });
  // An app that records with a store of its own may have messages of any form.
  const kept = [];
  await memory
    .longTerm({ store: { record: (said) => kept.push(...said), retrieve: () => "" } })
    .record([message]);
  assert.deepEqual(kept, [message]);
  assert.equal((await chat.info()).messages, 4);
  await memory.close();
});

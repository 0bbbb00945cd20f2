// Sessions for OpenAI's Agents SDK: its own runner, agents and tools, and a model that follows a script.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  Agent,
  isSessionHistoryRewriteAwareSession,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  Runner,
  tool,
} from "@openai/agents-core";
import {
  assistantMessage,
  functionCall,
  modelError,
  modelResponder,
  ScriptedModel,
} from "@openai/agents-core/testing";
import { jsonl, openMemory } from "keepsake";
import { KeepsakeSession } from "keepsake/openai-agents";
import { z } from "zod";
import { memoryOf } from "./support/talk.mjs";

const runner = new Runner({ tracingDisabled: true });

const user = (text) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const assistant = (text) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});

/** Without the fields that are `undefined`, which the SDK's own functions leave about. */
function tidy(value) {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, tidy(field)]));
}

function fail(error) {
  throw error;
}

/** A session whose talk must be in step. */
const sessionOf = (memory, sessionId = "s-1", options) =>
  new KeepsakeSession(memory, { sessionId, onError: fail, ...options });

const weather = tool({
  name: "get_weather",
  description: "The weather in a city",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}`,
});

/** One of each kind, with fields that have to come back as they are. */
const ITEMS = [
  user("What is the weather?"),
  { type: "message", role: "system", content: "Be kind." },
  {
    role: "user",
    content: [
      { type: "input_text", text: "Look", providerData: { a: [1, null, { __proto__x: true }] } },
      { type: "input_image", image: "data:image/png;base64,AAAA", detail: "high" },
      { type: "input_file", file: { id: "file-1" }, filename: "Kế hoạch.pdf" },
    ],
  },
  { type: "reasoning", id: "r-1", content: [{ type: "input_text", text: "Let me think." }], rawContent: [] },
  {
    type: "function_call",
    callId: "c-1",
    name: "get_weather",
    status: "completed",
    arguments: '{"city":"Huế"}',
  },
  {
    type: "function_call_result",
    callId: "c-1",
    name: "get_weather",
    status: "completed",
    output: { type: "text", text: "Sunny" },
  },
  { type: "hosted_tool_call", id: "h-1", name: "web_search_call", output: "found", providerData: {} },
  {
    type: "computer_call_result",
    callId: "c-2",
    output: { type: "computer_screenshot", data: "AAAA" },
    providerData: JSON.parse('{"__proto__": {"x": 1}, "constructor": "y", "a/b%2F": "z"}'),
  },
  {
    type: "function_call_result",
    callId: "c-3",
    name: "draw",
    status: "completed",
    output: [{ type: "image", image: { data: new Uint8Array([0, 127, 128, 255]), mediaType: "image/png" } }],
  },
  { type: "compaction", encrypted_content: "…", id: "k-1" },
  { type: "unknown", providerData: { type: "later" } },
  assistant("It is sunny. 🌞"),
];

test("items come back exactly as they went in, all or the last ones", async () => {
  const memory = await memoryOf();
  const session = sessionOf(memory);
  assert.deepEqual(await session.getItems(), []);
  await session.addItems([]);
  await session.addItems(ITEMS.slice(0, 5));
  await session.addItems(ITEMS.slice(5));
  for (const same of [session, sessionOf(memory)]) {
    assert.deepEqual(await same.getItems(), ITEMS);
    for (const limit of [0, -1, 1, 5, ITEMS.length, 1000]) {
      assert.deepEqual(await same.getItems(limit), limit > 0 ? ITEMS.slice(-limit) : [], `the last ${limit}`);
    }
  }
  assert.ok((await session.getItems())[8].output[0].image.data instanceof Uint8Array);
  assert.deepEqual(await sessionOf(memory, "s-10").getItems(), []);
});

test("it does what the SDK's own session does, whatever is called", async () => {
  const memory = await memoryOf();
  const call = (callId, args) => functionCall("f", args, { callId });
  const say = (text) => assistantMessage(text);
  const steps = [
    ["addItems", ITEMS],
    ["popItem"],
    ["popItem"],
    ["addItems", [call("c-9", {}), say("a"), call("c-9", { n: 1 }), call("c-8", {})]],
    [
      "applyHistoryMutations",
      { mutations: [{ type: "replace_function_call", callId: "c-9", replacement: call("c-9", { n: 2 }) }] },
    ],
    ["getItems", 4],
    ["getItems", 100],
    ["popItem"],
    [
      "applyHistoryTransaction",
      { operationId: "o-1", transaction: { type: "append_items", items: [say("b")] } },
    ],
    [
      "applyHistoryTransaction",
      { operationId: "o-1", transaction: { type: "append_items", items: [say("b")] } },
    ],
    [
      "applyHistoryTransaction",
      { operationId: "o-1", transaction: { type: "append_items", items: [say("c")] } },
    ],
    [
      "applyHistoryTransaction",
      {
        operationId: "o-2",
        transaction: { type: "replace_suffix", expectedSuffix: [say("x")], replacement: [say("d")] },
      },
    ],
    [
      "applyHistoryTransaction",
      {
        operationId: "o-2",
        transaction: {
          type: "replace_suffix",
          expectedSuffix: [say("a"), say("b")],
          replacement: [say("d"), say("e"), say("f")],
        },
      },
    ],
    ["applyHistoryTransaction", { operationId: " ", transaction: { type: "append_items", items: [] } }],
    ["applyHistoryTransaction", { operationId: "o-3", transaction: { type: "fly" } }],
    ["getItems", 3],
    ["getSessionId"],
    ["clearSession"],
    ["popItem"],
    [
      "applyHistoryTransaction",
      { operationId: "o-1", transaction: { type: "append_items", items: [say("g")] } },
    ],
  ];
  const theirs = new MemorySession({ sessionId: "s-1" });
  const ours = sessionOf(memory);
  const outcome = (session, [name, ...args]) =>
    session[name](...args).then(
      (value) => tidy({ value }),
      () => "refused",
    );
  for (const [at, step] of steps.entries()) {
    assert.deepEqual(await outcome(ours, step), await outcome(theirs, step), `step ${at}: ${step[0]}`);
    assert.deepEqual(await ours.getItems(), tidy(await theirs.getItems()), `after step ${at}: ${step[0]}`);
  }
  assert.ok(isSessionHistoryRewriteAwareSession(ours) && isSessionHistoryTransactionAwareSession(ours));
  await ours.replaceHistoryWithCompaction([ITEMS[9], say("rest")]);
  assert.deepEqual(await ours.getItems(), tidy([ITEMS[9], say("rest")]));
});

for (const stream of [false, true]) {
  test(`the runner goes on where it was, with a tool and after a reopening; ${stream ? "streamed" : "at once"}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "keepsake-agents-"));
    t.after(() => rm(folder, { recursive: true }));
    const open = () => openMemory({ user: "u-1", storage: jsonl(join(folder, "memory.jsonl")) });
    const model = new ScriptedModel([
      [functionCall("get_weather", { city: "Huế" }, { callId: "c-1" })],
      [assistantMessage("It is sunny in Huế.")],
      modelResponder(({ request }) => [assistantMessage(`I was sent ${request.input.length} items.`)]),
    ]);
    const agent = new Agent({ name: "Helper", instructions: "Be kind.", model, tools: [weather] });
    const run = async (memory, input) => {
      const session = sessionOf(memory);
      const result = await runner.run(agent, input, { session, stream });
      if (stream) await result.completed;
      return { said: result.finalOutput, items: await session.getItems() };
    };
    const memory = await open();
    const first = await run(memory, "What is the weather in Huế?");
    assert.equal(first.said, "It is sunny in Huế.");
    assert.deepEqual(
      first.items.map(({ type, role }) => role ?? type),
      ["user", "function_call", "function_call_result", "assistant"],
    );
    await memory.close();

    const again = await open();
    const second = await run(again, "How many?");
    assert.equal(second.said, "I was sent 5 items.");
    assert.deepEqual(second.items.slice(0, 4), first.items);
    assert.equal(second.items.length, 6);
    const [found] = await again.queryMemory("weather Huế");
    assert.equal(found.session, "openai-agents/s-1");
    assert.equal((await again.log.verify()).ok, true);
    await again.close();
    model.assertComplete();
  });
}

test("a run that fails leaves what it should, and the next one goes on", async () => {
  const memory = await memoryOf();
  const model = new ScriptedModel([
    modelError(new Error("no model today")),
    [assistantMessage("Here I am.")],
  ]);
  const agent = new Agent({ name: "Helper", model });
  const theirs = new MemorySession();
  const failing = new Agent({
    name: "Helper",
    model: new ScriptedModel([modelError(new Error("no model today"))]),
  });
  await assert.rejects(runner.run(failing, "Hello?", { session: theirs }));
  const session = sessionOf(memory);
  await assert.rejects(runner.run(agent, "Hello?", { session }));
  assert.deepEqual(await session.getItems(), tidy(await theirs.getItems()));
  assert.equal((await runner.run(agent, "Again?", { session })).finalOutput, "Here I am.");
});

test("the talk is a session of the memory, in step with the items whatever happens to them", async () => {
  const memory = await memoryOf();
  const session = sessionOf(memory);
  const texts = async () => {
    const all = [];
    for await (const { role, content } of memory.session(session.talkId).all()) {
      all.push(`${role}: ${content.map(({ type, text, name }) => text ?? name ?? type).join(" ")}`);
    }
    return all;
  };
  await session.addItems(ITEMS);
  assert.deepEqual(await texts(), [
    "user: What is the weather?",
    "system: Be kind.",
    "user: Look",
    "assistant: Let me think.",
    "assistant: get_weather",
    "tool: tool_result",
    "assistant: found",
    "tool: tool_result",
    "assistant: It is sunny. 🌞",
  ]);
  assert.equal((await memory.queryMemory("sunny"))[0].session, session.talkId);
  await session.popItem();
  await session.addItems([assistant("It rains.")]);
  assert.equal((await texts()).at(-1), "assistant: It rains.");
  assert.equal((await texts()).length, 9);
  assert.ok(!(await memory.queryMemory("sunny")).some(({ summary }) => /It is sunny/.test(summary)));
  const { prompt, messages } = await memory.session(session.talkId).context({ budget: 4000 });
  assert.ok(prompt !== undefined && messages.length > 0);
  await session.clearSession();
  assert.deepEqual(await texts(), []);
  assert.deepEqual(await memory.sessions(), []);

  const silent = sessionOf(memory, "s-2", { talk: false });
  await silent.addItems(ITEMS);
  assert.deepEqual(await memory.sessions(), []);
  assert.deepEqual(await silent.getItems(), ITEMS);
});

test("two programs write and take at once: nothing is lost, nothing is had twice, the order is the same", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsake-agents-"));
  t.after(() => rm(folder, { recursive: true }));
  const open = () => openMemory({ user: "u-1", storage: jsonl(join(folder, "memory.jsonl")) });
  const memories = await Promise.all([open(), open()]);
  const sessions = memories.map((memory) => sessionOf(memory));
  const write = async (session, who) => {
    for (let n = 0; n < 20; n++) await session.addItems([user(`${who} ${n} a`), user(`${who} ${n} b`)]);
  };
  await Promise.all(sessions.map(write));
  const [one, two] = await Promise.all(sessions.map((session) => session.getItems()));
  assert.equal(one.length, 80);
  assert.deepEqual(one, two);
  const words = one.map(({ content }) => content[0]?.text ?? content);
  for (let at = 0; at < 80; at += 2) {
    assert.equal(
      words[at].slice(0, -1),
      words[at + 1].slice(0, -1),
      "what was added together stays together",
    );
  }
  const pops = await Promise.all(
    sessions.flatMap((session) => Array.from({ length: 15 }, () => session.popItem())),
  );
  const taken = pops.map(({ content }) => content[0]?.text ?? content);
  assert.equal(new Set(taken).size, 30);
  assert.deepEqual(taken.toSorted(), words.slice(-30).toSorted());
  await Promise.all(memories.map((memory) => memory.close()));

  const memory = await open();
  const session = sessionOf(memory);
  assert.deepEqual(await session.getItems(), one.slice(0, 50));
  const talk = await memory.session(session.talkId).messages({ limit: 100 });
  assert.deepEqual(
    talk.messages.map(({ content }) => content[0].text),
    words.slice(0, 50),
  );
  await memory.close();
});

test("calls that overlap happen in the order in which they were made", async () => {
  const session = sessionOf(await memoryOf());
  await Promise.all(Array.from({ length: 40 }, (_, n) => session.addItems([user(String(n))])));
  assert.deepEqual(
    await session.getItems(),
    Array.from({ length: 40 }, (_, n) => user(String(n))),
  );
});

test("bad input is refused by name, all or nothing; ids of any kind stay apart", async () => {
  const memory = await memoryOf();
  const wrong = ["", 7, null, "x".repeat(201), "\ud800"];
  for (const sessionId of wrong) {
    assert.throws(() => new KeepsakeSession(memory, { sessionId }), {
      code: "invalid-input",
      field: "sessionId",
    });
  }
  const session = sessionOf(memory);
  const circle = { type: "unknown" };
  circle.circle = circle;
  const bad = [
    ["no list", "items"],
    [[user("a"), null], "items[1]"],
    [["text"], "items[0]"],
    [[user("a"), { type: "unknown", providerData: { when: new Date(0) } }], "items[1].providerData.when"],
    [[{ type: "unknown", providerData: { n: Number.NaN } }], "items[0].providerData.n"],
    [[{ type: "unknown", providerData: [() => {}] }], "items[0].providerData.0"],
    [[circle], /^items\[0\]\.circle/],
    [[user("\ud800")], /item/],
  ];
  for (const [items, field] of bad) {
    await assert.rejects(session.addItems(items), ({ code, field: named }) => {
      assert.equal(code, "invalid-input");
      return typeof field === "string" ? named === field : field.test(named);
    });
  }
  await assert.rejects(session.addItems([user("a"), user("x".repeat(9_000_000))]), { code: "too-large" });
  assert.deepEqual(await session.getItems(), []);

  const long = user("word ".repeat(500_000));
  await session.addItems([long]);
  assert.deepEqual(await session.getItems(), [long], "also what is too long for the talk");

  const ids = ["__proto__", "a/b", "a", "a%2Fb", "A", "ký hiệu 🌞", " ", "x".repeat(200), "ü".repeat(100)];
  for (const id of ids) await sessionOf(memory, id).addItems([user(id)]);
  for (const id of ids) {
    assert.deepEqual(await sessionOf(memory, id).getItems(), [user(id)]);
    assert.equal(await sessionOf(memory, id).getSessionId(), id);
  }
  await sessionOf(memory, "a").clearSession();
  assert.equal((await sessionOf(memory, "a/b").getItems()).length, 1);
  const [one, two] = [new KeepsakeSession(memory), new KeepsakeSession(memory)];
  assert.notEqual(await one.getSessionId(), await two.getSessionId());

  await memory.close();
  await assert.rejects(session.getItems(), { code: "closed" });
  await assert.rejects(session.addItems([user("a")]), { code: "closed" });
  await assert.rejects(session.popItem(), { code: "closed" });
});

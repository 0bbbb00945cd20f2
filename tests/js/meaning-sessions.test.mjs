// Meaning reaches what was said: messages and histories have embeddings, and every way to ask for them uses the embedder.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { MemoryStorage, memoryFunctions, openMemory } from "keepsake";
import { mcpServer } from "keepsake/mcp";

/** What words of two languages are about, each thing in a direction of its own. */
const ABOUT = [
  ["dog", "puppy", "terrier", "chó", "cún"],
  ["car", "engine", "garage", "xe hơi", "động cơ"],
  ["bread", "oven", "flour", "bánh mì", "lò nướng"],
  ["violin", "concert", "orchestra", "vĩ cầm", "dàn nhạc"],
  ["mountain", "summit", "climb", "ngọn núi", "đỉnh"],
  ["doctor", "fever", "pills", "bác sĩ", "sốt"],
];

const meaning = (text) =>
  ABOUT.map((words) => 0.1 + words.filter((word) => text.toLowerCase().includes(word)).length);

/** An embedder that notes what it was asked; `act` may do something else than answer. */
function noting(act = (texts) => texts.map(meaning)) {
  const asked = [];
  const embedder = async (texts) => {
    asked.push(texts);
    return act(texts);
  };
  return { asked, embedder };
}

const open = (options = {}) => openMemory({ user: "u-1", storage: "memory", ...options });

const texts = (found) => found.map(({ text }) => text);

/** What was said, of which no two have a word in common, and questions that share no word with what they mean. */
const SAID = [
  "Our terrier Max arrived yesterday",
  "Left both wheels at Minh's garage",
  "More flour before guests come",
  "Nhà mình mua vé nghe dàn nhạc rồi",
  "Leo lên tới đỉnh mất sáu giờ",
  "Three pills after each meal",
];
const QUESTIONS = [
  ["puppy", 0],
  ["cún", 0],
  ["động cơ", 1],
  ["lò nướng", 2],
  ["violin", 3],
  ["mountain", 4],
  ["bác sĩ", 5],
];

async function connected(memory) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(memory).connect(ours);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(theirs);
  return async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
}

/** Every way to ask for what was said finds it by its meaning. */
async function check(memory) {
  const mcp = await connected(memory);
  for (const [query, at] of QUESTIONS) {
    const wanted = SAID[at];
    assert.deepEqual(texts(await memory.queryMemory(query, { limit: 1 })), [wanted], query);
    const { prompt } = await memory.session("another").context({ query });
    assert.ok(prompt.includes(wanted), `${query}: ${prompt}`);
    assert.ok((await memory.call("memory_search", { query })).text.includes(wanted), query);
    assert.ok((await memory.call("memory_search", JSON.stringify({ query }))).text.includes(wanted), query);
    assert.ok((await mcp("memory_search", { query })).includes(wanted), query);
  }
}

test("what was said is found by what it means, through every door, before and after reopening", async () => {
  const storage = new MemoryStorage();
  const { embedder } = noting();
  const memory = await open({ storage: storage.connect(), embedder });
  const session = memory.session("s-1");
  for (const content of SAID) await session.append({ role: "user", content });
  await session.idle();
  await check(memory);
  await memory.close();
  const plain = await open({ storage: storage.connect() });
  for (const [query] of QUESTIONS)
    assert.deepEqual(await plain.queryMemory(query), [], `${query} is in no text`);
  await plain.close();
  const { asked, embedder: again } = noting();
  const reopened = await open({ storage: storage.connect(), embedder: again });
  await check(reopened);
  assert.ok(
    asked.flat().every((text) => !SAID.includes(text)),
    "nothing is embedded a second time",
  );
  assert.equal((await reopened.log.verify()).ok, true);
});

test("the user's last message is what a prompt is about, in its meaning as in its words", async () => {
  const { embedder } = noting();
  const memory = await open({ embedder });
  const before = memory.session("before");
  for (const content of SAID) await before.append({ role: "user", content });
  await before.idle();
  const session = memory.session("now");
  await session.append({ role: "user", content: "Is the puppy well?" });
  const { prompt } = await session.context();
  assert.ok(prompt.includes(SAID[0]), prompt);
});

test("the tools of a model find entries by what they mean", async () => {
  const { embedder } = noting();
  const memory = await open({ embedder });
  for (const content of SAID) await memory.add(content, { namespace: "long-term" });
  const mcp = await connected(memory);
  for (const [query, at] of QUESTIONS) {
    for (const call of [async (name, args) => (await memory.call(name, args)).text, mcp]) {
      assert.ok((await call("memory_search", { query })).includes(SAID[at]), query);
      assert.ok((await call("retrieve_from_memory", { keywords: [query] })).includes(SAID[at]), query);
    }
  }
  // The documented function is the documented formula, which knows words alone.
  assert.equal((await memoryFunctions(memory).memorySearch("puppy")).data.found, false);
});

test("histories have their meaning as well", async () => {
  const { embedder } = noting();
  const storage = new MemoryStorage();
  const memory = await open({ embedder, storage: storage.connect() });
  const summarize = async () => "They talked about the orchestra.";
  const session = memory.session("s-1", { contextTokens: 200, summarize });
  for (let n = 0; n < 40; n++) await session.append({ role: "user", content: `Row ${n} of a long table` });
  await session.idle();
  assert.ok((await session.histories()).length > 0);
  const check = async (memory) => {
    const found = await memory.queryMemory("vĩ cầm", { limit: 1 });
    assert.equal(found[0]?.kind, "history");
  };
  await check(memory);
  await memory.close();
  await check(await open({ embedder, storage: storage.connect() }));
});

test("append does not wait for the embedder, and batches are bounded", async () => {
  const waiting = [];
  const embedder = (texts) => new Promise((resolve) => waiting.push(() => resolve(texts.map(meaning))));
  const memory = await open({ embedder });
  const session = memory.session("s-1");
  for (const content of SAID) await session.append({ role: "user", content });
  assert.equal((await session.messages()).total, SAID.length);
  const idle = session.idle();
  while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await session.append({ role: "user", content: "while the embedder thinks" });
  const answer = setInterval(() => waiting.shift()?.(), 1);
  await idle;
  await session.idle();
  clearInterval(answer);
});

test("a failing embedder costs vectors and no message; what lacks one is caught up with later", async () => {
  const errors = [];
  const storage = new MemoryStorage();
  const down = noting(() => {
    throw new Error("the model is not loaded");
  });
  const memory = await open({
    storage: storage.connect(),
    embedder: down.embedder,
    onEmbedderError: (error) => errors.push(error.message),
  });
  const session = memory.session("s-1");
  for (const content of SAID) await session.append({ role: "user", content });
  await session.idle();
  assert.equal((await session.messages()).total, SAID.length);
  assert.ok(errors.length > 0 && errors.every((message) => message === "the model is not loaded"));
  assert.deepEqual(texts(await memory.queryMemory("terrier", { limit: 1 })), [SAID[0]], "found by its words");
  await memory.close();
  // Who opens it with a model that works catches up with the next thing that is said …
  const { asked, embedder } = noting();
  const again = await open({ storage: storage.connect(), embedder });
  await again.session("s-2").append({ role: "user", content: "Back again" });
  await again.session("s-2").idle();
  await check(again);
  assert.deepEqual(
    asked
      .flat()
      .filter((text) => SAID.includes(text))
      .sort(),
    [...SAID].sort(),
    "each once",
  );
});

test("embedAll embeds everything that lacks a vector: entries, messages, histories", async () => {
  const storage = new MemoryStorage();
  const plain = await open({ storage: storage.connect() });
  const session = plain.session("s-1");
  for (const content of SAID) await session.append({ role: "user", content });
  await plain.add("Nothing of all that");
  await plain.close();
  const { asked, embedder } = noting();
  const memory = await open({ storage: storage.connect(), embedder });
  const seen = [];
  const done = await memory.embedAll({ batchSize: 4, onProgress: (progress) => seen.push(progress) });
  assert.equal(done, SAID.length + 1);
  assert.ok(asked.every((texts) => texts.length <= 4));
  assert.deepEqual(seen.at(-1), { done, total: done });
  assert.equal(await memory.embedAll(), 0);
  await check(memory);
});

test("the memory's own tool traffic is not embedded, and a deleted session leaves no vector", async () => {
  const { asked, embedder } = noting();
  const storage = new MemoryStorage();
  const memory = await open({ storage: storage.connect(), embedder });
  const session = memory.session("s-1");
  await session.append([
    { role: "user", content: SAID[0] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "a", name: "memory_search", input: { query: "x" } }],
    },
    { role: "tool", content: [{ type: "tool_result", toolUseId: "a", output: "a puppy" }] },
  ]);
  await session.idle();
  assert.deepEqual(asked.flat(), [SAID[0]]);
  await session.delete();
  assert.deepEqual(await memory.queryMemory("puppy"), []);
  const other = storage.connect();
  const { items } = await other
    .scan("records", { start: new Uint8Array() }, 1000)
    .catch(() => ({ items: [] }));
  assert.ok(
    !items.some(({ value }) => value.length > 4 && new TextDecoder().decode(value).includes("terrier")),
  );
  await memory.close();
});

test("another handle of the same memory finds what this one has embedded", async () => {
  const storage = new MemoryStorage();
  const { embedder } = noting();
  const [one, two] = [
    await open({ storage: storage.connect(), embedder }),
    await open({ storage: storage.connect(), embedder }),
  ];
  assert.deepEqual(await two.queryMemory("puppy"), [], "its index is at hand before anything is said");
  const session = one.session("s-1");
  for (const content of SAID) await session.append({ role: "user", content });
  await session.idle();
  await two.session("s-2").info();
  await check(two);
  // Segments are complete and stored anew meanwhile.
  for (let n = 0; n < 300; n++) await one.session("s-3").append({ role: "user", content: `Line ${n}` });
  await one.session("s-3").idle();
  await check(one);
  await check(two);
  await Promise.all([one.close(), two.close()]);
  await check(await open({ storage: storage.connect(), embedder }));
});

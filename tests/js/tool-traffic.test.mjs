// What a model asks of its memory, and what it is told, is no memory: a search finds it only if it is asked to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage, openMemory } from "keepsake";

const open = (options = {}) => openMemory({ user: "u-1", storage: "memory", ...options });

let calls = 0;

/** A round of a model with a tool: the call, and its result, as the app appends them. */
async function round(session, name, input, output, { thought, text } = {}) {
  const id = `call-${++calls}`;
  const said = [
    ...(thought ? [{ type: "thought", text: thought }] : []),
    ...(text ? [{ type: "text", text }] : []),
    { type: "tool_use", id, name, input },
  ];
  await session.append({ role: "assistant", content: said });
  await session.append({ role: "tool", content: [{ type: "tool_result", toolUseId: id, output }] });
}

/** A round in which the memory itself does what the model asks for. */
async function own(memory, session, name, input, { as = name, ...said } = {}) {
  const { text } = await memory.call(name, input);
  await round(session, as, input, text, said);
  return text;
}

const texts = (found) => found.map(({ text }) => text);

/** The name of a drink, a fact about it and small talk, in three languages. */
const DRINKS = [
  { word: "tea", fact: "Ann drinks green tea every morning", said: "What should I offer her?" },
  { word: "trà", fact: "Chị Lan uống trà sen mỗi sáng", said: "Mình nên mời chị ấy gì?" },
  { word: "茶", fact: "小兰每天早上喝绿茶", said: "我应该请她喝什么？" },
];

for (const { word, fact, said } of DRINKS) {
  test(`queryMemory(${word}) answers the stored fact, not the tools that stored and sought it`, async () => {
    const storage = new MemoryStorage();
    const memory = await open({ storage: storage.connect() });
    const session = memory.session("s-1");
    await session.append({ role: "user", content: said });
    await own(memory, session, "memory_add", { content: fact });
    for (const query of [word, `${word} ${word}`]) await own(memory, session, "memory_search", { query });
    await own(memory, session, "query_memory", { query: word });
    await own(memory, session, "retrieve_from_memory", { keywords: [word] }, { thought: `Look for ${word}` });
    await session.append({ role: "assistant", content: "OK." });
    const check = async (memory) => {
      const found = await memory.queryMemory(word, { limit: 20 });
      assert.deepEqual(texts(found), [fact]);
      const all = await memory.queryMemory(word, { limit: 20, includeToolTraffic: true });
      assert.ok(all.length >= 9, `${all.length}`);
      assert.ok(all.every(({ kind }) => kind === "entry" || kind === "message"));
      assert.ok(texts(all).some((text) => text.startsWith("memory_search ")));
      const { text } = await memory.call("query_memory", { query: word });
      assert.equal(JSON.parse(text).length, 1, text);
      const other = await memory.session("s-2").context({ query: word });
      assert.ok(other.prompt.includes(fact));
      assert.ok(!/memory_search|memory_add|referenceId|keywords/.test(other.prompt), other.prompt);
    };
    await check(memory);
    await memory.close();
    await check(await open({ storage: storage.connect() }));
  });
}

test("names that a host puts a prefix before are the memory's own, too", async () => {
  const memory = await open();
  const prefixes = [
    "mcp__keepsake__",
    "mcp__my-notes__",
    "keepsake.",
    "functions.",
    "keepsake/",
    "keepsake:",
    "keepsake_",
    "mcp_keepsake_",
    "keepsake-",
  ];
  for (const [at, prefix] of prefixes.entries()) {
    const session = memory.session(`s-${at}`);
    await round(session, `${prefix}memory_search`, { query: "saffron" }, '{"results":["saffron rice"]}');
    await round(session, `${prefix}search_nodes`, { query: "saffron" }, '{"entities":["saffron"]}');
    assert.deepEqual(await memory.queryMemory("saffron"), [], prefix);
  }
  const session = memory.session("files");
  await round(session, "memory", { command: "view", path: "/memories/saffron.md" }, "saffron: a spice");
  assert.deepEqual(await memory.queryMemory("saffron"), []);
});

test("what other tools bring home is found, whatever they are called", async () => {
  const memory = await open();
  const tools = [
    ["get_weather", { city: "Hue" }],
    ["crm.update_profile", { customer: 7 }],
    ["billing_hand_over", { invoice: 7 }],
    ["company_memory_search", { q: "x" }],
    ["memory", { size: "16 GB" }],
    ["search_nodes_by_region", { region: "eu" }],
    ["memory_searcher", {}],
  ];
  for (const [at, [name, input]] of tools.entries()) {
    const answer = `Report ${at}: heavy monsoon rain over the old citadel`;
    await round(memory.session(`s-${at}`), name, input, answer);
    const found = await memory.queryMemory("monsoon citadel", { session: `s-${at}` });
    assert.ok(texts(found).includes(answer), `${name}: ${texts(found)}`);
  }
});

test("a message that says something beside a call of the memory is found by what it says", async () => {
  const memory = await open();
  const session = memory.session("s-1");
  const text = "The harvest festival is in October.";
  await own(memory, session, "memory_search", { query: "lantern riddles" }, { text });
  const found = await memory.queryMemory("harvest festival");
  assert.equal(found[0].text, text);
  assert.deepEqual(await memory.queryMemory("lantern riddles"), []);
  // Two results in one message, as some providers want them: the memory's own, and one of another tool.
  await session.append([
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "a", name: "memory_search", input: { query: "ferry" } },
        { type: "tool_use", id: "b", name: "timetable", input: { from: "pier 2" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", toolUseId: "a", output: '{"results":["quokka"]}' },
        { type: "tool_result", toolUseId: "b", output: "The ferry leaves at 9:40" },
      ],
    },
  ]);
  assert.ok(texts(await memory.queryMemory("ferry leaves")).includes("The ferry leaves at 9:40"));
  assert.deepEqual(await memory.queryMemory("quokka"), []);
});

test("what turns lend each other goes past the memory's own traffic", async () => {
  const memory = await open();
  const session = memory.session("s-1");
  await session.append({ role: "user", content: "Where did we leave the canoe?" });
  await own(memory, session, "memory_search", { query: "canoe" });
  await session.append({ role: "assistant", content: "Under the willow by the boathouse." });
  const found = await memory.queryMemory("canoe");
  // The answer follows its question, although a call and its result lie between them.
  assert.deepEqual(texts(found), ["Under the willow by the boathouse.", "Where did we leave the canoe?"]);
});

test("includeToolTraffic must be true or false", async () => {
  const memory = await open();
  await assert.rejects(memory.queryMemory("x", { includeToolTraffic: "yes" }), {
    name: "MemoryError",
    field: "includeToolTraffic",
  });
});

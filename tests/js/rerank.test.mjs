// The app's own reranker, wherever hits are ordered: searches, prompts, long-term memory, tools, and servers of tools.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { openMemory } from "keepsake";
import { mcpServer } from "keepsake/mcp";

const QUERY = "Where did we go for the summer holiday?";
const FACTS = [
  "The summer holiday was in Porto, and we would go there again.",
  "The summer holiday of last year was rainy.",
  "A holiday flat in Ghent has a garden.",
  "Le prochain holiday sera à Lyon.",
  "Летом holiday в Казани.",
];

async function opened(options = {}) {
  const memory = await openMemory({
    user: "ann",
    storage: "memory",
    now: () => 1_790_000_000_000,
    ...options,
  });
  for (const [at, content] of FACTS.entries()) await memory.add(content, { id: `fact-${at}` });
  return memory;
}

/** Opened with facts and a conversation in which the last message asks. */
async function asked(options) {
  const memory = await opened(options);
  const chat = memory.session("s", { compression: false });
  await chat.append([
    { id: "m-1", role: "user", content: "Hello!" },
    { id: "m-2", role: "assistant", content: "Hello, Ann." },
    { id: "m-3", role: "user", content: QUERY },
  ]);
  return { memory, chat };
}

async function clientOf(memory) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(memory).connect(ours);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(theirs);
  return client;
}

/** The facts in the order in which a text names them. */
const inOrder = (text) => {
  const found = FACTS.map((fact, at) => [text.indexOf(fact.slice(-12)), `fact-${at}`]).filter(
    ([at]) => at >= 0,
  );
  return found.sort(([one], [other]) => one - other).map(([, id]) => id);
};

/** Each way to an answer, as the ids of the facts in the answer's order. */
const WAYS = {
  search: async ({ memory }, limit) => (await memory.search(QUERY, { limit })).map(({ id }) => id),
  queryMemory: async ({ memory }, limit) =>
    (await memory.queryMemory(QUERY, { limit })).map(({ ref }) => ref),
  context: async ({ chat }, limit) => inOrder((await chat.context({ limit })).prompt),
  "context with a query": async ({ chat }, limit) =>
    inOrder((await chat.context({ limit, query: QUERY })).prompt),
  retrieve: async ({ memory }, limit) => inOrder(await memory.longTerm({ limit }).retrieve(QUERY)),
  "memory_search of memories": async ({ memory }, limit) =>
    inOrder((await memory.call("memory_search", { query: QUERY, scope: "memories", limit })).text),
  memory_search: async ({ memory }, limit) =>
    inOrder((await memory.call("memory_search", { query: QUERY, limit })).text),
  retrieve_from_memory: async ({ memory }) =>
    inOrder((await memory.call("retrieve_from_memory", { keywords: [QUERY] })).text),
  "memory_search over MCP": async ({ memory }, limit) => {
    const client = await clientOf(memory);
    const { content } = await client.callTool({ name: "memory_search", arguments: { query: QUERY, limit } });
    await client.close();
    return inOrder(content[0].text);
  },
};

/** Puts the facts in the order of their numbers, downwards, and before the messages, which have words of neighbours. */
const downwards = (_, hits) => hits.map(({ id }) => (id.startsWith("fact-") ? Number(id.slice(5)) : -9));

test("every way to an answer gives hits in the order of the reranker", async () => {
  const seen = [];
  const own = await asked({
    rerank: (query, hits) => {
      const facts = hits.map(({ id }) => id).filter((id) => id.startsWith("fact-"));
      seen.push([query, facts.sort()]);
      return downwards(query, hits);
    },
  });
  const all = FACTS.map((_, at) => `fact-${at}`);
  for (const [name, found] of Object.entries(WAYS)) {
    seen.length = 0;
    assert.deepEqual(await found(own, 5), all.toReversed(), name);
    assert.deepEqual(seen, [[QUERY, all]], `${name}: asked once, about the same question and all hits`);
    // A hit that its own rank would have left out.
    if (name !== "retrieve_from_memory")
      assert.deepEqual(await found(own, 1), ["fact-4"], `${name}, one of them`);
  }
  await own.memory.close();
});

test("a prompt with little room keeps what the reranker puts first", async () => {
  const { memory, chat } = await asked({ rerank: downwards });
  const whole = await chat.context();
  const { prompt, left } = await chat.context({ budget: whole.tokens - 20 });
  assert.ok(left.length > 0 && inOrder(prompt).includes("fact-4"));
  assert.ok(left.some(({ ref, why }) => ref === "fact-0" && why === "no-room"));
  await memory.close();
});

test("a reranker that keeps the order changes nothing, and none is asked where there is nothing to order", async () => {
  let calls = 0;
  const same = (_, hits) => {
    calls += 1;
    return hits.map(({ id }) => id);
  };
  const [plain, kept] = [await asked(), await asked({ rerank: same })];
  const answers = {
    search: ({ memory }) => memory.search(QUERY, { explain: true }),
    queryMemory: ({ memory }) => memory.queryMemory(QUERY),
    context: ({ chat }) => chat.context({ budget: 200 }),
    retrieve: ({ memory }) => memory.longTerm().retrieve(QUERY),
    memory_search: ({ memory }) => memory.call("memory_search", { query: QUERY }),
  };
  for (const [name, answer] of Object.entries(answers))
    assert.deepEqual(await answer(kept), await answer(plain), name);
  calls = 0;
  const unasked = {
    "no words in common": ({ memory }) => memory.call("memory_search", { query: "zzz" }),
    "a tool that searches nothing": ({ memory }) => memory.call("memory_stats", {}),
    "a tool that is not there": ({ memory }) => memory.call("no_tool", { query: QUERY }),
    "a tool that is not allowed": ({ memory }) =>
      memory.call("memory_search", { query: QUERY }, { only: ["memory_get"] }),
    "arguments that are wrong": ({ memory }) => memory.call("memory_search", { query: 7 }),
    "the formula": ({ memory }) => memory.queryMemory(QUERY, { ranking: "formula" }),
    "no hits wanted": ({ memory }) => memory.queryMemory(QUERY, { limit: 0 }),
    "a prompt without memories": ({ chat }) => chat.context({ include: ["turn"] }),
    "a prompt of no memories": ({ chat }) => chat.context({ limit: 0 }),
  };
  for (const [name, answer] of Object.entries(unasked)) {
    assert.deepEqual(await answer(kept), await answer(plain), name);
    assert.equal(calls, 0, name);
  }
  for (const { memory } of [plain, kept]) await memory.close();
});

test("a wrong answer of the reranker is refused by name wherever it is asked", async () => {
  const wrong = {
    throws: () => {
      throw new Error("the model is away");
    },
    "no array": () => undefined,
    "too few": (_, hits) => hits.slice(1).map(({ id }) => id),
    "unknown ids": (_, hits) => hits.map((_, at) => `nobody-${at}`),
    "one id twice": (_, hits) => hits.map(() => hits[0].id),
    "not a number": (_, hits) => hits.map(() => Number.NaN),
  };
  for (const [what, rerank] of Object.entries(wrong)) {
    const own = await asked({ rerank });
    for (const [name, found] of Object.entries(WAYS)) {
      if (name.endsWith("MCP")) continue;
      await assert.rejects(found(own, 5), { code: "invalid-input", field: "rerank" }, `${name}: ${what}`);
    }
    const client = await clientOf(own.memory);
    const { content, isError } = await client.callTool({
      name: "memory_search",
      arguments: { query: QUERY },
    });
    assert.ok(isError && /`rerank`/.test(content[0].text), content[0].text);
    assert.ok(!content[0].text.includes("Porto"));
    await own.memory.close();
  }
});

test("calls that overlap keep their own order", async () => {
  const waiting = [];
  const own = await asked({
    // All are answered when the last one has asked, in the other order; each by its own question.
    rerank: (query, hits) =>
      new Promise((resolve) => {
        const numbers = downwards(query, hits);
        waiting.push(() =>
          resolve(query.endsWith("!") ? numbers.map((number) => (number < 0 ? number : -number)) : numbers),
        );
        if (waiting.length === 4) for (const answer of waiting.toReversed()) answer();
      }),
  });
  const up = FACTS.map((_, at) => `fact-${at}`);
  const shout = `${QUERY}!`;
  const answers = await Promise.all([
    own.chat.context({ query: QUERY }).then(({ prompt }) => inOrder(prompt)),
    own.chat.context({ query: shout }).then(({ prompt }) => inOrder(prompt)),
    own.memory.call("memory_search", { query: shout }).then(({ text }) => inOrder(text)),
    own.memory.search(QUERY).then((hits) => hits.map(({ id }) => id)),
  ]);
  assert.deepEqual(answers, [up.toReversed(), up, up, up.toReversed()]);
  await own.memory.close();
});

test("what is written while the reranker thinks is neither lost nor in the way", async () => {
  let memory;
  const own = await asked({
    rerank: async (query, hits) => {
      await memory.delete("fact-4");
      await memory.add("A new summer holiday.", { id: "fact-9" });
      return downwards(query, hits);
    },
  });
  memory = own.memory;
  assert.deepEqual(
    (await memory.search(QUERY, { limit: 9 })).map(({ id }) => id),
    ["fact-3", "fact-2", "fact-1", "fact-0", "fact-9"],
  );
  await memory.close();
});

test("messages of one id in two conversations are two hits, in the order that is answered", async () => {
  const both = async (rerank) => {
    const memory = await openMemory({ user: "ann", storage: "memory", rerank });
    for (const [id, content] of [
      ["s-1", "The boat is in Ghent."],
      ["s-2", "The boat is in Porto, by the river."],
    ])
      await memory.session(id).append({ id: "m-1", role: "user", content });
    const found = await memory.queryMemory("the boat");
    await memory.close();
    return found.map(({ session }) => session);
  };
  const plain = await both();
  assert.equal(plain.length, 2);
  assert.deepEqual(await both((_, hits) => hits.map(({ id }) => id)), plain);
  assert.deepEqual(await both((_, hits) => hits.map((_, at) => at)), plain.toReversed());
});

test("an embedder, filters and the agent's own memories hold for the reranked hits, too", async () => {
  const shown = [];
  const memory = await opened({
    embedder: async (texts) => texts.map((text) => [/Ghent|garden|flower/i.test(text) ? 1 : 0, 1]),
    rerank: (query, hits) => {
      shown.push(hits.map(({ id }) => id));
      return downwards(query, hits);
    },
  });
  await memory.add("Ben's own summer holiday is a secret.", { id: "fact-7", agent: "ben" });
  await memory.add("A winter holiday.", { id: "fact-8", namespace: "short-term", tags: ["cold"] });
  const { text } = await memory.call("memory_search", { query: QUERY }, { agent: "ann" });
  assert.ok(text.includes("fact-4") && !text.includes("fact-7"));
  assert.ok(!shown.flat().includes("fact-7"));
  shown.length = 0;
  await memory.call("memory_search", { query: "holiday", namespace: "short-term" });
  assert.ok(shown[0].includes("fact-8"));
  shown.length = 0;
  assert.deepEqual(
    (await memory.search("holiday", { tags: ["cold"] })).map(({ id }) => id),
    ["fact-8"],
  );
  assert.deepEqual(shown, [["fact-8"]]);
  shown.length = 0;
  await memory.search("Which flowers are there?");
  assert.ok(shown[0].includes("fact-2"), "found by its embedding");
  await memory.close();
});

// What recording makes of a text: a new fact, one that is known, or the correction of one; for each agent by itself.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { mcpServer } from "keepsake/mcp";
import { Memory as Mem0 } from "keepsake/mem0";
import { memoryOf } from "./support/talk.mjs";

const RECORDED = "Successfully recorded to long-term memory";

/** Every way to record a text as it is, each with what it answers in words, if it does. */
const DOORS = {
  "longTerm.record": async (memory, text, agent) => {
    const longTerm = memory.longTerm({ agent, recordFilter: () => [text] });
    await longTerm.record([{ role: "user", content: text }]);
  },
  "the agent's tool": (memory, text, agent) =>
    memory.longTerm({ agent }).tools[0].call({ thinking: "it lasts", content: [text] }),
  "memory.call": async (memory, text, agent) => {
    const { text: told, isError } = await memory.call("record_to_memory", { content: [text] }, { agent });
    assert.equal(isError, false, told);
    return told;
  },
  MCP: async (memory, text, agent) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await mcpServer(memory, { agent }).connect(ours);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(theirs);
    const { content } = await client.callTool({ name: "record_to_memory", arguments: { content: [text] } });
    await client.close();
    return content[0].text;
  },
};

/** What is told, and what it corrects. Words of the first that must not be served any more. */
const CORRECTIONS = [
  ["Ann is allergic to nuts", "Ann is not allergic to nuts", /is allergic/],
  ["The dentist appointment is on 5 May", "The dentist appointment is on 6 May", /5 May/],
  ["The user lives in Hanoi", "The user lives in Saigon", /Hanoi/],
  ["我住在北京市海淀区", "我住在北京市朝阳区", /海淀/],
  ["Tôi sống ở Hà Nội", "Tôi sống ở Sài Gòn", /Hà Nội/],
  ["会議は3月5日です", "会議は3月6日です", /5日/],
  ["Ich esse Fleisch", "Ich esse kein Fleisch", /esse Fleisch/],
  ["La cita es el 5 de mayo", "La cita es el 6 de mayo", /5 de mayo/],
  ["J'habite à Paris", "J'habite maintenant à Lyon", /Paris/],
  ["У меня аллергия на орехи", "У меня нет аллергии на орехи", /меня аллергия/],
  ["저는 땅콩 알레르기가 있어요", "저는 땅콩 알레르기가 없어요", /있어요/],
];

/** Facts that share most of their words and are all true. */
const DIFFERENT = [
  ["Ann pays Bob", "Bob pays Ann"],
  ["My son is called Max", "My son is called Tom"],
  ["Invoice 17 is paid", "Invoice 18 is paid"],
  ["Anna wohnt in Berlin", "Ben wohnt in Berlin"],
  ["我喜欢喝茶", "我喜欢喝咖啡"],
  ["Tôi thích trà đá", "Tôi thích trà sữa"],
];

for (const [door, record] of Object.entries(DOORS)) {
  test(`E12 E15 what corrects a fact takes its place, by ${door}`, async () => {
    for (const [old, corrected, stale] of CORRECTIONS) {
      const memory = await memoryOf();
      const first = await record(memory, old);
      if (first !== undefined) assert.equal(first, RECORDED);
      const second = await record(memory, corrected);
      if (second !== undefined) assert.equal(second, `${RECORDED} (1 corrected)`);
      const [entry, ...others] = await memory.list();
      assert.deepEqual([entry.summary, others], [corrected, []]);
      const before = await memory.history(entry.id);
      assert.deepEqual(
        before.map(({ content }) => content),
        [old],
      );
      const told = await memory.longTerm().retrieve(old);
      assert.ok(told.includes(corrected), told);
      assert.doesNotMatch(told, stale);
      const hits = await memory.search(old);
      assert.deepEqual(
        hits.map(({ summary }) => summary),
        [corrected],
      );
    }
  });

  test(`E12 E15 different facts are all kept, and one that is told again is kept once, by ${door}`, async () => {
    const memory = await memoryOf();
    const likes = ["tea", "coffee", "jazz", "chess", "rain", "maps", "trams", "olives", "cats", "snow"];
    for (const thing of likes) await record(memory, `The user likes ${thing}`);
    const facts = [...likes.map((thing) => `The user likes ${thing}`), ...DIFFERENT.flat()];
    for (const fact of DIFFERENT.flat()) await record(memory, fact);
    const kept = async () => (await memory.list()).map(({ summary }) => summary).sort();
    assert.deepEqual(await kept(), [...facts].sort());
    for (const fact of facts) {
      const told = await record(memory, `${fact}.`);
      if (told !== undefined) assert.equal(told, `${RECORDED} (1 already known)`);
    }
    assert.deepEqual(await kept(), [...facts].sort());
  });

  test(`E17 what one agent was told another one remembers for itself, by ${door}`, async () => {
    const memory = await memoryOf();
    await record(memory, "The user is allergic to peanuts", "one");
    await record(memory, "The user is allergic to peanuts", "two");
    await record(memory, "The user is not allergic to peanuts", "two");
    const of = async (agent) => {
      const { text } = await memory.call("retrieve_from_memory", { keywords: ["peanuts"] }, { agent });
      assert.equal(
        text.replace("No relevant memories found", ""),
        await memory.longTerm({ agent }).retrieve("peanuts"),
      );
      return text.match(/The user.*/g) ?? [];
    };
    assert.deepEqual(await of("one"), ["The user is allergic to peanuts"]);
    assert.deepEqual(await of("two"), ["The user is not allergic to peanuts"]);
    assert.deepEqual(await of("three"), []);
    await record(memory, "Peanuts grow below ground");
    const { text } = await memory.call("retrieve_from_memory", { keywords: ["peanuts"] }, { agent: "three" });
    assert.match(text, /grow below ground/, "what belongs to no agent is for all");
    const recalled = await memory.call("query_memory", { query: "peanuts allergic" }, { agent: "one" });
    assert.match(recalled.text, /is allergic/);
    assert.doesNotMatch(recalled.text, /is not allergic/);
  });
}

test("E12 the answer says which of the three happened, and its entries can be used", async () => {
  const memory = await memoryOf();
  const record = (...texts) => memory.longTerm({ recordFilter: () => texts, session: "s-1" }).record([]);
  const [hanoi, tea] = await record("The user lives in Hanoi", "The user likes tea");
  assert.deepEqual([hanoi.outcome, tea.outcome], ["new", "new"]);
  const [coffee, again, saigon] = await record(
    "The user likes coffee",
    "the user likes TEA!",
    "The user lives in Saigon",
  );
  assert.deepEqual([coffee.outcome, again.outcome, saigon.outcome], ["new", "same", "corrected"]);
  assert.deepEqual([again.id, saigon.replaces, saigon.replaced], [tea.id, hanoi.id, [hanoi.id]]);
  assert.deepEqual([again.version, again.summary], [1, "The user likes tea"]);
  assert.ok(again.importance > tea.importance, "what is told again counts for more");
  assert.ok(again.expiresAt >= tea.expiresAt);
  assert.deepEqual([saigon.version, saigon.summary], [1, "The user lives in Saigon"]);
  assert.deepEqual(
    (await memory.history(saigon.id)).map(({ id, validUntil }) => [id, validUntil]),
    [[hanoi.id, saigon.validFrom]],
  );
  assert.deepEqual(await memory.history(tea.id), [], "it says what it said");
  const told = await memory.call("record_to_memory", {
    content: ["The user likes tea", "The user lives in Hue", "The user likes jazz"],
  });
  assert.equal(told.text, `${RECORDED} (1 new, 1 corrected, 1 already known)`);
});

test("E12 sentences of a conversation correct each other, and a text corrects one of the same call", async () => {
  const memory = await memoryOf();
  const longTerm = memory.longTerm();
  await longTerm.record([{ role: "user", content: "Hi! I live in Hanoi. I'm allergic to nuts." }]);
  const kept = await longTerm.record([
    { role: "user", content: "I live in Saigon. I'm not allergic to nuts." },
  ]);
  assert.deepEqual(
    kept.map(({ outcome }) => outcome),
    ["corrected", "corrected"],
  );
  await longTerm.record([{ role: "user", name: "Bob", content: "I live in Hanoi." }]);
  const texts = (await memory.list()).map(({ summary }) => summary).sort();
  assert.deepEqual(texts, ["I live in Hanoi.", "I live in Saigon.", "I'm not allergic to nuts."]);
  const { text } = await memory.call("record_to_memory", {
    content: ["The meeting is on 5 May", "The meeting is on 6 May"],
  });
  assert.equal(text, `${RECORDED} (1 new, 1 corrected)`);
});

test("two calls with the same fact at once keep it once", async () => {
  const memory = await memoryOf();
  const fact = { content: ["The user plays the oboe"] };
  const answers = await Promise.all([1, 2, 3].map(() => memory.call("record_to_memory", fact)));
  assert.deepEqual(answers.map(({ text }) => text.includes("known")).sort(), [false, true, true]);
  assert.equal(await memory.count(), 1);
});

test("long texts are compared whole", async () => {
  const memory = await memoryOf();
  const text = (end) => `The plan for the garden. ${"Plant beans in row after row. ".repeat(40)}${end}`;
  const record = (content) => memory.longTerm({ recordFilter: () => [content] }).record([]);
  const outcomes = [];
  for (const end of ["Then water them.", "Then burn them.", "Then water them."])
    outcomes.push((await record(text(end)))[0].outcome);
  assert.deepEqual(outcomes, ["new", "new", "same"]);
  assert.equal(await memory.count(), 2);
});

test("a piece of a document and a fact that the user has confirmed are not replaced", async () => {
  const memory = await memoryOf();
  await memory.ingest("The user lives in Hanoi", { source: "page.md" });
  await memory.add("The meeting is on 5 May", { namespace: "long-term", trust: "high" });
  for (const text of ["The user lives in Saigon", "The meeting is on 6 May"])
    assert.equal((await memory.call("record_to_memory", { content: [text] })).text, RECORDED);
  assert.equal(await memory.count(), 4);
});

test("what is corrected belongs to the conversation that corrected it", async () => {
  const memory = await memoryOf();
  const record = (session, text) => memory.longTerm({ session, recordFilter: () => [text] }).record([]);
  const [{ id }] = await record("s-1", "The user lives in Hanoi");
  await memory.update(id, { tags: ["home"], metadata: { from: "app" } });
  const [entry] = await record("s-2", "The user lives in Saigon");
  assert.deepEqual([entry.session, entry.tags, entry.metadata], ["s-2", ["home"], { from: "app" }]);
  await memory.deleteSession("u-1", "s-1");
  assert.match(await memory.longTerm().retrieve("Where does the user live?"), /Saigon/);
});

test("mem0's add tells of what is new and of what is corrected", async () => {
  const mem0 = new Mem0({ memory: await memoryOf() });
  const added = async (text) =>
    (await mem0.add(text, { userId: "u-1" })).results.map(({ memory, metadata }) => [memory, metadata.event]);
  assert.deepEqual(await added("I live in Hanoi."), [["I live in Hanoi.", "ADD"]]);
  assert.deepEqual(await added("I live in Hanoi."), []);
  assert.deepEqual(await added("I live in Saigon."), [["I live in Saigon.", "UPDATE"]]);
});

/** A sentence, the secret in it, and its kind. */
const SECRETS = [
  ["My API key is sk-proj-Ab12Cd34Ef56Gh78Ij90 for the Lisbon account", "sk-proj-Ab12", "api key"],
  ["Thẻ của tôi là 4111 1111 1111 1111, hết hạn tháng 5", "4111 1111", "card number"],
  ["私のトークンはghp_Ab12Cd34Ef56Gh78Ij90Kl12です", "ghp_Ab12", "api key"],
  ["Meine IBAN ist DE89 3704 0044 0532 0130 00", "3704 0044", "account number"],
];

/** Numbers that are no secrets, and must be kept. */
const HARMLESS = [
  "Call me on +84 90 123 45 67",
  "The release is commit 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b",
  "注文番号は20260314001です",
  "My address is Musterstraße 12, 20095 Hamburg",
];

for (const [door, record] of Object.entries(DOORS)) {
  test(`S14 a secret is not recorded, and the rest of the statement is, by ${door}`, async () => {
    for (const [text, secret, kind] of SECRETS) {
      const memory = await memoryOf();
      await record(memory, text, undefined);
      const [entry] = await memory.list();
      const { content } = await memory.get(entry.id);
      assert.ok(!content.includes(secret) && content.includes(`[secret: ${kind}]`), content);
      assert.deepEqual(await memory.search(secret), [], secret);
    }
    const memory = await memoryOf();
    for (const text of HARMLESS) await record(memory, text, undefined);
    const kept = await Promise.all((await memory.list()).map(({ id }) => memory.get(id)));
    assert.deepEqual(kept.map(({ content }) => content).sort(), [...HARMLESS].sort());
  });
}

test("the result of a recording names the kinds of secrets, and only where there are some", async () => {
  const memory = await memoryOf();
  const longTerm = memory.longTerm({ recordFilter: (messages) => messages.map(({ content }) => content) });
  const [first] = await longTerm.record([{ role: "user", content: SECRETS[0][0] }]);
  assert.deepEqual(first.secrets, ["api key"]);
  const [second] = await longTerm.record([{ role: "user", content: "Write [secret: api key] on the card" }]);
  assert.equal(second.secrets, undefined);
});

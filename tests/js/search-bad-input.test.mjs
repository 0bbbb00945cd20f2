// Questions that nobody would ask, in any script: each gets an answer or a typed error that names the field.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, openMemory } from "keepsake";

const open = (user) => openMemory({ name: "search-bad-input", user, storage: "memory" });

/** Every door that takes a question, each with the hits or the text that it answers. */
const doors = (memory) => [
  ["search", (query) => memory.search(query)],
  ["search by formula", (query) => memory.search(query, { ranking: "formula" })],
  ["queryMemory", (query) => memory.queryMemory(query)],
  ["context", (query) => memory.session("s").context({ query })],
  ["call", (query) => memory.call("memory_search", { query })],
];

const RUNS = {
  Thai: ["สวนสาธารณะใกล้บ้านเปิดตั้งแต่เช้า", "แมวชอบนอนบนหลังคา"],
  Chinese: ["公园早上六点开门", "猫喜欢睡在屋顶上"],
  Japanese: ["公園は朝六時に開きます", "猫は屋根の上で寝るのが好きです"],
  Khmer: ["សួនច្បារបើកនៅពេលព្រឹក", "ឆ្មាចូលចិត្តដេកលើដំបូល"],
};

for (const [script, [sought, other]] of Object.entries(RUNS)) {
  test(`a question of 10,000 words in ${script}, without a space`, async () => {
    const memory = await open(script);
    await memory.add(other, { id: "other" });
    await memory.add(sought, { id: "sought" });
    await memory.session("s").append({ role: "user", content: sought });
    const question = sought.repeat(Math.ceil(40_000 / sought.length));
    for (const [door, ask] of doors(memory)) {
      const answer = await ask(question).catch((error) => error);
      if (answer instanceof Error) {
        assert.ok(answer instanceof MemoryError && answer.field === "query", `${door}: ${answer}`);
      } else if (door.startsWith("search")) {
        assert.equal(answer[0]?.id, "sought", door);
      }
    }
    await memory.close();
  });
}

test("50,000 words that look alike, and a question of 256 of them", async () => {
  const memory = await open("alike");
  const word = (n) => `wörterbuch${n.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[digit])}`;
  const words = Array.from({ length: 50_000 }, (_, n) => word(n));
  for (let at = 0; at < words.length; at += 1000) {
    await memory.add(words.slice(at, at + 1000).join(" "), { id: `e-${at / 1000}` });
  }
  const question = words.slice(7000, 7256).join(" ");
  const hits = await memory.search(question, { explain: true, limit: 50 });
  assert.equal(hits[0].id, "e-7");
  // Each word that is looked up is a part of the receipt: no question looks up more.
  for (const { receipt } of hits) assert.ok(receipt.length <= 300, `${receipt.length}`);
  // A group of words has at most twelve members, so that one word brings in at most twelve entries.
  const one = await memory.search(`${words[9000]} für`, { limit: 50 });
  assert.equal(one[0].id, "e-9");
  assert.ok(one.length <= 12, `${one.length}`);
  await memory.close();
});

test("several scripts in one question and one entry", async () => {
  const memory = await open("mixed");
  const entry = "Anna встретила 田中さん في القاهرة और สมชาย 도서관에서 🎉 v1.2.3";
  await memory.add("Lunch is at noon", { id: "other" });
  await memory.add(entry, { id: "mixed" });
  for (const question of [
    entry,
    "кого встретила Anna 田中さん القاهرة?",
    "สมชาย도서관田中",
    "🎉",
    "القاهرة",
    "और도서관",
  ]) {
    const [hit] = await memory.search(question);
    assert.equal(hit?.id, "mixed", question);
  }
  await memory.close();
});

const ODD = {
  "unassigned code points": "park \u0378\u{e0fff}\u{10ffff} open",
  noncharacters: "park \ufdd0\uffff\u{1fffe} open",
  NUL: "park \0 open\0",
  "private use": "park \ue000\u{f0000} open",
  "bidi marks": "\u202epark\u202c \u2066open\u2069 \u200f\u061c",
  "marks alone": "\u0301\u0e31\u094d\u3099\u20dd park open",
  "a mark a thousand times": `park${"\u0301".repeat(1000)} open`,
  "joiners and selectors": "pa\u200drk\ufe0f o\u2060pen\ufeff",
  "jamo alone": "\u1161\u11a8\u1100 park open",
};

for (const [what, text] of Object.entries(ODD)) {
  test(`${what} in question and entry`, async () => {
    const memory = await open(what);
    // A content with NUL is refused as binary data; a summary may have it.
    await memory.add(text.replaceAll("\0", ""), { id: "odd", summary: text });
    await memory.add("Lunch is at noon", { id: "other" });
    await memory.session("s").append({ role: "user", content: text });
    for (const [door, ask] of doors(memory)) {
      const answer = await ask(text);
      if (door === "search") assert.equal(answer[0]?.id, "odd", door);
      assert.ok(!answer.isError, `${door}: ${answer.text}`);
    }
    await memory.close();
  });
}

test("F28 a lone surrogate is refused by name, in every door", async () => {
  const memory = await open("surrogates");
  await memory.add("The park opens at six");
  for (const text of ["park \ud800", "\udc00", "\udc00\ud800 日本"]) {
    for (const [door, ask] of doors(memory)) {
      const answer = await ask(text).catch((error) => error);
      if (door === "call") {
        // A model is told, and can ask again.
        assert.equal(answer.isError, true);
        assert.match(answer.text, /query/);
        continue;
      }
      assert.ok(answer instanceof MemoryError, `${door}: ${answer}`);
      assert.equal(answer.code, "invalid-input", door);
      assert.equal(answer.field, "query", door);
    }
    const added = await memory.add(text).catch((error) => error);
    assert.equal(added.field, "content");
  }
  await memory.close();
});

test("questions without a word are answered", async () => {
  const memory = await open("wordless");
  await memory.add("The park opens at six", { id: "park" });
  await memory.add("Party on Friday 🎉🎂", { id: "party" });
  await memory.session("s").append({ role: "user", content: "The park opens at six?" });
  assert.deepEqual(
    (await memory.search("🎂🎉🏳️‍🌈")).map(({ id }) => id),
    ["party"],
  );
  assert.deepEqual(await memory.search("👩‍👩‍👧‍👦🫠"), []);
  for (const question of [
    "?!.,;:",
    "？！。、，：；「」",
    "؟،؛",
    "।॥",
    "ฯ ๆ",
    "՞՜։",
    "«»·;",
    "…—–",
    "()[]{}",
    "\u3000\u00a0 ",
  ]) {
    for (const [door, ask] of doors(memory)) {
      const answer = await ask(question).catch((error) => error);
      if (answer instanceof Error) {
        assert.ok(
          answer instanceof MemoryError && answer.field === "query",
          `${door} ${question}: ${answer}`,
        );
      } else if (door.startsWith("search")) {
        assert.deepEqual(answer, [], `${door} ${question}`);
      }
    }
  }
  await memory.close();
});

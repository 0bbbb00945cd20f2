// Who said it decides what it is an answer to: from a user's sentence in a conversation to the answer of every search.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";

const open = (user) => openMemory({ name: "roles", user, storage: "memory" });

/** An answer as assistants give it: long, and full of the words of the question. */
const chatter = (topic) => `Great question about ${topic}! Here is what to know about ${topic}. `.repeat(12);

const TALKS = [
  {
    language: "English",
    told: "By the way, my dog is called Pixel.",
    replied: chatter("your dog and what your dog is called"),
    asked: "What is my dog called?",
  },
  {
    language: "German",
    told: "Übrigens, mein Hund heißt Pixel.",
    replied:
      "Schöner Name für einen Hund! Mein Rat: Ein Hund, der Pixel heißt, hört gern seinen Namen. ".repeat(9),
    asked: "Wie heißt mein Hund?",
  },
  {
    language: "Vietnamese",
    told: "Nhân tiện, con chó của tôi tên là Pixel.",
    replied:
      "Tên hay cho một con chó! Con chó của bạn sẽ thích tên đó, và con chó nào cũng cần một cái tên. ".repeat(
        9,
      ),
    asked: "Con chó của tôi tên là gì?",
  },
  {
    language: "Chinese",
    told: "对了，我的狗叫小白。",
    replied: "给狗起名字很重要。狗叫什么名字都可以，我的建议是名字短一点，狗容易记住自己的名字。".repeat(9),
    asked: "我的狗叫什么？",
  },
];

for (const { language, told, replied, asked } of TALKS) {
  test(`${language}: what the user told comes before what the assistant replied`, async () => {
    const memory = await open(language);
    const session = memory.session("chat");
    await session.append({ role: "user", content: told });
    await session.append({ role: "assistant", content: replied });
    await session.append({ role: "user", content: asked });

    const hits = await memory.queryMemory(asked);
    assert.equal(hits[0]?.text, told);
    assert.ok(!hits.some((hit) => hit.text === asked), "the message that asks is no answer");

    const answer = await memory.call("memory_search", { query: asked });
    assert.ok(!answer.isError, answer.text);
    assert.ok(answer.text.includes(told), answer.text);
    assert.ok(!answer.text.includes(JSON.stringify(asked)), "nor for a model");
    await memory.close();
  });
}

test("a name does not hide the role, and the role of an imported message is known", async () => {
  const memory = await open("named");
  const session = memory.session("chat");
  await session.append({ role: "user", name: "Ann", content: "I keep the spare key under the blue pot." });
  await session.append({ role: "assistant", name: "Helper", content: chatter("where you keep a spare key") });
  assert.match((await memory.queryMemory("Where do I keep the spare key?"))[0].text, /blue pot/);

  const copy = await open("copied");
  const messages = await copy.fromLines(await memory.log.export("chat"));
  for (const message of messages) await copy.session("chat").append(message);
  assert.match((await copy.queryMemory("Where do I keep the spare key?"))[0].text, /blue pot/);
  await memory.close();
  await copy.close();
});

test("what the assistant said is found when that is asked for", async () => {
  const memory = await open("asked");
  const session = memory.session("chat");
  await session.append({ role: "user", content: "Which tent should I buy for my trip to the mountains?" });
  await session.append({
    role: "assistant",
    content: "For the mountains take a tent with two poles, the Alto.",
  });
  await session.append({ role: "user", content: "My trip to the mountains starts on Friday." });
  const [first] = await memory.queryMemory("Which tent did you recommend for the mountains?");
  assert.match(first.text, /the Alto/);
  await memory.close();
});

test("the same question of another day is no answer either", async () => {
  const memory = await open("again");
  for (const day of ["monday", "tuesday", "wednesday"]) {
    await memory.session(day).append({ role: "user", content: "When does the bakery close?" });
  }
  await memory.session("thursday").append({ role: "user", content: "The bakery closes at six." });
  const hits = await memory.queryMemory("When does the bakery close?", { limit: 3 });
  assert.deepEqual(
    hits.map(({ text }) => text),
    ["The bakery closes at six."],
  );
  await memory.close();
});

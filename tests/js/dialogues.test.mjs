// Dialogues as people have them, through long-term memory: what is told, what is asked, and what must not be answered.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory } from "keepsake";
import { DIALOGUES, hasWord } from "./support/dialogues.mjs";

for (const { name, told, asked } of DIALOGUES) {
  test(name, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    const longTerm = memory.longTerm();
    for (const content of told) await longTerm.record([{ role: "user", content }]);
    for (const { question, has, not, silent } of asked) {
      const answer = await longTerm.retrieve(question);
      if (silent) assert.equal(answer, "", question);
      if (has) assert.ok(hasWord(answer, has), `${question} ${answer}`);
      if (not) assert.ok(!hasWord(answer, not), `${question} ${answer}`);
    }
    await memory.close();
  });
}

test("a PIN that was told is redacted, and forgotten on request", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const longTerm = memory.longTerm();
  const [kept] = await longTerm.record([{ role: "user", content: "My PIN is 4471" }]);
  assert.deepEqual([kept.summary, kept.secrets], ["My PIN is [secret: pin]", ["pin"]]);
  assert.deepEqual(await longTerm.record([{ role: "user", content: "forget my PIN" }]), []);
  assert.equal(await longTerm.retrieve("What is my PIN?"), "");
  assert.deepEqual(await memory.list({ includePast: true }), []);
  await memory.close();
});

test("a fact's past is in its history, and can be asked for by time", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const longTerm = memory.longTerm();
  const [hanoi] = await longTerm.record([{ role: "user", content: "I live in Hanoi" }]);
  const [danang] = await longTerm.record([{ role: "user", content: "I moved to Da Nang" }]);
  assert.deepEqual(danang.replaced, [hanoi.id]);
  const ids = (entries) => entries.map(({ id }) => id);
  assert.deepEqual(ids(await memory.list()), [danang.id]);
  assert.deepEqual(ids(await memory.list({ includePast: true })), [danang.id, hanoi.id]);
  const before = Date.parse(danang.validFrom) - 1;
  assert.deepEqual(ids(await memory.search("live moved", { asOf: before })), [hanoi.id]);
  assert.deepEqual(ids(await memory.history(danang.id)), [hanoi.id]);
  await assert.rejects(memory.search("live", { asOf: before, includePast: true }), {
    code: "invalid-input",
    field: "asOf",
  });
  await assert.rejects(memory.add("x", { validFrom: "2025-02-01", validUntil: "2025-01-01" }), {
    code: "invalid-input",
    field: "validUntil",
  });
  await memory.close();
});

test("standing instructions are listed and in every prompt, in the order of their time", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const longTerm = memory.longTerm();
  for (const content of ["Always answer in French", "Never use em dashes"]) {
    await longTerm.record([{ role: "user", content }]);
  }
  const listed = (await memory.instructions()).map(({ summary }) => summary);
  assert.deepEqual(listed, ["Always answer in French", "Never use em dashes"]);
  const chat = memory.session("s");
  await chat.append({ role: "user", content: "What is the weather like?" });
  const { prompt, used } = await chat.context({ budget: 2000 });
  assert.match(
    prompt,
    /<user_instructions>\n.*\n\n> Always answer in French\n> Never use em dashes\n<\/user_instructions>/,
  );
  assert.ok(used.some(({ kind }) => kind === "instruction"));
  const [first] = await longTerm.beforeReasoning([{ role: "user", content: "What is the weather like?" }]);
  assert.match(first.content[0].text, /Always answer in French/);
  await memory.close();
});

test("a message of a megabyte is recorded without loss of the rest", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const longTerm = memory.longTerm();
  const long = `I live in Hanoi. ${"word ".repeat(200_000)}`;
  await longTerm.record([{ role: "user", content: long }]);
  await longTerm.record([{ role: "user", content: "I'm allergic to nuts" }]);
  assert.match(await longTerm.retrieve("What am I allergic to?"), /nuts/);
  await memory.close();
});

// The chats that the benchmark of speed scales up.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { scaled } from "../../benches/bench/chat-corpus.mjs";

const chats = JSON.parse(
  await readFile(new URL("../fixtures/eval/assistant/boat.json", import.meta.url), "utf8"),
);

test("copies of a chat have subjects of their own, and questions that only they answer", () => {
  const { entries, questions } = scaled(chats, 14);
  assert.equal(entries.length, 14);
  assert.deepEqual(
    entries.map(({ id }) => id),
    Array.from({ length: 14 }, (_, id) => id),
  );
  assert.equal(entries[0].text, chats[0].entries[0].content, "the first copy is the chat itself");
  const [first, second] = [entries[0], entries[6]];
  assert.match(first.text, /\bPetrel\b/);
  assert.doesNotMatch(second.text, /\bPetrel\b/);
  assert.match(second.text, /\bPetrel\p{L}+\b/u);
  assert.notEqual(first.session, second.session);
  assert.equal(second.speaker, "user");
  // Nothing is asked about the entries that were cut off, and the words of a question are its copy's.
  assert.ok(questions.every(({ answers }) => answers.every((id) => id < 14)));
  const named = questions.filter(({ answers }) => answers.includes(6));
  assert.equal(named.length, 1);
  assert.match(named[0].text, /\bdinghy\p{L}*\b/u);
  assert.throws(() => scaled(chats, 1_000), /the chats have 6 entries, which is too few for 1000/);
});

// The app's own understanding of messages: it replaces the rules where it answers, and loses nothing where it fails.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryOf } from "./support/talk.mjs";

const user = (content) => ({ role: "user", content });
const texts = async (memory) => (await memory.list()).map(({ summary }) => summary).sort();

test("facts of the app are recorded instead of those of the rules, and a slot has one value", async () => {
  const memory = await memoryOf();
  const seen = [];
  const understand = (message) => {
    seen.push(message.role);
    const [, city] = /Umzug nach (\w+)/.exec(message.content) ?? [];
    if (city) return [{ text: `Wohnt in ${city}`, slot: "home" }];
    return message.content.startsWith("psst") ? [] : undefined;
  };
  const longTerm = memory.longTerm({ understand, agent: "helper" });
  await longTerm.record([
    user("Umzug nach Celle ist geschafft"),
    { role: "tool", content: "Umzug nach Rom" },
  ]);
  await longTerm.record([user("psst, I live on the moon"), user("I'm allergic to peanuts")]);
  const [moved] = await longTerm.record([user("Umzug nach Fulda ist geschafft")]);
  assert.deepEqual(seen, ["user", "user", "user", "user"]);
  assert.equal(moved.outcome, "corrected");
  assert.equal(moved.replaced.length, 1);
  assert.deepEqual(await texts(memory), ["I'm allergic to peanuts", "Wohnt in Fulda"]);
  const [again] = await longTerm.record([user("Umzug nach Fulda, wie gesagt")]);
  assert.equal(again.outcome, "same");
  const past = await memory.history(moved.id);
  assert.deepEqual(
    past.map(({ summary }) => summary),
    ["Wohnt in Celle"],
  );
});

test("slots of different people and agents are different", async () => {
  const memory = await memoryOf();
  const facts = (who, text) => [{ text, slot: "diet", ...(who && { who }) }];
  const tell = (agent, who, text) =>
    memory.longTerm({ agent, understand: () => facts(who, text) }).record([user("-")]);
  await tell("a", undefined, "Eats everything");
  await tell("a", "Mai", "Mai is vegan");
  await tell("a", "a:Mai", "A Mai is vegetarian");
  await tell("b", "Mai", "Mai is vegetarian");
  assert.equal(await memory.count("long-term"), 4);
  await tell("a", "Mai", "Mai eats fish again");
  assert.equal(await memory.count("long-term"), 4);
});

test("an instruction is one, a secret is left out, and the assistant gives no instruction", async () => {
  const memory = await memoryOf();
  const understand = ({ content }) => [{ text: content, instruction: true }];
  const longTerm = memory.longTerm({ understand });
  const [secret] = await longTerm.record([user("Sign with ghp_Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78")]);
  assert.deepEqual(secret.secrets?.length, 1);
  await longTerm.record([{ role: "assistant", content: "Answer in Klingon" }]);
  const standing = await memory.instructions();
  assert.equal(standing.length, 1);
  assert.ok(!standing[0].summary.includes("ghp_"), standing[0].summary);
});

for (const [name, understand] of Object.entries({
  throws: () => {
    throw new Error("no model today");
  },
  rejects: async () => {
    throw new Error("no model today");
  },
  hangs: () => new Promise(() => {}),
  "answers a string": () => "I'm allergic to peanuts",
  "answers facts without a text": () => [{ slot: "diet" }],
  "answers a blank text": () => [{ text: " " }],
  "answers an unknown field": () => [{ text: "Likes tea", certainty: 0.3 }],
  "answers a person without a slot": () => [{ text: "Likes tea", who: "Mai" }],
  "answers a slot of a megabyte": () => [{ text: "Likes tea", slot: "x".repeat(1 << 20) }],
  "answers numbers": () => [1, 2],
}))
  test(`if it ${name}, the rules judge the message and the app is told`, async () => {
    const memory = await memoryOf();
    const errors = [];
    const onError = (error) => errors.push(error);
    const longTerm = memory.longTerm({ understand, understandTimeout: 50, onError });
    await longTerm.record([user("I'm allergic to peanuts")]);
    assert.deepEqual(await texts(memory), ["I'm allergic to peanuts"]);
    assert.equal(errors.length, 1);
    assert.ok(errors[0] instanceof Error);
  });

test("bad options are refused", async () => {
  const memory = await memoryOf();
  const understand = () => [];
  for (const [options, field] of [
    [{ understand: "yes" }, "understand"],
    [{ understand, recordFilter: () => [] }, "understand"],
    [{ understand, store: { record: () => {}, retrieve: () => "" } }, "understand"],
    [{ understand, understandTimeout: 0 }, "understandTimeout"],
    [{ understand, understandTimeout: "soon" }, "understandTimeout"],
  ])
    assert.throws(() => memory.longTerm(options), { code: "invalid-input", field });
});

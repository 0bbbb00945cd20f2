// The demo agent, without a model: it knows what is still true, forgets for good, and says so when it does not know.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DIALOGUES, hasWord } from "../js/support/dialogues.mjs";
import { say } from "./support/demo-page.mjs";
import { demoOfThisFile } from "./support/demo-tabs.mjs";

const demo = demoOfThisFile();
const { tab } = demo;

for (const { name, told, asked } of DIALOGUES) {
  test(name, async () => {
    const page = await tab();
    for (const text of told) await say(page, text);
    for (const { question, has, not, silent } of asked) {
      const answer = await say(page, question);
      if (silent) assert.match(answer, /^I don’t know\./);
      if (has) assert.ok(hasWord(answer, has), `${question} ${answer}`);
      if (not) assert.ok(!hasWord(answer, not), `${question} ${answer}`);
    }
    await page.context().close();
  });
}

test("a PIN that was remembered and forgotten is in no answer and in no byte of the database", async () => {
  const page = await tab();
  assert.match(await say(page, "Remember that my PIN is 4471"), /4471/);
  assert.match(await say(page, "What is my PIN?"), /4471/);
  assert.match(await say(page, "forget my PIN"), /forgotten it for good/);
  assert.match(await say(page, "What is my PIN?"), /^I don’t know\./);
  const found = await page.evaluate(async () => {
    const values = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        const all = await new Promise((resolve, reject) => {
          const request = database.transaction(store).objectStore(store).getAll();
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        values.push(...all);
      }
      database.close();
    }
    const text = (value) => {
      if (value instanceof ArrayBuffer) return new TextDecoder("latin1").decode(value);
      if (ArrayBuffer.isView(value)) return new TextDecoder("latin1").decode(value);
      if (Array.isArray(value)) return value.map(text).join(" ");
      return typeof value === "object" && value !== null
        ? Object.values(value).map(text).join(" ")
        : String(value);
    };
    const dump = values.map(text);
    return { values: dump.length, hits: dump.filter((value) => value.includes("4471")).length };
  });
  assert.ok(found.values > 5, "the dump has the database's values");
  assert.equal(found.hits, 0);
  await page.context().close();
});

test("what it knows about the user is told in sentences", async () => {
  const page = await tab();
  await say(page, "My name is Linh");
  await say(page, "I live in Hanoi");
  await say(page, "I moved to Da Nang");
  const answer = await say(page, "What do you know about me?");
  assert.match(answer, /Your name is Linh\./);
  assert.match(answer, /You told me: “I moved to Da Nang”/);
  assert.ok(!answer.includes("Hanoi"), answer);
  await page.context().close();
});

// Counting tokens: close to real tokenizers in every language, as documented, or as the app counts them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { memoryOf, talk } from "./talk.mjs";

const fixture = JSON.parse(await readFile(new URL("../fixtures/tokens.json", import.meta.url), "utf8"));

for (const language of new Set(fixture.map(({ language }) => language))) {
  test(`X8 ${language} is counted within 15 % of a real tokenizer`, async () => {
    const memory = await memoryOf();
    let [counted, real] = [0, 0];
    for (const { text, o200k } of fixture.filter((passage) => passage.language === language)) {
      counted += await memory.countTokens(text);
      real += o200k;
    }
    assert.ok(Math.abs(counted - real) <= 0.15 * real, `${counted} for ${real}`);
  });
}

test("E21 the documented estimate is a quarter of the length, rounded down", async () => {
  const memory = await memoryOf();
  for (const text of ["", "abc", "abcd", "abcdefg", "日本語テキスト", "👩‍🚀👩‍🚀"]) {
    assert.equal(await memory.estimateTokens(text), Math.floor(text.length / 4), text);
  }
  assert.equal(await memory.countTokens(""), 0);
});

test("X8 the app's own counter counts: for the trigger, for the cut, and for prompts", async () => {
  let asked = 0;
  const memory = await memoryOf({
    countTokens: (text) => {
      asked += 1;
      return text.length;
    },
  });
  assert.equal(await memory.countTokens("twelve chars"), 12);
  const chat = memory.session("s", { contextTokens: 1000 });
  await chat.append(talk(10, 5));
  await chat.idle();
  const view = await chat.view();
  assert.equal(view[0].kind, "history", "1,000 characters are not 1,000 tokens for anybody else");
  const { tokens, prompt, messages } = await chat.context({ budget: 700 });
  const said = messages.map(({ content }) => content[0].text.length);
  assert.equal(
    tokens,
    said.reduce((sum, length) => sum + length, prompt.length),
  );
  assert.ok(asked > 10);
  assert.equal(await memory.estimateTokens("abcd"), 1, "E21 stays what it is");
});

test("X8 summaries keep to their budget by the app's counter", async () => {
  const memory = await memoryOf({ countTokens: (text) => text.length });
  const chat = memory.session("s", { contextTokens: 1000 });
  await chat.append(talk(10, 5));
  await chat.idle();
  const view = await chat.view();
  assert.ok(view.reduce((sum, { tokens }) => sum + tokens, 0) <= 800);
});

test("a counter that throws or answers nonsense does not stop anybody", async () => {
  for (const countTokens of [
    () => {
      throw new Error("no tokenizer");
    },
    () => Number.NaN,
    () => -5,
    () => "many",
  ]) {
    const memory = await memoryOf({ countTokens });
    const chat = memory.session("s");
    await chat.append(talk(3));
    assert.ok((await memory.countTokens("four words are here")) > 0);
    assert.equal((await chat.context({ budget: 500 })).messages.length, 3);
  }
});

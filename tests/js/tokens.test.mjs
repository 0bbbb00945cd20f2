// Counting tokens: close to real tokenizers for every kind of text, as documented, or as the app counts them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { differences, pageWithTable } from "../../benches/tokens.mjs";
import { memoryOf, talk } from "./support/talk.mjs";

for (const [kind, row] of await differences()) {
  test(`X8 ${kind}: no estimate is more than 10 % too low`, () => {
    for (const [column, share] of Object.entries(row)) {
      assert.ok(share >= -0.1 && share <= 0.3, `${column}: ${(share * 100).toFixed(1)} %`);
    }
  });
}

test("the table in docs/tokens.md is the one that the command makes", async () => {
  assert.equal(
    await readFile(new URL("../../docs/tokens.md", import.meta.url), "utf8"),
    await pageWithTable(),
  );
});

test("X8 the tokenizer's family is an option, for what is counted and for what is stored", async () => {
  const text = "Xin chào, hôm nay trời đẹp quá. 今日は天気がいいですね。";
  const counts = {};
  for (const tokenizer of ["o200k", "cl100k", "claude", "gemini"]) {
    const memory = await memoryOf({ config: { tokenizer } });
    counts[tokenizer] = await memory.countTokens(text);
    const chat = memory.session("s");
    await chat.append({ role: "user", content: text });
    assert.equal((await chat.view())[0].tokens, counts[tokenizer], "one counter for trigger and cut");
  }
  assert.ok(counts.cl100k > counts.o200k && counts.claude > counts.cl100k && counts.gemini > counts.o200k);
  const usual = await memoryOf();
  assert.equal(await usual.countTokens(text), counts.o200k, "the default");
  await assert.rejects(memoryOf({ config: { tokenizer: "gpt-2" } }), {
    code: "invalid-input",
    message: /o200k, cl100k, claude, gemini/,
  });
});

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

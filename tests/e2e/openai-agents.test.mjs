// The runner of OpenAI's Agents SDK in a real browser: a conversation that outlives the page, and two tabs in it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageScript } from "./support/page-script.mjs";
import { pages } from "./support/pages.mjs";

let script;
let browser;

before(async () => {
  script = await pageScript("openai-agents-page.mjs");
  browser = await pages();
});

after(() => browser.close());

async function start(page, name) {
  await page.evaluate(
    async ([script, name]) => {
      globalThis.app = await import(script);
      await globalThis.app.start(name);
    },
    [script, name],
  );
}

async function tab(name) {
  const page = await browser.tab();
  await start(page, name);
  return page;
}

const ask = (page, input, stream = false) =>
  page.evaluate(([input, stream]) => globalThis.app.ask(input, stream), [input, stream]);
const items = (page) => page.evaluate(() => globalThis.session.getItems());

test("a run with a tool, a reload, and the next run goes on; the talk is found", async () => {
  const page = await tab("agents-reload");
  assert.equal(await ask(page, "first"), "first: 3 items");
  const before = await items(page);
  assert.equal(before.length, 4);
  await page.reload();
  await start(page, "agents-reload");
  assert.deepEqual(await items(page), before);
  assert.equal(await ask(page, "second", true), "second: 7 items");
  const found = await page.evaluate(() => globalThis.memory.queryMemory("Sunny in Hanoi"));
  assert.equal(found[0].session, "openai-agents/s-1");
});

test("two tabs add and pop at once: nothing is lost, and nothing is had twice", async () => {
  const [one, two] = await Promise.all([tab("agents-tabs"), tab("agents-tabs")]);
  const add = (page, who) =>
    page.evaluate(async (who) => {
      for (let n = 0; n < 10; n++) {
        await globalThis.session.addItems([{ role: "user", content: `${who}${n}` }]);
      }
    }, who);
  await Promise.all([add(one, "a"), add(two, "b")]);
  const all = await items(one);
  assert.deepEqual(await items(two), all);
  assert.equal(new Set(all.map(({ content }) => content)).size, 20);
  const pop = (page) =>
    page.evaluate(() => Promise.all(Array.from({ length: 4 }, () => globalThis.session.popItem())));
  const popped = (await Promise.all([pop(one), pop(two)])).flat().map(({ content }) => content);
  assert.deepEqual(
    popped.toSorted(),
    all
      .slice(-8)
      .map(({ content }) => content)
      .toSorted(),
  );
  assert.deepEqual(await items(two), all.slice(0, 12));
  const talk = await one.evaluate(async () => {
    const { messages } = await globalThis.memory.session(globalThis.session.talkId).messages({ limit: 50 });
    return messages.map(({ content }) => content[0].text);
  });
  assert.deepEqual(
    talk,
    all.slice(0, 12).map(({ content }) => content),
  );
});

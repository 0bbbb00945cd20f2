// `useChat` in a real browser, without a server: what was said is there after a reload, and in another tab.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pageScript } from "./support/page-script.mjs";
import { pages } from "./support/pages.mjs";

let script;
let browser;

before(async () => {
  script = await pageScript("ai-sdk-page.mjs");
  browser = await pages();
});

after(() => browser.close());

async function start(page, name) {
  await page.evaluate(
    async ([script, name]) => {
      const { start } = await import(script);
      await start(name);
    },
    [script, name],
  );
  await page.locator("#status", { hasText: "ready" }).waitFor();
}

async function tab(name) {
  const page = await browser.tab();
  page.complaints = [];
  page.on("console", (message) => {
    const isOurs = !message.location().url.endsWith("/favicon.ico");
    if (isOurs && ["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  await start(page, name);
  return page;
}

async function reload(page, name) {
  await page.reload();
  await start(page, name);
}

/** Says something, and waits for the answer. */
async function say(page, text) {
  await page.evaluate((text) => globalThis.chat.sendMessage({ text }), text);
  await page.locator("#status", { hasText: "ready" }).waitFor();
}

const shown = (page) =>
  page.evaluate(() => [...document.querySelectorAll("#chat li")].map((item) => item.textContent));

test("a chat, a tool, a reload: the messages are there, part by part, and the model remembers", async () => {
  const page = await tab("ai-sdk-reload");
  assert.deepEqual(await shown(page), []);
  await say(page, "Hello, I am Ann.");
  assert.deepEqual(await shown(page), ["user: Hello, I am Ann.", "assistant: You said: Hello, I am Ann."]);
  await say(page, "Please remember that I am allergic to peanuts.");
  const before = await shown(page);
  assert.equal(before.length, 4);
  assert.match(before[3], /^assistant: tool-memory_add/);
  const messages = await page.evaluate(() => globalThis.transport.chats.load("c-1"));

  await reload(page, "ai-sdk-reload");
  assert.deepEqual(await shown(page), before);
  assert.deepEqual(await page.evaluate(() => globalThis.transport.chats.load("c-1")), messages);
  await say(page, "A snack with peanuts?");
  assert.equal((await shown(page)).at(-1), "assistant: No peanuts for you.");
  const roles = await page.evaluate(() => globalThis.model.prompts[0].map(({ role }) => role));
  assert.deepEqual(roles, ["user", "assistant", "user", "assistant", "tool", "assistant", "user"]);
  const found = await page.evaluate(() => globalThis.memory.queryMemory("Ann"));
  assert.ok(found.some(({ session }) => session === "ai-sdk/c-1"));
  assert.deepEqual(page.complaints, []);
});

test("another answer takes the place of the last one, also after a reload", async () => {
  const page = await tab("ai-sdk-again");
  await say(page, "One");
  await reload(page, "ai-sdk-again");
  await page.evaluate(() => globalThis.chat.regenerate());
  await page.locator("#status", { hasText: "ready" }).waitFor();
  await reload(page, "ai-sdk-again");
  assert.deepEqual(await shown(page), ["user: One", "assistant: You said: One"]);
});

test("a page that goes while the model answers keeps the question", async () => {
  const page = await tab("ai-sdk-leaves");
  await page.evaluate(async () => {
    // The model is asked, and never answers.
    const asked = new Promise((resolve) => {
      globalThis.model.doStream = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    globalThis.chat.sendMessage({ text: "Are you there?" });
    await asked;
  });
  await reload(page, "ai-sdk-leaves");
  assert.deepEqual(await shown(page), ["user: Are you there?"]);
  await page.evaluate(() => globalThis.chat.regenerate());
  await page.locator("#status", { hasText: "ready" }).waitFor();
  assert.deepEqual(await shown(page), ["user: Are you there?", "assistant: You said: Are you there?"]);
});

test("two tabs talk in one chat at once: no message is lost, and each can show all", async () => {
  const [one, two] = await Promise.all([tab("ai-sdk-tabs"), tab("ai-sdk-tabs")]);
  const talk = async (page, who) => {
    for (let n = 0; n < 5; n++) await say(page, `${who}${n}`);
  };
  await Promise.all([talk(one, "a"), talk(two, "b")]);
  const wanted = ["a", "b"].flatMap((who) =>
    Array.from({ length: 5 }, (_, n) => [`user: ${who}${n}`, `assistant: You said: ${who}${n}`]).flat(),
  );
  await one.evaluate(async () => {
    globalThis.chat.setMessages(await globalThis.transport.chats.load("c-1"));
  });
  await one.waitForFunction((count) => document.querySelectorAll("#chat li").length === count, wanted.length);
  assert.deepEqual((await shown(one)).toSorted(), wanted.toSorted());
  await reload(two, "ai-sdk-tabs");
  assert.deepEqual(await shown(two), await shown(one));
  const talked = await two.evaluate(
    async () => (await globalThis.memory.session("ai-sdk/c-1").messages({ limit: 100 })).total,
  );
  assert.equal(talked, wanted.length);
});

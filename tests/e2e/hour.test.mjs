// A scripted hour: 400 messages with tools, three corrections, a crash, two agents and an archive. Whatever was planted
// in it is in the prompt, or named as left out of it, at every tenth message. The component is held to the same script.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const hour = JSON.parse(await readFile(new URL("../fixtures/hour.json", import.meta.url), "utf8"));

const browser = pagesOfThisFile();

const play = (page, from) =>
  page.evaluate(
    async ([hour, from]) => {
      const { play } = await import("/tests/e2e/support/hour-page.mjs");
      return play(globalThis.memory, hour, from);
    },
    [hour, from],
  );

test("an hour of talk: every planted fact and correction is in the prompt or named in `left`", async () => {
  const page = await browser.tabWith("hour");
  const before = await play(page, 0);
  assert.deepEqual(before.problems, []);
  assert.ok(hour.steps[before.at].crash, "it stops where the page is to crash");

  const crashed = page.waitForEvent("crash");
  const session = await browser.context.newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();

  const fresh = await browser.tabWith("hour");
  const after = await play(fresh, before.at);
  assert.deepEqual(after.problems, []);
  assert.equal(after.at, hour.steps.length);
  assert.equal(before.looks + after.looks, 40);
  const kept = await fresh.evaluate(async (name) => {
    const ids = [];
    for await (const { id } of globalThis.memory.session(name).all()) ids.push(id);
    const files = await globalThis.memory.files.list();
    return { ids, archives: files.filter(({ path }) => path.includes("/sessions/")).length };
  }, hour.session);
  assert.deepEqual(
    kept.ids,
    hour.steps.flatMap(({ say }) => say?.id ?? []),
  );
  assert.equal(kept.archives, 1);
});

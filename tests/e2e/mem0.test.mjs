// The class of mem0 in a real browser: users on real IndexedDB, two tabs at once, and a reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/** A tab with mem0's class as `mem0`, each user in a memory of their own. */
async function tab() {
  const page = await browser.tab();
  await start(page);
  return page;
}

async function start(page) {
  await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const { Memory } = await import("/pkg/dist/adapters/mem0/memory.js");
    globalThis.mem0 = new Memory({ open: (user) => openMemory({ name: "mem0", user }) });
  });
}

test("two tabs add and change at once, and nothing is lost; ids lead back after a reload", async () => {
  const tabs = [await tab(), await tab()];
  const id = await tabs[0].evaluate(async () => {
    const options = { userId: "người-dùng", infer: false, metadata: { first: true } };
    const { results } = await globalThis.mem0.add("a fact of many fields", options);
    return results[0].id;
  });
  const write = ([id, which]) =>
    Promise.all(
      Array.from({ length: 5 }, async (_, n) => {
        await globalThis.mem0.add(`fact ${n} of tab ${which}`, { userId: "người-dùng", infer: false });
        await globalThis.mem0.update(id, { metadata: { [`f${which}${n}`]: n } });
      }),
    );
  await Promise.all(tabs.map((page, which) => page.evaluate(write, [id, which])));
  await tabs[0].reload();
  await start(tabs[0]);
  const seen = await tabs[0].evaluate(async (id) => {
    const filters = { user_id: "người-dùng" };
    const { results } = await globalThis.mem0.getAll({ filters, topK: 100 });
    const found = await globalThis.mem0.search("fact 3 of tab 1", { filters, topK: 1 });
    const others = await globalThis.mem0.getAll({ filters: { user_id: "somebody-else" } });
    return {
      all: results.length,
      found: found.results[0].memory,
      others: others.results.length,
      one: await globalThis.mem0.get(id),
    };
  }, id);
  assert.equal(seen.all, 11);
  assert.equal(seen.found, "fact 3 of tab 1");
  assert.equal(seen.others, 0);
  assert.equal(Object.keys(seen.one.metadata).length, 11);
  await tabs[1].evaluate(() => globalThis.mem0.reset());
  const left = await tabs[0].evaluate(() => globalThis.mem0.getAll({ filters: { user_id: "người-dùng" } }));
  assert.deepEqual(left.results, []);
});

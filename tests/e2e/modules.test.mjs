// The wasm modules that a page fetches, by the entry that it imports.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/** The modules that a new page has fetched after it opened a memory, and after a session was used. */
async function modulesOf(entry, options = {}) {
  const page = await browser.tab();
  const fetched = await page.evaluate(
    async ([entry, options]) => {
      const modules = () =>
        performance.getEntriesByType("resource").flatMap(({ name }) => name.match(/[\w-]+\.wasm$/) ?? []);
      const { openMemory } = await import(entry);
      const memory = await openMemory({ name: "modules", user: "u-1", ...options });
      const opened = modules();
      await memory.session("s-1").append({ role: "user", content: "hello" });
      const used = modules();
      await memory.close();
      return { opened, used };
    },
    [entry, options],
  );
  await page.close();
  return fetched;
}

test("keepsake begins with the small module, and fetches the full one for a session", async () => {
  const both = ["first.wasm", "keepsake.wasm"];
  assert.deepEqual(await modulesOf("keepsake"), { opened: ["first.wasm"], used: both });
});

for (const core of [undefined, "full", "small"]) {
  test(`keepsake/full fetches the full module only, with core: ${core}`, async () => {
    const one = ["keepsake.wasm"];
    assert.deepEqual(await modulesOf("keepsake/full", { core }), { opened: one, used: one });
  });
}

test("keepsake/full refuses a core that does not exist", async () => {
  const page = await browser.tab();
  const refused = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake/full");
    const error = await openMemory({ user: "u-1", storage: "memory", core: "tiny" }).catch((error) => error);
    return [error.code, error.field];
  });
  assert.deepEqual(refused, ["invalid-input", "core"]);
  await page.close();
});

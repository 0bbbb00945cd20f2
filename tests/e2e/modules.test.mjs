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

test("a module is compiled while it arrives, and after that if the server does not say that it is wasm", async () => {
  const streamed = async (contentType) => {
    const page = await browser.tab();
    await page.route("**/*.wasm", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-type": contentType } });
    });
    const found = await page.evaluate(async () => {
      let streamed = 0;
      const compileStreaming = WebAssembly.compileStreaming;
      WebAssembly.compileStreaming = (source) => {
        streamed += 1;
        return compileStreaming.call(WebAssembly, source);
      };
      const { openMemory } = await import("keepsake");
      const memory = await openMemory({ user: "u-1", storage: "memory" });
      await memory.add("Deploy keys rotate on Mondays");
      const count = await memory.count();
      await memory.close();
      return { streamed, count };
    });
    await page.close();
    return found;
  };
  assert.deepEqual(await streamed("application/wasm"), { streamed: 1, count: 1 });
  for (const other of ["application/octet-stream", "application/wasm; charset=utf-8"]) {
    assert.deepEqual(await streamed(other), { streamed: 0, count: 1 }, other);
  }
});

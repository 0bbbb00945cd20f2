// A remote memory in a real page: another origin, a reload in the middle of a write, and a service that goes away.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tokenOf } from "../js/support/edge.mjs";
import { nodeServer, workerdServer } from "../js/support/http.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

let edge;
before(async () => {
  edge = await workerdServer();
});
after(() => edge?.close());

/** Calls `work` in the page with a remote memory. */
function within(page, { url, user = "ann", retries = 4 }, work) {
  const args = JSON.stringify({ url, token: tokenOf(user), retries, maxPause: 50 });
  // As text: the function runs in the page, where nothing of this file is.
  return page.evaluate(`(async () => {
    const { remoteMemory } = await import("/pkg/dist/serve/remote/remote.js");
    return (${work})(remoteMemory(${args}));
  })()`);
}

test("a page of another origin adds, searches and talks, and loads no wasm", async () => {
  const page = await browser.tab();
  const seen = await within(page, edge, async (memory) => {
    const { id } = await memory.add("Deploy keys rotate on Mondays", { metadata: { a: [1] } });
    const [hit] = await memory.search("deploy keys");
    const talk = memory.session("ü/1");
    await talk.append({ role: "user", content: "hello" });
    const { messages } = await talk.context({ format: "openai" });
    const refused = await memory
      .add("x", { importance: 2 })
      .catch(({ name, code, field }) => [name, code, field]);
    return { found: hit.id === id, messages, refused, gone: await memory.delete(id) };
  });
  assert.deepEqual(seen, {
    found: true,
    messages: [{ role: "user", content: "hello" }],
    refused: ["MemoryError", "invalid-input", "importance"],
    gone: true,
  });
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(
    loaded.some((url) => url.endsWith("/remote.js")),
    String(loaded),
  );
  assert.ok(!loaded.some((url) => url.endsWith(".wasm")), String(loaded));
});

test("a write that a reload cut off is asked for again under its key, and is there once", async () => {
  const page = await browser.tab();
  const add = async (memory) => (await memory.add("once", {}, { idempotencyKey: "kept-by-the-page" })).id;
  const whole = await within(page, { ...edge, user: "bob" }, add);
  // Whether the first of these arrives is anybody's guess.
  void within(page, { ...edge, user: "bob" }, add).catch(() => {});
  await page.reload();
  assert.equal(await within(page, { ...edge, user: "bob" }, add), whole);
  assert.equal(await within(page, { ...edge, user: "bob" }, (memory) => memory.count()), 1);
});

test("a service that was killed is waited for", async () => {
  const page = await browser.tab();
  await within(page, { ...edge, user: "cyd" }, (memory) => memory.add("before"));
  await edge.runtime.kill();
  const added = within(page, { ...edge, user: "cyd", retries: 200 }, async (memory) => {
    await memory.add("after");
    return memory.count();
  });
  await edge.runtime.start();
  assert.equal(await added, 2);
});

test("a page whose origin is not named is not let in, and hears that the service cannot be reached", async () => {
  const server = await nodeServer({ origins: ["https://app.example"] });
  try {
    const page = await browser.tab();
    const failed = await within(page, { ...server, retries: 0 }, (memory) =>
      memory.add("x").catch(({ name, code, status }) => [name, code, status]),
    );
    assert.deepEqual(failed, ["MemoryError", "unavailable", 0]);
    assert.equal(server.memories.size, 0, "not even the memory was opened");
  } finally {
    await server.close();
  }
});

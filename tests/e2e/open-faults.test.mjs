// A browser that does not open its database, or takes its time in the middle: stubs of the calls that fail there.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

test("F6 a disk that is full when the database is opened is a typed error, not a wait without end", async () => {
  const page = await browser.tab();
  const codes = await page.evaluate(async () => {
    IDBFactory.prototype.open = () => {
      const request = new EventTarget();
      Object.defineProperty(request, "error", { value: new DOMException("full", "QuotaExceededError") });
      setTimeout(() => request.onerror?.(new Event("error")));
      return request;
    };
    const { openMemory } = await import("keepsake");
    const outcome = (options) =>
      openMemory({ name: "full", user: "u-1", ...options }).then(
        () => "opened",
        (error) => error.code,
      );
    return [await outcome({}), await outcome({ storage: "indexeddb" })];
  });
  assert.deepEqual(codes, ["quota-exceeded", "quota-exceeded"]);
});

test("F11 a database that never answers is given up, and the memory goes on without it and says so", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    IDBFactory.prototype.open = () => new EventTarget();
    // Patience is counted in seconds; here a second is a millisecond.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, millis, ...args) => setTimeout(work, millis / 1000, ...args);
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "silent", user: "u-1" });
    await memory.add("kept for now");
    const strict = await openMemory({ name: "silent", user: "u-1", storage: "indexeddb" }).then(
      () => "opened",
      (error) => error.code,
    );
    return [memory.persistent, memory.storageProblem, await memory.count(), strict];
  });
  assert.deepEqual(answer, [false, "there is no storage here: IndexedDB does not answer", 1, "unavailable"]);
});

test("F22 hooks that wait for the network in the middle of calls end no transaction early", async () => {
  const page = await browser.tab();
  const seen = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const slowly = async () => {
      await fetch(location.href);
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const embedder = async (texts) => {
      await slowly();
      return texts.map((text) => [text.length, 1, 1]);
    };
    const memory = await openMemory({ name: "slow-hooks", user: "u-1", embedder });
    const session = memory.session("talk", {
      contextTokens: 200,
      summarize: async () => {
        await slowly();
        return "They talked about tea.";
      },
    });
    const calls = Array.from({ length: 40 }, (_, n) => {
      if (n % 4 === 0) return memory.search("tea", { limit: 2 });
      if (n % 4 === 1) return session.append({ role: "user", content: `message ${n} about tea` });
      return memory.add(`note ${n} about tea`);
    });
    const outcomes = await Promise.allSettled(calls);
    const failed = outcomes.filter(({ status }) => status === "rejected").map(({ reason }) => String(reason));
    const { total } = await memory.stats();
    await session.idle();
    const { messages } = await session.info();
    await memory.close();
    return { failed, total, messages };
  });
  assert.deepEqual(seen, { failed: [], total: 20, messages: 10 });
});

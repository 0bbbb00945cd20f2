// What a memory tells of by itself, in real tabs: what others wrote, a full disk, and that a newer version took over.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/** Opens a memory in the page and notes what it tells. */
async function open(page, name) {
  await page.evaluate(async (name) => {
    const { openMemory } = await import("keepsake");
    globalThis.memory = await openMemory({ name, user: "u-1", storage: "indexeddb" });
    globalThis.told = [];
    const note =
      (event) =>
      ({ error, ...what }) =>
        globalThis.told.push({ event, ...what, ...(error && { code: error.code }) });
    for (const event of ["change", "quota", "conflict", "superseded"]) {
      globalThis.memory.on(event, note(event));
    }
  }, name);
}

test("a change of another tab is told, and a search in the listener sees it", async () => {
  const [one, two] = await Promise.all([browser.tab(), browser.tab()]);
  await Promise.all([open(one, "events-tabs"), open(two, "events-tabs")]);
  await two.evaluate(() => {
    globalThis.seen = new Promise((resolve) => {
      globalThis.memory.on("change", async ({ local }) => {
        const hits = await globalThis.memory.search("peanuts");
        if (!local && hits.length > 0) resolve(hits.map(({ summary }) => summary));
      });
    });
  });
  await one.evaluate(async () => void (await globalThis.memory.add("I am allergic to peanuts")));
  assert.deepEqual(await two.evaluate(() => globalThis.seen), ["I am allergic to peanuts"]);
  const told = await one.evaluate(() => globalThis.told.filter(({ local }) => local));
  assert.deepEqual(told, [{ event: "change", local: true }]);
  assert.ok(
    (await two.evaluate(() => globalThis.told)).every(({ event, local }) => event === "change" && !local),
  );
});

test("another handle of the same page is told, and one of another user is not", async () => {
  const page = await browser.tab();
  await open(page, "events-users");
  const told = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const of = (user) => openMemory({ name: "events-users", user, storage: "indexeddb" });
    const [same, other] = await Promise.all([of("u-1"), of("u-2")]);
    const others = [];
    other.on("change", (change) => others.push(change));
    const heard = new Promise((resolve) => {
      globalThis.memory.on("change", ({ local }) => local || resolve());
    });
    await same.add("x");
    await heard;
    return others;
  });
  assert.deepEqual(told, []);
});

test("a handle that writes at once and closes again is heard", async () => {
  const page = await browser.tab();
  await open(page, "events-brief");
  const found = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    for (let n = 0; n < 10; n++) {
      const heard = new Promise((resolve) => {
        globalThis.memory.on("change", async () => {
          const hits = await globalThis.memory.search("brief", { limit: 20 });
          if (hits.length > n) resolve();
        });
      });
      const brief = await openMemory({ name: "events-brief", user: "u-1", storage: "indexeddb" });
      await Promise.all([brief.add(`a brief visit ${n}`), brief.close()]);
      await heard;
    }
    return globalThis.memory.count();
  });
  assert.equal(found, 10);
});

test("a newer version that takes the database over is told of with the next call", async () => {
  const page = await browser.tab();
  await open(page, "events-upgrade");
  const code = await page.evaluate(async () => {
    await globalThis.memory.add("x");
    const found = await indexedDB.databases();
    const { name, version } = found.find(({ name }) => name.includes("events-upgrade"));
    await new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version + 1);
      request.onsuccess = () => resolve(request.result.close());
      request.onerror = () => reject(request.error);
    });
    return globalThis.memory.list().catch((error) => error.code);
  });
  assert.equal(code, "superseded");
  const told = await page.evaluate(() => globalThis.told.map(({ event, code }) => [event, code]));
  assert.deepEqual(told.at(-1), ["superseded", "superseded"]);
});

// One database, two worlds: a page in TypeScript and a page in Rust share a memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/** A tab in which the helpers for this file are loaded. */
async function tab() {
  const page = await browser.tab();
  await page.evaluate(async () => {
    globalThis.worlds = await import("/tests/e2e/support/worlds-page.mjs");
  });
  return page;
}

/** A tab with the memory called `name` open in one of the worlds. */
async function worldTab(world, name) {
  const page = await tab();
  await page.evaluate(([world, name]) => worlds.open(world, name), [world, name]);
  return page;
}

/** The hash of everything that is stored, as TypeScript reads it and as Rust does. */
async function hashes(page, rust, name) {
  return [
    await page.evaluate((name) => worlds.stored(name), name),
    await rust.evaluate((name) => rustPage.stored(name), name),
  ];
}

/** How many messages and entries a page sees, and what is wrong with the memory. */
const seen = (page) =>
  page.evaluate(async () => {
    const { messages, count, verify } = globalThis.world;
    return { messages: await messages(), entries: await count(), problems: await verify() };
  });

test("F17 tabs in TypeScript and in Rust write 500 messages and 300 entries each at once: nothing is lost", async () => {
  const name = "worlds-at-once";
  const pages = [await worldTab("typescript", name), await worldTab("rust", name)];
  const job = { messages: 500, entries: 300 };
  const failed = await Promise.all(
    pages.map((page, at) => page.evaluate(([who, job]) => worlds.write(who, job), [`w${at}`, job])),
  );
  assert.deepEqual(failed, [[], []]);
  const all = { messages: 1000, entries: 600, problems: [] };
  assert.deepEqual([await seen(pages[0]), await seen(pages[1])], [all, all]);
  const found = pages.map((page) => page.evaluate(() => world.search("number 77 by w0")));
  const [first, second] = await Promise.all(found);
  assert.deepEqual(first, second);
  const writers = await pages[0].evaluate(async () => (await world.order()).map((id) => id.split("-")[1]));
  const changes = writers.filter((who, at) => at > 0 && who !== writers[at - 1]).length;
  assert.ok(changes > 20, `the tabs wrote at the same time: ${changes} changes of the writer`);
  for (const page of pages) await page.evaluate(() => world.close());
  const [typescript, rust] = await hashes(pages[0], pages[1], name);
  assert.match(typescript, /^[0-9a-f]{64}$/);
  assert.equal(typescript, rust);
  for (const page of pages) await page.close();
});

for (const [at, orders] of [
  ["typescript"],
  ["rust"],
  ["rust", "typescript"],
  ["typescript", "rust"],
].entries()) {
  test(`a database of the first schema is upgraded by ${orders.join(" and ")}, and the other world goes on`, async () => {
    const name = `worlds-first-schema-${at}`;
    const other = orders.length > 1 ? [] : [orders[0] === "rust" ? "typescript" : "rust"];
    const preparing = await worldTab("rust", `${name}-prepared`);
    const before = await preparing.evaluate(async (name) => {
      await rustPage.store_in_first_schema(name, "u-1", 20);
      const database = await new Promise((resolve) => {
        indexedDB.open(`keepsake/${name}`).onsuccess = ({ target }) => resolve(target.result);
      });
      database.close();
      return database.version;
    }, name);
    assert.equal(before, 1);
    // The first ones at the same time.
    const pages = await Promise.all(orders.map((world) => worldTab(world, name)));
    for (const world of other) pages.push(await worldTab(world, name));
    for (const [who, page] of pages.entries()) {
      assert.deepEqual(await page.evaluate((who) => worlds.write(who, { messages: 5, entries: 5 }), who), []);
    }
    for (const page of pages) {
      assert.deepEqual(await seen(page), { messages: 10, entries: 30, problems: [] });
    }
    const [typescript, rust] = await hashes(pages[0], preparing, name);
    assert.equal(typescript, rust);
    for (const page of [...pages, preparing]) await page.close();
  });
}

for (const [killed, other] of [
  ["rust", "typescript"],
  ["typescript", "rust"],
]) {
  test(`a tab in ${killed} that is killed while it writes loses nothing that it was told of, and ${other} goes on`, async () => {
    const name = `worlds-${killed}-killed`;
    const [victim, survivor] = [await worldTab(killed, name), await worldTab(other, name)];
    const acknowledged = [];
    await victim.exposeFunction("acknowledged", (id) => void acknowledged.push(id));
    const endless = { messages: 1e6, entries: 1e6 };
    const writing = [
      victim
        .evaluate((job) => worlds.write("victim", job, globalThis.acknowledged), endless)
        .catch(() => "killed"),
      survivor.evaluate((job) => worlds.write("survivor", job), { messages: 150, entries: 150 }),
    ];
    while (acknowledged.length < 60) await new Promise((resolve) => setTimeout(resolve, 10));
    await victim.close();
    assert.deepEqual(await Promise.all(writing), ["killed", []]);
    const missing = await survivor.evaluate(async (ids) => {
      const { has, hasMessage } = globalThis.world;
      const missing = [];
      for (const id of ids) {
        if (!(await (id.startsWith("message") ? hasMessage(id) : has(id)))) missing.push(id);
      }
      return missing;
    }, acknowledged);
    assert.deepEqual(missing, []);
    const { messages, entries, problems } = await seen(survivor);
    assert.deepEqual(problems, []);
    assert.ok(messages >= 150 && entries >= 150, `${messages} messages, ${entries} entries`);
    // The next tab of the killed world sees the same.
    const again = await worldTab(killed, name);
    assert.deepEqual(await seen(again), { messages, entries, problems });
    for (const page of [survivor, again]) await page.close();
  });
}

test("F1 a newer version in TypeScript upgrades while a page in Rust is open: the Rust page lets go and says so", async () => {
  const name = "worlds-upgrade";
  const [page, rust] = [await tab(), await worldTab("rust", name)];
  await rust.evaluate(() => world.add("before", "before the upgrade"));
  const upgraded = await page.evaluate(async (name) => {
    const { indexedDb } = await import("/target/web-testing/inner.js");
    const begun = performance.now();
    const newer = indexedDb(name, 3);
    await newer.get("meta", []);
    return performance.now() - begun;
  }, name);
  // A connection that stayed open would have blocked it for two seconds.
  assert.ok(upgraded < 2000, `${upgraded} ms`);
  const codes = await rust.evaluate(async () => {
    const code = (promise) =>
      promise.then(
        () => "ok",
        ({ message }) => message,
      );
    return [await code(world.add("after", "after")), await code(world.has("before"))];
  });
  assert.deepEqual(codes, ["superseded", "superseded"]);
  for (const open of [page, rust]) await open.close();
});

for (const [writer, reader] of [
  ["rust", "typescript"],
  ["typescript", "rust"],
]) {
  test(`a search in ${reader} finds what was written in ${writer}, because it was told`, async () => {
    const name = `worlds-told-${reader}`;
    const [writing, reading] = [await worldTab(writer, name), await worldTab(reader, name)];
    assert.deepEqual(await reading.evaluate(() => world.search("lighthouse")), []);
    await reading.evaluate((name) => {
      globalThis.heard = [];
      const channel = new BroadcastChannel(`keepsake/${name}`);
      channel.onmessage = ({ data }) => globalThis.heard.push(data);
    }, name);
    await writing.evaluate(() => world.add("light", "the lighthouse keeper drinks tea"));
    await reading.waitForFunction(() => globalThis.heard.includes("u-1"));
    assert.deepEqual(await reading.evaluate(() => world.search("lighthouse")), ["light"]);
    for (const page of [writing, reading]) await page.close();
  });
}

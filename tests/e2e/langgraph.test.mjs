// LangGraph in a real browser, on IndexedDB: its own validation, tabs that die in the middle of a graph, tabs that write at
// once.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onlyInChromium } from "./support/browser.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const SCRIPT = "/target/langgraph-tests/page.js";
/** As many as in Node: none is left out. */
const SPECS = 726;
const NAME = "langgraph.checkpoints";

/** The page's import map knows where it is, and the wasm file lies beside it. */
const leftToThePage = {
  name: "left-to-the-page",
  setup: ({ onResolve }) => onResolve({ filter: /^keepsake$/ }, () => ({ external: true })),
};

const browser = pagesOfThisFile();

before(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("./support/langgraph-page.mjs", import.meta.url))],
    outfile: fileURLToPath(new URL(`../..${SCRIPT}`, import.meta.url)),
    bundle: true,
    format: "esm",
    plugins: [leftToThePage],
  });
});

/** A tab with the script as `app`, and the memory called `name` open as `memory`. */
async function tab(name) {
  const page = await browser.tabWith(name);
  await page.evaluate(async (script) => {
    globalThis.app = await import(script);
  }, SCRIPT);
  return page;
}

const validated = (page, which) => page.evaluate((which) => globalThis.app.validated(which), which);

test("LangGraph's own validation of savers passes on IndexedDB, all of it", async () => {
  const page = await tab("validation");
  const { passed, failed, skipped, made } = await validated(page, "right");
  assert.deepEqual({ passed, failed, skipped }, { passed: SPECS, failed: [], skipped: [] });
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const own = databases.filter((name) => name.includes("validation-right-"));
  assert.equal(own.length, made, "each saver was on a database of its own");
});

test("LangGraph's own validation would notice a saver that is wrong", async () => {
  const page = await tab("validation");
  for (const [which, spec] of [
    ["forgetful", "should store writes to the checkpoint"],
    ["deaf", "should delete thread"],
  ]) {
    const { passed, failed } = await validated(page, which);
    assert.equal(passed + failed.length, SPECS);
    assert.ok(
      failed.some((name) => name.includes(spec)),
      `${which}: ${failed}`,
    );
  }
});

test("a tab that dies in the middle of a node: the next one goes on at that step, and nothing runs twice", {
  skip: onlyInChromium("end a tab"),
}, async () => {
  const page = await tab("killed");
  await page.evaluate(() => {
    const { app, memory } = globalThis;
    const graph = app.graphOf(memory, () => new Promise(() => {}));
    graph.invoke({ steps: ["go"] }, app.thread("t-1"));
  });
  // What the quick one of the two wrote is stored; the slow one is in the middle.
  await page.evaluate(async () => {
    const { app, memory } = globalThis;
    const saver = new app.KeepsakeSaver(memory);
    for (;;) {
      const isSlow = app.ran.includes("slow");
      const tuple = await saver.getTuple(app.thread("t-1"));
      if (isSlow && tuple.pendingWrites.some(([, channel]) => channel === "steps")) return;
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  assert.deepEqual((await page.evaluate(() => globalThis.app.ran)).sort(), ["first", "quick", "slow"]);
  const crashed = page.waitForEvent("crash");
  const session = await browser.context.newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();

  const fresh = await tab("killed");
  const { next, steps, ran, after } = await fresh.evaluate(async () => {
    const { app, memory } = globalThis;
    const graph = app.graphOf(memory);
    const { next } = await graph.getState(app.thread("t-1"));
    const { steps } = await graph.invoke(null, app.thread("t-1"));
    return { next, steps, ran: app.ran, after: (await graph.getState(app.thread("t-1"))).next };
  });
  assert.deepEqual(next, ["slow"]);
  assert.deepEqual(ran, ["slow", "last"]);
  assert.deepEqual(steps.toSorted(), ["first", "go", "last", "quick", "slow"]);
  assert.deepEqual(after, []);
});

test("two tabs run threads at once and lose nothing; a thread that is deleted leaves nothing", async () => {
  const tabs = await Promise.all([tab("both"), tab("both")]);
  const run = (page, who) =>
    page.evaluate(async (who) => {
      const { app, memory } = globalThis;
      const graph = app.graphOf(memory);
      const one = (n) => graph.invoke({ steps: [`${who}-${n}`] }, app.thread(`${who}-${n}`));
      await Promise.all([...Array(8).keys()].map(one));
    }, who);
  await Promise.all([run(tabs[0], "one"), run(tabs[1], "two")]);
  const threads = ["one", "two"].flatMap((who) => [...Array(8).keys()].map((n) => `${who}-${n}`));
  const read = (page) =>
    page.evaluate(async (threads) => {
      const { app, memory } = globalThis;
      const graph = app.graphOf(memory);
      const states = [];
      for (const id of threads) {
        const { values, next } = await graph.getState(app.thread(id));
        let checkpoints = 0;
        for await (const _ of graph.getStateHistory(app.thread(id))) checkpoints += 1;
        states.push([values.steps.toSorted(), next, checkpoints]);
      }
      return states;
    }, threads);
  const wanted = threads.map((id) => [["first", "last", "quick", "slow", id].toSorted(), [], 5]);
  for (const page of tabs) assert.deepEqual(await read(page), wanted);

  await tabs[0].evaluate(async () => {
    const { app, memory } = globalThis;
    await new app.KeepsakeSaver(memory).deleteThread("one-3");
  });
  const left = await tabs[1].evaluate(async (name) => {
    const { app, memory } = globalThis;
    const kept = memory.collection(name);
    const lists = ["checkpoint", "value", "write"].map((kind) => kept.list({ prefix: `${kind}/one-3/` }));
    const mentions = [];
    for await (const [key, value] of kept.entries()) {
      if ((key + JSON.stringify(value)).includes("one-3")) mentions.push(key);
    }
    const saver = new app.KeepsakeSaver(memory);
    const others = await Promise.all(["one-2", "one-4"].map((id) => saver.getTuple(app.thread(id))));
    const tuple = await saver.getTuple(app.thread("one-3"));
    return { lists: await Promise.all(lists), mentions, tuple: tuple ?? null, others: others.every(Boolean) };
  }, NAME);
  assert.deepEqual(left, { lists: [[], [], []], mentions: [], tuple: null, others: true });
});

test("a store is shared by tabs, and searched by words", async () => {
  const [one, two] = await Promise.all([tab("store"), tab("store")]);
  await one.evaluate(async () => {
    const store = new globalThis.app.KeepsakeStore(globalThis.memory);
    await store.put(["memories", "ann"], "drink", { text: "Ann drinks green tea" });
    await store.put(["memories", "bob"], "game", { text: "Bob plays chess" });
  });
  const found = await two.evaluate(async () => {
    const store = new globalThis.app.KeepsakeStore(globalThis.memory);
    const items = await store.search(["memories"], { query: "who drinks tea?" });
    return [items.map(({ namespace, key }) => [...namespace, key]), await store.listNamespaces()];
  });
  assert.deepEqual(found, [
    [["memories", "ann", "drink"]],
    [
      ["memories", "ann"],
      ["memories", "bob"],
    ],
  ]);
});

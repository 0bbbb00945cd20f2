// The React hooks in a real browser: strict mode, tabs that follow each other, servers, and what is closed when.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createElement, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { pageScript } from "./support/page-script.mjs";
import { pages } from "./support/pages.mjs";
import { App, frames } from "./support/react-page.mjs";

let script;
let browser;

before(async () => {
  script = await pageScript("react-page.mjs");
  browser = await pages();
});

after(async () => {
  await browser.close();
});

/** A tab with the app's script, in which opened and closed databases are counted and complaints are kept. */
async function tab() {
  const page = await browser.tab();
  page.complaints = [];
  page.on("console", (message) => {
    // Not that the server has no icon.
    const isOurs = !message.location().url.endsWith("/favicon.ico");
    if (isOurs && ["error", "warning"].includes(message.type())) page.complaints.push(message.text());
  });
  await page.evaluate(async (script) => {
    globalThis.databases = { opened: 0, closed: 0 };
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...args) {
      globalThis.databases.opened += 1;
      return open.apply(this, args);
    };
    const { close } = IDBDatabase.prototype;
    IDBDatabase.prototype.close = function () {
      globalThis.databases.closed += 1;
      close.call(this);
    };
    globalThis.app = await import(script);
  }, script);
  return page;
}

const show = (page, props, how) =>
  page.evaluate(([props, how]) => globalThis.app.show(props, how), [props, how]);
const hide = (page) => page.evaluate(() => globalThis.app.hide());
const texts = (page, id) =>
  page.evaluate((id) => [...document.querySelectorAll(`#${id} li`)].map((item) => item.textContent), id);

/** Waits until the element with this id shows these texts, and is ready. */
async function shows(page, id, wanted) {
  const matches = ([id, wanted]) => {
    const list = document.querySelector(`#${id}[data-status="ready"]`);
    const found = list && [...list.children].map((item) => item.textContent);
    return JSON.stringify(found) === JSON.stringify(wanted);
  };
  await page.waitForFunction(matches, [id, wanted]).catch(async () => {
    assert.deepEqual(await texts(page, id), wanted);
  });
}

const ready = (page) => page.locator("#status", { hasText: "ready" }).waitFor();
const counts = (page) => page.evaluate(() => globalThis.databases);

const of = (name, user = "u-1") => ({ name, user, storage: "indexeddb" });

test("in strict mode one memory is opened for all components, kept over a remount, and closed after the last", async () => {
  const page = await tab();
  const props = { options: of("react-strict") };
  await show(page, props);
  await ready(page);
  await page.locator("#same", { hasText: "true" }).waitFor();
  assert.deepEqual(await counts(page), { opened: 1, closed: 0 });

  // Gone and back before it is closed: the same memory.
  await page.evaluate((props) => {
    globalThis.before = globalThis.memory;
    globalThis.app.hide();
    globalThis.app.show(props);
  }, props);
  await page.waitForFunction(() => globalThis.memory === globalThis.before);
  assert.deepEqual(await counts(page), { opened: 1, closed: 0 });

  await hide(page);
  await page.waitForFunction(() => globalThis.databases.closed === 1);
  const code = await page.evaluate(() => globalThis.before.list().catch(({ code }) => code));
  assert.equal(code, "closed");

  await show(page, props);
  await ready(page);
  assert.deepEqual(await counts(page), { opened: 2, closed: 1 });
  assert.deepEqual(page.complaints, []);
});

test("a component that is gone before its memory is open leaves nothing open", async () => {
  const page = await tab();
  await page.evaluate((options) => {
    globalThis.app.show({ options });
    globalThis.app.hide();
  }, of("react-hasty"));
  await show(page, { options: of("react-hasty-other") });
  await ready(page);
  await hide(page);
  await page.waitForFunction(() => {
    const { opened, closed } = globalThis.databases;
    return opened > 0 && closed === opened;
  });
});

test("what is written here and in another tab is shown, messages and hits", async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  const props = { options: of("react-tabs"), query: "peanuts" };
  await Promise.all([show(one, props), show(two, props)]);
  await Promise.all([ready(one), ready(two)]);
  const say = (page, text) =>
    page.evaluate(async (content) => {
      await globalThis.memory.session("s-1").append({ role: "user", content });
      await globalThis.memory.add(content);
    }, text);
  await say(one, "I am allergic to peanuts");
  for (const page of [one, two]) {
    await shows(page, "chat", ["I am allergic to peanuts"]);
    await shows(page, "hits", ["I am allergic to peanuts"]);
  }
  await say(two, "no peanuts, then");
  for (const page of [one, two]) {
    await shows(page, "chat", ["I am allergic to peanuts", "no peanuts, then"]);
    await page.waitForFunction(() => document.querySelectorAll("#hits li").length === 2);
  }
  await two.evaluate(async () => {
    await globalThis.memory.session("s-1").delete();
    await globalThis.memory.clear();
  });
  for (const page of [one, two]) {
    await shows(page, "chat", []);
    await shows(page, "hits", []);
  }
});

test("the entries of a namespace, newest first, follow what is written here and in another tab", async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  const props = { options: of("react-entries"), list: { namespace: "long-term", limit: 2 } };
  await Promise.all([show(one, props), show(two, props)]);
  await Promise.all([ready(one), ready(two)]);
  const add = (page, content, namespace = "long-term") =>
    page.evaluate(
      ([content, namespace]) => globalThis.memory.add(content, { namespace }),
      [content, namespace],
    );
  for (const page of [one, two]) await shows(page, "entries", []);
  const { id } = await add(one, "first");
  await add(one, "in another namespace", "short-term");
  for (const page of [one, two]) await shows(page, "entries", ["first"]);
  await add(two, "second");
  await add(two, "third");
  for (const page of [one, two]) await shows(page, "entries", ["third", "second"]);

  await one.evaluate((props) => globalThis.app.show(props), { ...props, list: { namespace: "long-term" } });
  await shows(one, "entries", ["third", "second", "first"]);
  await two.evaluate((id) => globalThis.memory.delete(id), id);
  await shows(one, "entries", ["third", "second"]);

  await show(one, { ...props, list: { limit: -1 } });
  await one.waitForSelector('#entries[data-status="failed"]', { state: "attached" });
  const codes = await one.evaluate(() =>
    globalThis.app.frames.filter(({ of }) => of === "entries").map(({ code }) => code),
  );
  assert.equal(codes.at(-1), "invalid-input");

  // No frame of another user has them.
  await show(two, { ...props, options: of("react-entries", "bob") });
  await ready(two);
  await shows(two, "entries", []);
  const wrong = await two.evaluate(() =>
    globalThis.app.frames.filter(({ user, texts }) => user === "bob" && texts?.length > 0),
  );
  assert.deepEqual(wrong, []);
});

test("another user, another conversation: nothing of the one before is in any frame", async () => {
  const page = await tab();
  const name = "react-users";
  const say = (session, text) =>
    page.evaluate(
      async ([session, content]) => {
        await globalThis.memory.session(session).append({ role: "user", content });
        await globalThis.memory.add(content);
      },
      [session, text],
    );
  await show(page, { options: of(name, "ann"), query: "secret" });
  await ready(page);
  await say("s-1", "secret of ann");
  await shows(page, "chat", ["secret of ann"]);
  await shows(page, "hits", ["secret of ann"]);
  await show(page, { options: of(name, "ann"), session: "s-2", query: "secret" });
  await shows(page, "chat", []);
  await show(page, { options: of(name, "bob"), query: "secret" });
  await ready(page);
  await shows(page, "chat", []);
  await shows(page, "hits", []);
  const wrong = await page.evaluate(() =>
    globalThis.app.frames.filter(
      ({ user, id, texts }) => texts?.includes("secret of ann") && (user === "bob" || id === "s-2"),
    ),
  );
  assert.deepEqual(wrong, []);
  // The memory that nobody uses any more is closed.
  await page.waitForFunction(() => globalThis.databases.closed === 1);
});

test("a slow answer never takes the place of a newer one", async () => {
  const page = await tab();
  await page.evaluate(async (options) => {
    const held = new Map();
    globalThis.answer = (text) => held.get(text)();
    const embedder = (texts) =>
      texts[0].startsWith("slow")
        ? new Promise((resolve) => held.set(texts[0], () => resolve([[1, 0.1]])))
        : Promise.resolve(texts.map(() => [1, 1]));
    const { openMemory } = await import("keepsake");
    const memory = await openMemory(options);
    await memory.add("slow turtles");
    await memory.add("fast rabbits");
    await memory.close();
    globalThis.ask = (query) =>
      globalThis.app.show({ options: { ...options, embedder }, query, search: { limit: 1 } });
    globalThis.ask("slow");
  }, of("react-slow"));
  await ready(page);
  await page.evaluate(() => globalThis.ask("fast"));
  await shows(page, "hits", ["fast rabbits"]);
  await page.evaluate(async () => {
    globalThis.answer("slow");
    // The answer has come back, and whoever wanted it has had it.
    await globalThis.memory.search("slow", { embedding: [1, 0.1] });
  });
  assert.deepEqual(await texts(page, "hits"), ["fast rabbits"]);
  const frames = await page.evaluate(() => globalThis.app.frames.filter(({ of }) => of === "hits"));
  assert.ok(!frames.some(({ texts }) => texts.includes("slow turtles")));

  // While another query is under way, the hits stay, and say that they wait.
  await page.evaluate(() => globalThis.ask("slow again"));
  await page.waitForSelector('#hits[data-status="loading"]');
  assert.deepEqual(await texts(page, "hits"), ["fast rabbits"]);
  await page.waitForFunction(() => {
    try {
      globalThis.answer("slow again");
      return true;
    } catch {
      return false;
    }
  });
  await shows(page, "hits", ["slow turtles"]);
});

test("errors are values: of the memory, and of a search", async () => {
  const page = await tab();
  await page.evaluate(() => {
    const { indexedDB } = globalThis;
    globalThis.refuses = true;
    Object.defineProperty(globalThis, "indexedDB", {
      get() {
        if (globalThis.refuses) throw new DOMException("denied", "SecurityError");
        return indexedDB;
      },
    });
  });
  await show(page, { options: of("react-refused") });
  await page.locator("#status", { hasText: "failed: unavailable" }).waitFor();
  assert.equal(await page.getAttribute("#chat", "data-status"), "loading");
  await page.evaluate(async (options) => {
    globalThis.refuses = false;
    globalThis.app.hide();
    await new Promise((resolve) => setTimeout(resolve));
    globalThis.app.show({ options });
  }, of("react-refused"));
  await ready(page);

  const other = await tab();
  await show(other, { options: of("react-wrong"), query: "x", search: { limit: -1 } });
  await other.waitForSelector('#hits[data-status="failed"]', { state: "attached" });
  const frames = await other.evaluate(() => globalThis.app.frames.filter(({ of }) => of === "hits"));
  assert.equal(frames.at(-1).code, "invalid-input");
  await show(other, { options: of("react-wrong"), query: "x" });
  await shows(other, "hits", []);

  await show(other, { options: undefined });
  await other.locator("#status", { hasText: "failed: invalid-input" }).waitFor();
  await show(other, { options: of("react-wrong"), query: 7 });
  await other.waitForSelector('#hits[data-status="failed"]', { state: "attached" });
  const hits = await other.evaluate(() => globalThis.app.frames.filter(({ of }) => of === "hits"));
  assert.equal(hits.at(-1).code, "invalid-input");
});

test("a memory in a worker, through the same hook", async () => {
  const page = await tab();
  const answer = await page.evaluate(async (options) => {
    let compiled = 0;
    const { compile } = WebAssembly;
    WebAssembly.compile = (...args) => {
      compiled += 1;
      return compile(...args);
    };
    const worker = new Worker("/tests/e2e/support/host.mjs", { type: "module" });
    globalThis.app.show({ options: { ...options, worker } });
    while (!globalThis.memory) await new Promise((resolve) => setTimeout(resolve));
    await globalThis.memory.session("s-1").append({ role: "user", content: "from a worker" });
    return compiled;
  }, of("react-worker"));
  assert.equal(answer, 0);
  await shows(page, "chat", ["from a worker"]);
});

test("a function makes one worker for all renders and components, which ends after the last", async () => {
  const page = await tab();
  await page.evaluate((options) => {
    globalThis.workers = { made: 0, ended: 0 };
    const worker = () => {
      globalThis.workers.made += 1;
      const made = new Worker("/tests/e2e/support/host.mjs", { type: "module" });
      const terminate = made.terminate.bind(made);
      made.terminate = () => {
        globalThis.workers.ended += 1;
        terminate();
      };
      return made;
    };
    // A new function in every render, as inline in a component.
    globalThis.shown = (props) =>
      globalThis.app.show({ options: { ...options, worker: () => worker() }, ...props });
    globalThis.shown({});
  }, of("react-workers"));
  await ready(page);
  await page.evaluate(async () => {
    await globalThis.memory.session("s-1").append({ role: "user", content: "from a worker" });
    globalThis.shown({ query: "worker" });
  });
  await shows(page, "chat", ["from a worker"]);
  const workers = () => page.evaluate(() => globalThis.workers);
  assert.deepEqual(await workers(), { made: 1, ended: 0 });

  await hide(page);
  await page.waitForFunction(() => globalThis.workers.ended === 1);
  await page.evaluate(() => globalThis.shown({}));
  await shows(page, "chat", ["from a worker"]);
  assert.deepEqual(await workers(), { made: 2, ended: 1 });

  await page.evaluate((options) => {
    const worker = () => {
      throw new Error("no workers here");
    };
    globalThis.app.show({ options: { ...options, worker } });
  }, of("react-no-workers"));
  await page.locator("#status", { hasText: "failed" }).waitFor();
});

test("a server renders the loading state and touches nothing, and the page takes over without a complaint", async (t) => {
  const compile = t.mock.method(WebAssembly, "compile");
  const timers = t.mock.method(globalThis, "setTimeout");
  const props = { options: of("react-server"), query: "anything" };
  const element = createElement(StrictMode, null, createElement(App, props));
  const html = renderToString(element);
  assert.match(html, /<p id="status">loading<\/p>/);
  assert.equal(renderToString(element), html, "it is the same every time");
  assert.ok(frames.every(({ status }) => status === "loading"));
  assert.deepEqual([compile.mock.callCount(), timers.mock.callCount()], [0, 0]);

  const page = await tab();
  await show(page, props, { html });
  await ready(page);
  await shows(page, "chat", []);
  assert.deepEqual(page.complaints, []);
});

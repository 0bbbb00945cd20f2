// Memories in workers of a real browser: dedicated, shared and service workers, on real IndexedDB.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onlyInChromium } from "./support/browser.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

/** A tab that notes what wasm it compiles, and in which `connect(kind)` answers a worker. */
async function tab() {
  const page = await browser.tab();
  await prepare(page);
  return page;
}

async function prepare(page) {
  await page.evaluate(() => {
    globalThis.wasm = [];
    for (const name of [
      "compile",
      "compileStreaming",
      "instantiate",
      "instantiateStreaming",
      "Module",
      "Instance",
    ]) {
      WebAssembly[name] = new Proxy(WebAssembly[name], {
        apply(target, self, args) {
          globalThis.wasm.push(name);
          return Reflect.apply(target, self, args);
        },
        construct(target, args) {
          globalThis.wasm.push(name);
          return Reflect.construct(target, args);
        },
      });
    }
    const script = "/tests/e2e/support/host.mjs";
    globalThis.connect = {
      dedicated: async () => new Worker(script, { type: "module" }),
      shared: async () => new SharedWorker(script, { type: "module" }),
      service: async () => {
        const { installing, active } = await navigator.serviceWorker.register(script, { type: "module" });
        const worker = installing ?? active;
        while (worker.state !== "activated") {
          await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
        }
        return worker;
      },
    };
    /** Opens a memory in a worker of that kind. */
    globalThis.open = async (kind, options) => {
      const { openMemory } = await import("keepsake/worker");
      globalThis.worker = await globalThis.connect[kind]();
      return openMemory({ user: "u-1", storage: "indexeddb", worker: globalThis.worker, ...options });
    };
    globalThis.code = (call) =>
      call.then(
        () => "done",
        (error) => error.code,
      );
  });
}

for (const kind of ["dedicated", "shared", "service"]) {
  test(`a memory in a ${kind} worker: what is stored is there after a reload, and no wasm is on the page`, async () => {
    const page = await tab();
    const name = `worker-${kind}`;
    const before = await page.evaluate(
      async ([kind, name]) => {
        const memory = await globalThis.open(kind, { name });
        const added = await memory.add("Deploy keys rotate on Mondays", { namespace: "long-term" });
        await memory.session("s-1").append({ role: "user", content: "hello" });
        const refused = await memory.add("x", { importance: 2 }).catch((error) => error);
        const { MemoryError } = await import("keepsake/worker");
        return {
          id: added.id,
          persistent: memory.persistent,
          tokens: await memory.countTokens("12345"),
          refused: [refused instanceof MemoryError, refused.code, refused.field],
          wasm: globalThis.wasm,
          loaded: performance
            .getEntriesByType("resource")
            .map(({ name }) => name)
            .filter((name) => name.endsWith(".wasm")),
        };
      },
      [kind, name],
    );
    assert.deepEqual(before.refused, [true, "invalid-input", "importance"]);
    assert.deepEqual([before.persistent, before.tokens, before.wasm, before.loaded], [true, 5, [], []]);

    await page.reload();
    await prepare(page);
    const found = await page.evaluate(
      async ([kind, name]) => {
        const memory = await globalThis.open(kind, { name });
        const [hit] = await memory.search("when do deploy keys change?");
        const { total } = await memory.session("s-1").messages();
        await memory.close();
        // The same database, without a worker.
        const { openMemory } = await import("keepsake");
        const here = await openMemory({ name, user: "u-1", storage: "indexeddb" });
        return [hit?.id, total, await here.count(), globalThis.wasm.length > 0];
      },
      [kind, name],
    );
    assert.deepEqual(found, [before.id, 1, 1, true]);
  });

  test(`a hundred overlapping calls to a ${kind} worker are all answered, writes in their order`, async () => {
    const page = await tab();
    const { seen, lists } = await page.evaluate(async (kind) => {
      const memory = await globalThis.open(kind, { name: `overlap-${kind}` });
      const calls = [...Array(100).keys()].map((n) => (n % 3 === 2 ? memory.list() : memory.add(`n${n}`)));
      const answers = await Promise.all(calls);
      return {
        seen: (await memory.list()).map(({ summary }) => summary),
        lists: answers.filter(Array.isArray).map((list) => list.length),
      };
    }, kind);
    assert.deepEqual(
      seen.reverse(),
      [...Array(100).keys()].filter((n) => n % 3 !== 2).map((n) => `n${n}`),
    );
    assert.deepEqual(
      [...lists].sort((a, b) => a - b),
      lists,
    );
  });
}

test("two pages on one shared worker hear of each other, and see the same", async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  const open = async () => {
    globalThis.memory = await globalThis.open("shared", { name: "shared-pages" });
    globalThis.seen = new Promise((resolve) => {
      globalThis.memory.on("change", async () => {
        const hits = await globalThis.memory.search("page", { limit: 10 });
        if (hits.length === 2) resolve(hits.map(({ summary }) => summary).sort());
      });
    });
  };
  await Promise.all([one.evaluate(open), two.evaluate(open)]);
  const add = (text) => globalThis.memory.add(text).then(() => undefined);
  await Promise.all([one.evaluate(add, "of page one"), two.evaluate(add, "of page two")]);
  for (const page of [one, two]) {
    assert.deepEqual(await page.evaluate(() => globalThis.seen), ["of page one", "of page two"]);
  }
});

test("a page with a worker and a page without hear of each other", async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  await one.evaluate(async () => {
    globalThis.memory = await globalThis.open("dedicated", { name: "mixed" });
  });
  await two.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    globalThis.memory = await openMemory({ name: "mixed", user: "u-1", storage: "indexeddb" });
  });
  const listen = () => {
    globalThis.heard = new Promise((resolve) => {
      globalThis.memory.on("change", async ({ local }) => {
        const hits = await globalThis.memory.search("news");
        if (!local && hits.length > 0) resolve(hits[0].summary);
      });
    });
  };
  await two.evaluate(listen);
  await one.evaluate(() => globalThis.memory.add("news from the worker").then(() => undefined));
  assert.equal(await two.evaluate(() => globalThis.heard), "news from the worker");
  await one.evaluate(listen);
  await two.evaluate(async () => {
    await globalThis.memory.clear();
    await globalThis.memory.add("news from the page");
  });
  assert.equal(await one.evaluate(() => globalThis.heard), "news from the page");
});

test("hooks stay on the page: an embedder, and summaries", async () => {
  const page = await tab();
  const answer = await page.evaluate(async () => {
    const memory = await globalThis.open("dedicated", {
      name: "hooks",
      embedder: async (texts) =>
        texts.map((text) => [text.includes("puppy") || text.includes("dog") ? 1 : 0.1, 1]),
    });
    await memory.add("our dog Max");
    const [hit] = await memory.search("a puppy");
    const summarize = async () => "in short";
    const chat = memory.session("s", { summarize, contextTokens: 2000 });
    const content = "and some more words ".repeat(40);
    await chat.append([...Array(40).keys()].map((n) => ({ role: n % 2 ? "assistant" : "user", content })));
    await chat.idle();
    return [hit?.summary, (await chat.histories())[0]?.text];
  });
  assert.deepEqual(answer, ["our dog Max", "in short"]);
});

test("a port to a worker will do, for a page that is not the one that started it", async () => {
  const page = await tab();
  const count = await page.evaluate(async () => {
    const worker = new Worker("/tests/e2e/support/port-host.mjs", { type: "module" });
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ serveOn: port2 }, [port2]);
    const { openMemory } = await import("keepsake/worker");
    const memory = await openMemory({ name: "port", user: "u-1", worker: port1 });
    await memory.add("x");
    const count = await memory.count();
    await memory.close();
    return count;
  });
  assert.equal(count, 1);
});

test("a trap in a worker is a typed error, and the next call works from the storage", async () => {
  const page = await tab();
  const answer = await page.evaluate(async () => {
    const { MemoryError, openMemory } = await import("keepsake/worker");
    const worker = new Worker("/tests/e2e/support/trapping-host.mjs", { type: "module" });
    const memory = await openMemory({ name: "worker-traps", user: "u-1", worker });
    const seen = [];
    for (const verb of ["testing-panic", "testing-panic-later", "testing-overflow"]) {
      await memory.add(verb);
      const error = await memory.documented(verb, {}).catch((error) => error);
      seen.push([error instanceof MemoryError, error.code]);
    }
    return [seen, (await memory.list()).length];
  });
  assert.deepEqual(answer, [Array(3).fill([true, "crashed"]), 3]);
});

test("a worker that cannot be loaded, or does not serve, is a typed error and no hang", async () => {
  const page = await tab();
  const codes = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake/worker");
    const open = (worker, timeout) => globalThis.code(openMemory({ user: "u-1", worker, timeout }));
    const module = { type: "module" };
    return Promise.all([
      // Told by the browser, long before the limit.
      open(new Worker("/tests/e2e/nowhere.mjs", module)),
      open(new SharedWorker("/tests/e2e/nowhere.mjs", module)),
      // Told by nobody: a script that does other things.
      open(new Worker("/tests/js/support/scenario.mjs", module), 400),
      open(new SharedWorker("/tests/js/support/scenario.mjs", module), 400),
    ]);
  });
  assert.deepEqual(codes, Array(4).fill("unavailable"));
});

test("F18 what is asked of a worker that was terminated is rejected within the limit, each time", async () => {
  const page = await tab();
  const codes = await page.evaluate(async () => {
    const memory = await globalThis.open("dedicated", { name: "terminated" });
    await memory.add("stored");
    globalThis.worker.terminate();
    // From now on time goes a hundred times as fast.
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, millis, ...args) => setTimeout(work, millis / 100, ...args);
    const under = await Promise.all([memory.add("x"), memory.list()].map(globalThis.code));
    return [...under, await globalThis.code(memory.list()), await globalThis.code(memory.close())];
  });
  assert.deepEqual(codes, ["unavailable", "unavailable", "unavailable", "done"]);
});

test("a service worker that the browser has ended is woken up by the next call", {
  skip: onlyInChromium("end a worker"),
}, async () => {
  const page = await tab();
  await page.evaluate(async () => {
    globalThis.memory = await globalThis.open("service", { name: "asleep" });
    await globalThis.memory.add("before it slept");
  });
  const session = await browser.context.newCDPSession(page);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  const answer = await page.evaluate(async () => {
    const changes = [];
    globalThis.memory.on("change", ({ local }) => changes.push(local));
    // Nothing was asked for a minute.
    const { now } = performance;
    performance.now = () => now.call(performance) + 60_000;
    await globalThis.memory.add("after it slept");
    const list = await globalThis.memory.list();
    return [list.map(({ summary }) => summary), changes.includes(true)];
  });
  assert.deepEqual(answer, [["after it slept", "before it slept"], true]);
  await session.send("ServiceWorker.stopAllWorkers");
  const closed = await page.evaluate(() => {
    const { now } = performance;
    performance.now = () => now.call(performance) + 60_000;
    return globalThis.code(globalThis.memory.close());
  });
  assert.equal(closed, "done", "there is nothing to free in a worker that has ended");
});

test("a memory that is closed, and a page that goes, leave nothing open in a shared worker", async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  const open = async (name) => {
    const { openMemory } = await import("keepsake/worker");
    const worker = new SharedWorker("/tests/e2e/support/host.mjs", { type: "module", name: "counted" });
    globalThis.memory = await openMemory({ name, user: "u-1", storage: "indexeddb", worker });
    await globalThis.memory.add("x");
  };
  const databases = () =>
    two.evaluate(async () => {
      const channel = new BroadcastChannel("databases");
      const answer = new Promise((resolve) => {
        channel.onmessage = ({ data }) => resolve(data.databases);
      });
      channel.postMessage({ of: "counted" });
      return answer.finally(() => channel.close());
    });
  await two.evaluate(open, "stays");
  assert.equal(await databases(), 1);
  await one.evaluate(open, "closes");
  assert.equal(await databases(), 2);
  await one.evaluate(() => globalThis.memory.close());
  assert.equal(await databases(), 1);
  await one.evaluate(open, "goes");
  assert.equal(await databases(), 2);
  await one.goto("about:blank");
  /** A page has a second for its last words. */
  for (let tries = 0; tries < 200 && (await databases()) > 1; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(await databases(), 1);
});

test("a page that goes may have last words, and one that comes back finds its memory", async () => {
  const page = await tab();
  const list = await page.evaluate(async () => {
    const memory = await globalThis.open("shared", { name: "back" });
    await memory.add("x");
    // As the browser does when a page is kept for the way back.
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    await memory.add("last words");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    await memory.add("back again");
    return (await memory.list()).map(({ summary }) => summary);
  });
  assert.deepEqual(list, ["back again", "last words", "x"]);
});

test("while a service worker sleeps, the page hears of what is written elsewhere", {
  skip: onlyInChromium("end a worker"),
}, async () => {
  const [one, two] = await Promise.all([tab(), tab()]);
  await one.evaluate(async () => {
    globalThis.memory = await globalThis.open("service", { name: "sleeping" });
    globalThis.heard = new Promise((resolve) => {
      const { now } = performance;
      performance.now = () => now.call(performance) + 60_000;
      globalThis.memory.on("change", async () => {
        const [hit] = await globalThis.memory.search("news");
        if (hit) resolve(hit.summary);
      });
    });
  });
  const session = await browser.context.newCDPSession(one);
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.stopAllWorkers");
  await two.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "sleeping", user: "u-1", storage: "indexeddb" });
    await memory.add("news from elsewhere");
  });
  assert.equal(await one.evaluate(() => globalThis.heard), "news from elsewhere");
});

// The TypeScript API in a real browser, on real IndexedDB: the scenarios, bad input, tabs, reloads, traps.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { onlyInChromium } from "./support/browser.mjs";
import { pages, pagesOfThisFile } from "./support/pages.mjs";

const folder = new URL("../scenarios/", import.meta.url);
const browser = pagesOfThisFile();

for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json"))) {
  test(`F42 scenario ${file} in a browser`, async () => {
    const text = await readFile(new URL(file, folder), "utf8");
    const page = await browser.tab();
    const json = await page.evaluate(
      async ([text, name]) => {
        const { openMemory } = await import("keepsake");
        const { run } = await import("/tests/js/support/scenario.mjs");
        const { indexedDb } = await import("/target/web-testing/inner.js");
        const open = (options) => openMemory({ ...options, name });
        return JSON.stringify(await run(JSON.parse(text), open, () => indexedDb(name)));
      },
      [text, `scenario-${file}`],
    );
    const outcomes = JSON.parse(json);
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

test("bad input in a browser is refused by name, and nothing is half written", async () => {
  const page = await browser.tab();
  const wrong = await page.evaluate(async () => {
    const { MemoryError, openMemory } = await import("keepsake");
    const { tryAll } = await import("/tests/js/support/bad-input.mjs");
    return tryAll(() => openMemory({ name: "bad-input", user: "u-1" }), MemoryError);
  });
  assert.deepEqual(wrong, []);
});

test("F17 two tabs adding 200 entries each at once: 400, none lost, both list all", async () => {
  const tabs = await Promise.all([browser.tab(), browser.tab()]);
  const add = (page, who) =>
    page.evaluate(async (who) => {
      const { openMemory } = await import("keepsake");
      globalThis.memory = await openMemory({ name: "two-tabs", user: "u-1" });
      const numbers = [...Array(200).keys()];
      await Promise.all(numbers.map((n) => globalThis.memory.add(`${who} ${n}`)));
    }, who);
  await Promise.all(tabs.map((page, at) => add(page, `tab ${at}`)));
  for (const page of tabs) {
    const seen = await page.evaluate(async () =>
      (await globalThis.memory.list()).map(({ summary }) => summary),
    );
    assert.equal(seen.length, 400);
    assert.equal(new Set(seen).size, 400);
  }
});

test("a tab sees what another has added, and what was added is there after a reload", async () => {
  const [one, two] = await Promise.all([browser.tab(), browser.tab()]);
  const open = async () => {
    const { openMemory } = await import("keepsake");
    globalThis.memory = await openMemory({ name: "reload", user: "u-1" });
    return globalThis.memory.persistent;
  };
  const list = async () => (await globalThis.memory.list()).map(({ summary }) => summary);
  assert.equal(await one.evaluate(open), true);
  await two.evaluate(open);
  await one.evaluate(async () => void (await globalThis.memory.add("from one")));
  assert.deepEqual(await two.evaluate(list), ["from one"]);
  await two.evaluate(async () => void (await globalThis.memory.add("from two")));
  assert.deepEqual(await one.evaluate(list), ["from two", "from one"]);
  await one.reload();
  await one.evaluate(open);
  assert.deepEqual(await one.evaluate(list), ["from two", "from one"]);
});

test("F44 a search in one tab follows what another tab adds and deletes", async () => {
  const [one, two] = await Promise.all([browser.tab(), browser.tab()]);
  const open = async () => {
    const { openMemory } = await import("keepsake");
    globalThis.memory = await openMemory({ name: "search-tabs", user: "u-1" });
  };
  const search = async () => (await globalThis.memory.search("allergic")).map(({ summary }) => summary);
  /** Hints arrive soon, though not at once. */
  const eventually = async (wanted) => {
    for (let tries = 0; tries < 100; tries++) {
      if ((await two.evaluate(search)).join() === wanted.join()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(await two.evaluate(search), wanted);
  };
  await Promise.all([one.evaluate(open), two.evaluate(open)]);
  assert.deepEqual(await two.evaluate(search), []);
  const id = await one.evaluate(async () => (await globalThis.memory.add("I am allergic to peanuts")).id);
  assert.deepEqual(await one.evaluate(search), ["I am allergic to peanuts"]);
  await eventually(["I am allergic to peanuts"]);
  await one.evaluate(async (id) => void (await globalThis.memory.delete(id)), id);
  await eventually([]);
});

test("what was added with an embedder is found by its meaning after the page was closed", async () => {
  /** What words are about; the page and the test of the next page have to see the same. */
  const open = async () => {
    const { openMemory } = await import("keepsake");
    const about = ["terrier puppy", "garage engine", "flour oven", "orchestra concert", "summit climb"];
    const meaning = (text) =>
      about.map((words) => 0.1 + words.split(" ").filter((word) => text.includes(word)).length);
    globalThis.asked = [];
    globalThis.memory = await openMemory({
      name: "vectors",
      user: "u-1",
      embedder: async (texts) => {
        globalThis.asked.push(...texts);
        return texts.map((text) => new Float32Array(meaning(text)));
      },
    });
  };
  const one = await browser.tab();
  await one.evaluate(open);
  await one.evaluate(async () => {
    const contents = [
      "Our terrier Max",
      "Left it at the garage",
      "More flour",
      "To the orchestra",
      "That summit",
    ];
    await Promise.all(contents.map((content) => globalThis.memory.add(content)));
    await globalThis.memory.close();
  });
  await one.close();
  const two = await browser.tab();
  await two.evaluate(open);
  const [hits, asked, left] = await two.evaluate(async () => [
    await globalThis.memory.search("puppy", { explain: true }),
    globalThis.asked,
    await globalThis.memory.embedAll(),
  ]);
  assert.deepEqual(
    hits.map(({ summary }) => summary),
    ["Our terrier Max"],
  );
  assert.ok(hits[0].receipt.every(({ label }) => label === "meaning"));
  assert.deepEqual(asked, ["puppy"], "what is stored is not embedded again");
  assert.equal(left, 0);
});

test("what was being added when a memory is closed is stored, and the app is told so", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "closing", user: "u-1" });
    const added = memory.add("in time");
    await memory.close();
    const { summary } = await added;
    const again = await openMemory({ name: "closing", user: "u-1" });
    return [summary, (await again.list()).length];
  });
  assert.deepEqual(answer, ["in time", 1]);
});

test("after a reload no content is read for a search, and of the records only what no segment has yet", async () => {
  const page = await browser.tab();
  const open = async () => {
    const { openMemory } = await import("keepsake");
    globalThis.memory = await openMemory({ name: "segments", user: "u-1" });
  };
  await page.evaluate(open);
  await page.evaluate(async () => {
    // The first 255 are in segments. Only their ends say something of their own, far behind their summaries.
    for (let n = 0; n < 300; n++) {
      const long = n < 250 ? `${"and so on ".repeat(250)}needle${n}` : `short needle${n}`;
      await globalThis.memory.add(long, { namespace: "long-term" });
    }
  });
  await page.reload();
  await page.evaluate(() => {
    globalThis.reads = [];
    for (const method of ["get", "getKey", "getAll", "getAllKeys", "openCursor", "openKeyCursor", "count"]) {
      const original = IDBObjectStore.prototype[method];
      IDBObjectStore.prototype[method] = function (...args) {
        globalThis.reads.push(`${this.name} ${method}`);
        return original.apply(this, args);
      };
    }
  });
  await page.evaluate(open);
  const search = (words) =>
    page.evaluate(async (words) => {
      const hits = await globalThis.memory.search(words, { explain: true });
      return [
        hits.length,
        hits[0]?.receipt.map(({ term }) => term).includes(words),
        globalThis.reads.splice(0),
      ];
    }, words);
  const [found, byIt, first] = await search("needle7");
  assert.deepEqual([found, byIt], [1, true]);
  const of = (space) => first.filter((read) => read.startsWith(`${space} `));
  assert.deepEqual(of("bodies"), []);
  assert.ok(of("index").includes("index getAll"));
  assert.ok(of("records").every((read) => read === "records get"));
  assert.ok(of("records").length < 128, `${of("records").length} records for 300 entries`);
  const [again, , second] = await search("needle299");
  assert.equal(again, 1);
  assert.deepEqual(
    second.filter((read) => !read.startsWith("meta ")),
    [],
  );
  // The counting does count: a content that is asked for is read.
  const previewed = await page.evaluate(async () => {
    await globalThis.memory.search("needle7", { includeContent: true });
    return globalThis.reads;
  });
  assert.ok(previewed.includes("bodies get") && previewed.includes("records get"));
});

test("F25 a hundred overlapping calls on one handle are all answered, writes in their order", async () => {
  const page = await browser.tab();
  const { seen, lists } = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "overlap", user: "u-1" });
    const calls = [...Array(100).keys()].map((n) => (n % 3 === 2 ? memory.list() : memory.add(`n${n}`)));
    const answers = await Promise.all(calls);
    return {
      seen: (await memory.list()).map(({ summary }) => summary),
      lists: answers.filter(Array.isArray).map((list) => list.length),
    };
  });
  const wanted = [...Array(100).keys()].filter((n) => n % 3 !== 2).map((n) => `n${n}`);
  assert.deepEqual(seen.reverse(), wanted);
  assert.equal(lists.length, 33);
  assert.deepEqual(
    [...lists].sort((a, b) => a - b),
    lists,
    "no list sees less than one before it",
  );
});

test("F21 writes are relaxed, and a flush is strict", async () => {
  const page = await browser.tab();
  const seen = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "durability", user: "u-1" });
    // The first is followed by a trial of the browser's own, which would be among those that are counted.
    await memory.add("w");
    const seen = [];
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...args) {
      const begun = transaction.apply(this, args);
      if (begun.mode === "readwrite") seen.push(begun.durability);
      return begun;
    };
    await memory.add("x");
    await memory.flush();
    return seen;
  });
  assert.deepEqual(seen, ["relaxed", "strict"]);
});

test("F13 F14 where IndexedDB is refused, a memory is kept in memory and says so", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    Object.defineProperty(globalThis, "indexedDB", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "refused", user: "u-1" });
    await memory.add("x");
    const strict = await openMemory({ name: "refused", user: "u-1", storage: "indexeddb" }).catch(
      (error) => error.code,
    );
    return [memory.persistent, memory.storageProblem, (await memory.list()).length, strict];
  });
  assert.equal(answer[0], false);
  assert.match(answer[1], /IndexedDB/);
  assert.deepEqual(answer.slice(2), [1, "unavailable"]);
});

test("F10 a connection that has died is opened again, and the read is tried once more", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "dead-connection", user: "u-1" });
    const { id } = await memory.add("still there");
    // A stub, since this browser does not lose its connections: the old one fails for ever, as it does on iOS.
    const dead = new WeakSet();
    const { transaction } = IDBDatabase.prototype;
    let opened = 0;
    IDBDatabase.prototype.transaction = function (...args) {
      if (opened === 0) dead.add(this);
      opened += 1;
      if (dead.has(this))
        throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
      return transaction.apply(this, args);
    };
    const found = await memory.get(id);
    await memory.add("and it goes on");
    return [found?.content, (await memory.list()).length];
  });
  assert.deepEqual(answer, ["still there", 2]);
});

test("F12 a backing store that cannot be opened is said plainly, and the memory goes on without", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    // A stub: opening fails as it does when the browser's files are damaged.
    IDBFactory.prototype.open = () => {
      const request = new EventTarget();
      Object.defineProperty(request, "error", { value: new DOMException("Internal error", "UnknownError") });
      setTimeout(() => request.onerror?.(new Event("error")));
      return request;
    };
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "damaged", user: "u-1" });
    await memory.add("kept for now");
    const strict = openMemory({ name: "damaged", user: "u-1", storage: "indexeddb" });
    const code = await strict.then(
      () => "opened",
      (error) => error.code,
    );
    return [memory.persistent, memory.storageProblem, (await memory.list()).length, code];
  });
  assert.deepEqual(answer, [false, "there is no storage here: IndexedDB: UnknownError", 1, "unavailable"]);
});

const noSmallDisk = onlyInChromium("make its disk small");
test("F5 F7 F8 a full disk is a typed error, reading still works, and so does writing when there is room", {
  skip: noSmallDisk,
}, async () => {
  // An origin of its own, with little room from the start: the browser remembers for a while how much there was.
  const small = await pages();
  try {
    const page = await small.tab();
    const session = await small.context.newCDPSession(page);
    const { origin } = new URL(small.url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1_000_000 });
    const codes = await page.evaluate(async () => {
      const { openMemory } = await import("keepsake");
      globalThis.memory = await openMemory({ name: "full", user: "u-1" });
      await globalThis.memory.add("before");
      // Text that cannot be compressed: what counts is the room on the disk.
      const noise = () => Array.from(crypto.getRandomValues(new Uint32Array(16_000)), String).join(" ");
      const add = (n) => globalThis.memory.add(`${n} ${noise()}`);
      const outcomes = [];
      for (let n = 0; n < 20; n++)
        outcomes.push(
          await add(n).then(
            () => "added",
            (error) => error.code,
          ),
        );
      return outcomes;
    });
    assert.equal(codes.at(-1), "quota-exceeded");
    const added = codes.filter((code) => code === "added").length;
    const list = async () => (await globalThis.memory.list()).map(({ summary }) => summary.slice(0, 6));
    const seen = await page.evaluate(list);
    assert.equal(seen.length, 1 + added, "what was refused is not there");
    assert.equal(seen.at(-1), "before");
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await page.evaluate(async () => void (await globalThis.memory.add("after")));
    assert.equal((await page.evaluate(list))[0], "after");
  } finally {
    await small.close();
  }
});

test("F23 F24 a trap in a browser is a typed error, and the next call works from the storage", async () => {
  const page = await browser.tab();
  const answer = await page.evaluate(async () => {
    const { Engine, indexedDb } = await import("/target/web-testing/inner.js");
    const { instantiate } = await import("/target/web-testing/keepsake.js");
    const module = await WebAssembly.compileStreaming(fetch("/target/web-testing/keepsake.wasm"));
    const engine = await Engine.open(
      { instantiate, module },
      {
        open: JSON.stringify({ name: "traps", user: "u-1" }),
        adapter: indexedDb("traps"),
        now: Date.now,
        random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      },
    );
    const codes = [];
    for (const verb of ["testing-panic", "testing-panic-later", "testing-overflow"]) {
      await engine.call("add", JSON.stringify({ content: verb }));
      codes.push(await engine.call(verb, "{}").catch((error) => error.code));
    }
    return [codes, (await engine.call("list", "{}")).length];
  });
  assert.deepEqual(answer, [["crashed", "crashed", "crashed"], 3]);
});

// The storage in a real browser: the contract, and what only browsers do to a database.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CASES } from "../js/support/contract.mjs";
import { storagePage } from "./support/indexeddb-page.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

const inPage = storagePage(browser);

test("the storage keeps the contract", async () => {
  const outcome = await inPage(async () => {
    const { contract } = await import("/tests/js/support/contract.mjs");
    return contract((name) => globalThis.indexedDb(`contract-${name}`));
  });
  assert.deepEqual(outcome, { cases: CASES });
});

test("F17 who writes a revision that is there already is refused, asked or not, and nothing of it is kept", async () => {
  const seen = await inPage(async () => {
    const gets = [];
    const get = IDBObjectStore.prototype.get;
    IDBObjectStore.prototype.get = function (asked) {
      gets.push(this.name);
      return get.call(this, asked);
    };
    /** The same batch with a page of the log, as the core writes it. */
    const paged = (base, name) => {
      const batch = put(base, name);
      const page = { type: "put", space: "log", key: new Uint8Array([base]), value: key(name) };
      return { ...batch, ops: [...batch.ops, page] };
    };
    const [one, two] = [indexedDb("pages"), indexedDb("pages")];
    // How long a look at the guard lasts is a matter of time, which stands still here.
    const [now, clock] = [performance.now(), performance.now];
    performance.now = () => now;
    const written = [];
    for (const [store, base, name] of [
      [one, 0, "a"],
      [one, 1, "b"],
      [two, 1, "stale"],
      [two, 2, "c"],
      [one, 2, "late"],
      [one, 3, "d"],
    ]) {
      written.push(await store.commit(paged(base, name)));
    }
    performance.now = clock;
    IDBObjectStore.prototype.get = get;
    const names = await Promise.all(["a", "b", "c", "d", "stale", "late"].map((name) => read(one, name)));
    return [written, gets, names];
  });
  assert.deepEqual(seen, [
    [true, true, false, true, false, true],
    // The first of each asks, and so does one that was refused before.
    ["meta", "meta", "meta"],
    ["a", "b", "c", "d", undefined, undefined],
  ]);
});

test("F17 a guard that was not written stands for the last page of its log, for all who ask", async () => {
  const seen = await inPage(async () => {
    const [guard, name] = [key("tenant"), "lagging"];
    /** A batch as the core writes it: the key of its page is the guard's, and the new revision. */
    const paged = (base, text) => {
      const batch = put(base, text);
      const page = {
        type: "put",
        space: "log",
        key: new Uint8Array([...guard, ...batch.next]),
        value: key(text),
      };
      return { ...batch, ops: [...batch.ops, page] };
    };
    const one = indexedDb(name);
    const written = [];
    for (const [base, text] of ["a", "b", "c", "d"].entries())
      written.push(await one.commit(paged(base, text)));
    const database = await raw(name);
    const held = await new Promise((resolve) => {
      const meta = database.transaction("meta").objectStore("meta");
      meta.get(guard).onsuccess = ({ target }) => resolve(target.result[7]);
    });
    const revisions = async (store) => {
      const [got] = await store.get("meta", [guard]);
      const { items } = await store.scan("meta", { start: new Uint8Array() }, 10);
      return [got[7], ...items.map(([, value]) => value[7])];
    };
    const two = indexedDb(name);
    const asked = await revisions(two);
    // As far as the guard says, and as far as the log does.
    const others = [await two.commit(paged(held, "stale")), await two.commit(paged(4, "e"))];
    const late = await one.commit(paged(4, "late"));
    // Without a page the guard has to say it.
    const unpaged = [await one.commit(put(5, "f")), ...(await revisions(one))];
    const kept = await Promise.all(["d", "e", "f", "stale", "late"].map((text) => read(one, text)));
    return { written, lags: held < 4, asked, others, late, unpaged, kept };
  });
  assert.deepEqual(seen, {
    written: [true, true, true, true],
    lags: true,
    asked: [4, 4],
    others: [false, true],
    late: false,
    unpaged: [true, 6, 6],
    kept: ["d", "e", "f", undefined, undefined],
  });
});

test("an independent reader finds what was stored", async () => {
  const seen = await inPage(async () => {
    const store = indexedDb("reader");
    await store.commit(put(0, "a"));
    const database = await raw("reader");
    const records = database.transaction("records").objectStore("records");
    const stored = await new Promise((resolve) => {
      records.get(key("a")).onsuccess = ({ target }) => resolve([...target.result]);
    });
    const guards = await new Promise((resolve) => {
      const meta = database.transaction("meta").objectStore("meta");
      meta.getAllKeys().onsuccess = ({ target }) => resolve(target.result.length);
    });
    return [[...database.objectStoreNames].sort(), stored, guards];
  });
  assert.deepEqual(seen, [["bodies", "index", "log", "meta", "records"], [97], 1]);
});

test("F1 an old tab gives way to an upgrade and says reload", async () => {
  const codes = await inPage(async () => {
    const old = indexedDb("upgrade");
    const first = code(old.commit(put(0, "a")));
    const newer = indexedDb("upgrade", 3);
    const read = await code(newer.get("records", [key("a")]));
    return [
      await first,
      read,
      await code(old.get("records", [key("a")])),
      await code(old.commit(put(1, "b"))),
    ];
  });
  assert.ok(["ok", "superseded"].includes(codes[0]), codes[0]);
  assert.deepEqual(codes.slice(1), ["ok", "superseded", "superseded"]);
});

test("F2 an upgrade that a frozen tab blocks is refused in time, and is in nobody's way later", async () => {
  const codes = await inPage(async () => {
    const store = indexedDb("blocked");
    await store.get("meta", []);
    await store.close();
    // A connection that does not listen, as that of a frozen tab.
    const frozen = await raw("blocked");
    const refused = await code(indexedDb("blocked", 3).get("meta", [key("x")]));
    frozen.close();
    await sleep(100);
    return [refused, await code(indexedDb("blocked", 4).get("meta", [key("x")]))];
  });
  assert.deepEqual(codes, ["blocked", "ok"]);
});

test("F3 a database of a newer schema is read and never written", async () => {
  const seen = await inPage(async () => {
    const first = indexedDb("newer");
    await first.commit(put(0, "a"));
    await first.close();
    (await raw("newer", 7, (request) => request.result.createObjectStore("from the future"))).close();
    const store = indexedDb("newer");
    const refused = await store.commit(put(1, "b")).catch(({ code, message }) => [code, message]);
    return [await read(store, "a"), refused];
  });
  assert.equal(seen[0], "a");
  assert.equal(seen[1][0], "newer-version");
  assert.match(seen[1][1], /schema 7, and this version supports up to 2/);
});

test("F4 an upgrade that ends half way leaves the old schema", async () => {
  const seen = await inPage(async () => {
    const first = indexedDb("half");
    await first.commit(put(0, "a"));
    await first.close();
    const broken = await code(
      raw("half", 3, (request) => {
        request.result.deleteObjectStore("records");
        request.transaction.abort();
      }),
    );
    return [broken, await read(indexedDb("half"), "a")];
  });
  assert.deepEqual(seen, ["AbortError", "a"]);
});

test("F8 F10 a connection that the browser closes is opened again by the next call", async () => {
  const seen = await inPage(async () => {
    let opened;
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args);
      request.addEventListener("success", () => {
        opened = request.result;
      });
      return request;
    };
    try {
      const store = indexedDb("closing");
      await store.commit(put(0, "a"));
      opened.close();
      const after = await read(store, "a");
      opened.close();
      return [after, await store.commit(put(1, "b")), await read(store, "b")];
    } finally {
      IDBFactory.prototype.open = open;
    }
  });
  assert.deepEqual(seen, ["a", true, "b"]);
});

test("F9 F15 a database that is deleted while open is reported lost", async () => {
  const codes = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "lost", user: "u-1" });
    await memory.add("before");
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(databaseName("lost")).onsuccess = resolve;
    });
    return [await code(memory.list()), await code(memory.add("after"))];
  });
  assert.deepEqual(codes, ["store-lost", "store-lost"]);
});

test("F9 whatever asks first of a database that was deleted is told that it is lost", async () => {
  const codes = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const found = {};
    const asks = {
      get: (memory) => memory.get("tea"),
      search: (memory) => memory.search("Tee"),
      messages: (memory) => memory.session("s").messages(),
      profile: (memory) => memory.profile.get(),
      file: (memory) => memory.files.read("MEMORY.md"),
    };
    for (const [name, ask] of Object.entries(asks)) {
      const memory = await openMemory({ name: `gone-${name}`, user: "u-1" });
      await memory.add("Hoa trinkt Tee", { id: "tea" });
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(databaseName(`gone-${name}`)).onsuccess = resolve;
      });
      found[name] = await code(ask(memory));
    }
    return found;
  });
  const lost = "store-lost";
  assert.deepEqual(codes, { get: lost, search: lost, messages: lost, profile: lost, file: lost });
});

test("F9 stores that are emptied by hand while they are open are lost, and nothing more is acknowledged", async () => {
  const seen = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "emptied", user: "u-1" });
    for (let at = 0; at < 20; at += 1) await memory.add(`Note ${at}`, { id: `n${at}` });
    await empty("emptied");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const codes = [
      await code(memory.get("n3")),
      await code(memory.add("after")),
      await code(memory.session("s").append({ role: "user", content: "hi" })),
    ];
    await memory.close().catch(() => {});
    const again = await openMemory({ name: "emptied", user: "u-1" });
    await again.add("A new beginning");
    return { codes, count: await again.count(), verified: await again.verify() };
  });
  assert.deepEqual(seen.codes, ["store-lost", "store-lost", "store-lost"]);
  assert.equal(seen.count, 1);
  assert.deepEqual(seen.verified, { ok: true, checked: 1, problems: [] });
});

test("F9 a call that needs the full module does not take an emptied storage for a new one", async () => {
  const codes = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "grown", user: "u-1" });
    await memory.add("before");
    await empty("grown");
    const session = memory.session("s");
    return [await code(session.append({ role: "user", content: "hi" })), await code(session.messages())];
  });
  assert.deepEqual(codes, ["store-lost", "store-lost"]);
});

test("a guard that is gone is found again from its log: nothing is given up for it", async () => {
  const seen = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const memory = await openMemory({ name: "guardless", user: "u-1" });
    for (let at = 0; at < 5; at += 1) await memory.add(`Note ${at}`, { id: `n${at}` });
    await memory.close();
    await empty("guardless", ["meta"]);
    const again = await openMemory({ name: "guardless", user: "u-1" });
    await again.add("One more");
    return { count: await again.count(), verified: await again.verify() };
  });
  assert.deepEqual(seen, { count: 6, verified: { ok: true, checked: 6, problems: [] } });
});

test("F21 a strict commit reaches the transaction", async () => {
  const seen = await inPage(async () => {
    const store = indexedDb("strict");
    // The first is followed by a trial of the browser's own, which would be among those that are counted.
    await store.commit(put(0, "a"));
    const asked = [];
    const transaction = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (names, mode, options) {
      if (mode === "readwrite") asked.push(options?.durability);
      return transaction.call(this, names, mode, options);
    };
    try {
      await store.commit(put(1, "b", "strict"));
      await store.commit(put(2, "c"));
    } finally {
      IDBDatabase.prototype.transaction = transaction;
    }
    return asked;
  });
  assert.deepEqual(seen, ["strict", "relaxed"]);
});

test("a value that is no bytes, and a key that is none, are refused, and nothing of the batch is kept", async () => {
  const seen = await inPage(async () => {
    const store = indexedDb("half-batch");
    const batch = put(0, "a");
    batch.ops.push({ type: "put", space: "records", key: {}, value: key("b") });
    return [await code(store.commit(batch)), await read(store, "a"), await store.commit(put(0, "c"))];
  });
  assert.deepEqual(seen, ["storage-failed", undefined, true]);
});

test("where there is no IndexedDB, that is said", async () => {
  const seen = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = () => {
      throw new DOMException("no", "SecurityError");
    };
    try {
      const memory = await openMemory({ name: "none", user: "u-1" });
      const asked = await code(openMemory({ name: "none", user: "u-1", storage: "indexeddb" }));
      return [memory.persistent, memory.storageProblem, asked];
    } finally {
      IDBFactory.prototype.open = open;
    }
  });
  assert.deepEqual(seen, [false, "there is no storage here: IndexedDB: SecurityError", "unavailable"]);
});

test("a request that is refused makes no database", async () => {
  const seen = await inPage(async () => {
    const { openMemory } = await import("keepsake");
    const codes = [
      await code(openMemory({ name: "refused", user: "" })),
      await code(openMemory({ name: "", user: "u-1" })),
    ];
    const names = (await indexedDB.databases()).map(({ name }) => name);
    return [codes, names.filter((name) => ["keepsake/refused", "keepsake/"].includes(name))];
  });
  assert.deepEqual(seen, [["invalid-input", "invalid-input"], []]);
});

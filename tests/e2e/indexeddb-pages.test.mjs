// Records within the pages of the log: one request, and read as if each had a place of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { storagePage } from "./support/indexeddb-page.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const inPage = storagePage(pagesOfThisFile());

test("a new record is one request: it lies within the page of its commit until it is taken away", async () => {
  const seen = await inPage(async () => {
    const store = indexedDb("within");
    // The first one asks for the guard.
    await store.commit(put(0, "a"));
    const requests = [];
    for (const method of ["put", "add", "delete", "get", "getAll"]) {
      const original = IDBObjectStore.prototype[method];
      IDBObjectStore.prototype[method] = function (...given) {
        requests.push(`${this.name} ${method}`);
        return original.apply(this, given);
      };
    }
    const written = [await store.commit(said(1, "b")), await store.commit(said(2, "c"))];
    const asked = requests.splice(0);
    const before = await dump("within");
    const { items } = await store.scan("log", { start: new Uint8Array() }, 10);
    const pages = items.map(([, value]) => new TextDecoder().decode(value));
    const gone = { ...put(3, ""), ops: [{ type: "delete", space: "records", key: key("b") }] };
    written.push(await store.commit(gone));
    const after = await dump("within");
    return { written, asked, before, pages, after, read: [await read(store, "b"), await read(store, "c")] };
  });
  assert.deepEqual(seen.written, [true, true, true]);
  assert.deepEqual(seen.asked, ["log add", "log add"]);
  const c = { page: "page of c", key: "c", value: "c" };
  assert.deepEqual(seen.before.log, [{ page: "page of b", key: "b", value: "b" }, c]);
  assert.deepEqual(seen.before.records, ["a"]);
  assert.deepEqual(seen.pages, ["page of b", "page of c"]);
  assert.deepEqual(seen.after.log, ["page of b", c]);
  assert.deepEqual(seen.read, [undefined, "c"]);
});

test("F17 a new record whose page is there already is refused, asked or not, and nothing of it is kept", async () => {
  const seen = await inPage(async () => {
    const [one, two] = [indexedDb("late"), indexedDb("late")];
    const written = [];
    for (const [store, base, name] of [
      [one, 0, "a"],
      [two, 0, "stale"],
      [two, 1, "b"],
      [one, 1, "late"],
      [one, 2, "c"],
      [two, 2, "later"],
      [two, 3, "d"],
    ]) {
      written.push(await store.commit(said(base, name)));
    }
    return [written, (await dump("late")).log.map(({ value }) => value)];
  });
  assert.deepEqual(seen, [
    [true, false, true, false, true, false, true],
    ["a", "b", "c", "d"],
  ]);
});

test("whatever is written, in whatever order, is read as from a storage that keeps each record on its own", async () => {
  const seen = await inPage(async () => {
    const { MemoryStorage } = await import("/target/web-testing/inner.js");
    let state = 20_261_116;
    const below = (limit) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % limit;
    };
    const name = () => key(String.fromCharCode(97 + below(26)));
    const range = () => ({ start: name(), end: below(4) === 0 ? undefined : name() });
    const text = (bytes) => bytes && new TextDecoder().decode(bytes);
    const change = (value) => {
      if (below(5) === 0) return { type: "delete-range", space: "records", range: range() };
      if (below(4) === 0) return { type: "delete", space: "records", key: name() };
      return { type: "put", space: "records", key: name(), value: key(value), isNew: true };
    };
    const takes = (op, known) => {
      if (op.type === "delete") return known === text(op.key);
      const { start, end } = op.range;
      return known >= text(start) && (!end || known < text(end));
    };
    const number = (revision) => new Uint8Array([0, 0, 0, 0, 0, 0, revision >> 8, revision & 0xff]);
    const everything = { start: new Uint8Array() };
    const item = ([at, value]) => [text(at), text(value)];
    const [real, plain] = [indexedDb("random"), new MemoryStorage().connect()];
    let [carried, different, there] = [0, 0, new Set()];
    for (let base = 0; base < 400; base += 1) {
      const ops = [];
      for (let left = below(4); left > 0; left -= 1) {
        const op = change(`${base}`);
        // Only what is new is said to be.
        if (op.type !== "put") there = new Set([...there].filter((known) => !takes(op, known)));
        else if (there.has(text(op.key))) continue;
        else there.add(text(op.key));
        ops.push(op);
      }
      const [guard, next] = [key("tenant"), number(base + 1)];
      const page = new Uint8Array([...guard, ...next]);
      ops.push({ type: "put", space: "log", key: page, value: key(`page ${base}`) });
      const batch = { guard, expected: base ? number(base) : undefined, next, ops, durability: "relaxed" };
      const written = await Promise.all([real.commit(batch), plain.commit(batch)]);
      if (written.includes(false)) throw new Error(`commit ${base} was refused`);
      const [some, limit, keys] = [range(), 1 + below(8), [name(), name(), name()]];
      const answers = [];
      for (const store of [real, plain]) {
        const { items, next } = await store.scan("records", some, limit);
        const all = await store.scan("records", everything, 100);
        const pages = await store.scan("log", everything, limit);
        const got = await store.get("records", keys);
        answers.push([
          items.map(item),
          text(next),
          got.map(text),
          all.items.map(item),
          pages.items.map(item),
        ]);
      }
      if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) different += 1;
      if ((await dump("random")).log.some((value) => typeof value === "object")) carried += 1;
    }
    return { different, carried, pages: (await dump("random")).log.length };
  });
  assert.equal(seen.different, 0);
  assert.equal(seen.pages, 400);
  assert.ok(seen.carried > 100, `something lay within a page after ${seen.carried} of 400 commits`);
});

test("a database of the first schema, in which no page carries anything, is read and written on", async () => {
  const seen = await inPage(async () => {
    const batch = said(0, "old");
    const old = await raw("first-schema", 1, ({ result }) => {
      for (const space of ["meta", "records", "bodies", "log", "index"]) result.createObjectStore(space);
    });
    await new Promise((resolve) => {
      const transaction = old.transaction(["meta", "records", "log"], "readwrite");
      transaction.objectStore("meta").put(batch.next, batch.guard);
      for (const { space, key, value } of batch.ops) transaction.objectStore(space).put(value, key);
      transaction.oncomplete = resolve;
    });
    old.close();
    const store = indexedDb("first-schema");
    const written = await store.commit(said(1, "new"));
    const { items } = await store.scan("records", { start: new Uint8Array() }, 10);
    const values = items.map(([, value]) => new TextDecoder().decode(value));
    return [written, values, (await dump("first-schema")).log];
  });
  assert.deepEqual(seen, [
    true,
    ["new", "old"],
    ["page of old", { page: "page of new", key: "new", value: "new" }],
  ]);
});

test("F3 a database of a newer schema that lacks what this one reads is refused", async () => {
  const seen = await inPage(async () => {
    const first = indexedDb("other");
    await first.commit(said(0, "a"));
    await first.close();
    const upgrade = ({ transaction }) => transaction.objectStore("log").deleteIndex("carried");
    (await raw("other", 7, upgrade)).close();
    return code(indexedDb("other").get("records", [key("a")]));
  });
  assert.equal(seen, "newer-version");
});

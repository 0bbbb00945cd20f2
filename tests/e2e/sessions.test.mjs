// Conversations in a real browser, on real IndexedDB: what is erased is gone from the disk's point of view, tabs share
// a session, and a page may go away at any time.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

const tab = (name) => browser.tabWith(name);

/**
 * How often each word is anywhere in the database of `name`, or in one of its object stores, read through plain
 * IndexedDB: in keys and values, in any case.
 */
function countWords(page, name, words, only) {
  return page.evaluate(
    async ([name, words, only]) => {
      const answer = (request) =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await answer(indexedDB.open(`keepsake/${name}`));
      const stores = [...database.objectStoreNames].filter((store) => !only || store === only);
      const transaction = database.transaction(stores);
      const all = stores.flatMap((store) => {
        const from = transaction.objectStore(store);
        return [answer(from.getAllKeys()), answer(from.getAll())];
      });
      const dump = (await Promise.all(all)).flat();
      database.close();
      const bytes = dump.flatMap(function whole(value) {
        if (value instanceof ArrayBuffer) return [new Uint8Array(value)];
        if (value instanceof Uint8Array) return [value];
        if (value?.constructor === Object) return Object.values(value).flatMap(whole);
        throw new Error(`neither bytes nor a view of them: ${value}`);
      });
      // Every byte is one character, so that nothing is skipped for not being UTF-8.
      const text = bytes.map((value) => Array.from(value, (byte) => String.fromCharCode(byte)).join(""));
      const whole = text.join("\n").toLowerCase();
      return words.map((word) => whole.split(word).length - 1);
    },
    [name, words, only],
  );
}

test("X1 S15 after a session is erased no word of it is anywhere in the database, and the log still holds", async () => {
  const erased = [
    "quetzalfish",
    "umberleaf",
    "zephyrine",
    "marrowgate",
    "vellichor",
    "kestrelwort",
    "oubliette",
    "nightjarling",
  ];
  const kept = ["harbourlight"];
  const page = await tab("erase");
  await page.evaluate(async () => {
    const { memory } = globalThis;
    const secret = memory.session("talk", { compression: false });
    const other = memory.session("other", { compression: false });
    // Enough for stored segments of the index, which hold messages of both.
    for (let n = 0; n < 300; n += 10) {
      const turns = [...Array(10).keys()].map((at) => ({
        role: at % 2 === 0 ? "user" : "assistant",
        name: at === 0 ? "Vellichor" : undefined,
        id: at === 1 ? `kestrelwort-${n}` : undefined,
        content: `The quetzalfish number ${n + at} swims under the umberleaf bridge. ${"And so on. ".repeat(8)}`,
      }));
      await secret.append(turns);
      await other.append({ role: "user", content: `Turn ${n} of the harbourlight talk` });
      // With the index at hand, and without.
      if (n === 150) await memory.queryMemory("quetzalfish");
    }
    await secret.append({
      role: "user",
      content: [{ type: "text", text: "zephyrine" }],
      metadata: { of: "oubliette" },
    });
    // Said one by one, they lie within the log: more of them than are taken away at once.
    for (let n = 0; n < 600; n += 1) await secret.append({ role: "user", content: `Nightjarling ${n}` });
    await secret.setTitle("On zephyrine things");
    await secret.saveComponents({ notes: { text: "marrowgate" } });
    const { changed } = await secret.compress({ type: "tree-reduce", contextTokens: 2_000 });
    if (!changed) throw new Error("nothing was compressed");
  });
  const before = await countWords(page, "erase", [...erased, ...kept]);
  assert.ok(
    before.every((count) => count > 0),
    `the dump sees everything while it is there: ${before}`,
  );
  const [indexed] = await countWords(page, "erase", erased, "index");
  assert.ok(indexed > 0, "and so it does in the stored index");
  const [within] = await countWords(page, "erase", ["nightjarling"], "log");
  assert.equal(within, 600, "and within the log");
  const [count, found, verdict] = await page.evaluate(async () => {
    const { memory } = globalThis;
    const count = await memory.session("talk").delete();
    return [count, await memory.queryMemory("quetzalfish umberleaf"), await memory.log.verify()];
  });
  assert.equal(count, 901);
  assert.deepEqual(found, []);
  assert.equal(verdict.ok, true, verdict.problem);
  const left = await countWords(page, "erase", [...erased, ...kept]);
  assert.deepEqual(
    left.slice(0, erased.length),
    erased.map(() => 0),
  );
  assert.ok(left.at(-1) > 0, "what another session has said is still there");
  await page.close();
  const fresh = await tab("erase");
  const again = await fresh.evaluate(async () => {
    const { memory } = globalThis;
    const talk = memory.session("talk");
    const found = await memory.queryMemory("quetzalfish harbourlight", { limit: 100 });
    return {
      info: await talk.info(),
      messages: (await talk.messages()).messages,
      histories: await talk.histories(),
      components: await talk.loadComponents(),
      sessions: (await memory.sessions()).map(({ id }) => id),
      found: [...new Set(found.map(({ session }) => session))],
      ok: (await memory.log.verify()).ok,
    };
  });
  assert.deepEqual(again, {
    info: null,
    messages: [],
    histories: [],
    components: null,
    sessions: ["other"],
    found: ["other"],
    ok: true,
  });
});

test("F17 two tabs append to one session at once: none is lost, and both see the same order", async () => {
  const tabs = await Promise.all([tab("shared-talk"), tab("shared-talk")]);
  const say = (page, who) =>
    page.evaluate(async (who) => {
      const talk = globalThis.memory.session("talk", { compression: false });
      const one = (n) => talk.append({ role: "user", name: who, content: `${who} ${n}` });
      // Some one after the other, some at once.
      for (let n = 0; n < 50; n++) await one(n);
      await Promise.all([...Array(50).keys()].map((n) => one(50 + n)));
    }, who);
  await Promise.all([say(tabs[0], "one"), say(tabs[1], "two")]);
  const read = (page) =>
    page.evaluate(async () => {
      const said = [];
      for await (const { id, content } of globalThis.memory.session("talk").all())
        said.push([id, content[0].text]);
      return { said, ok: (await globalThis.memory.log.verify()).ok };
    });
  const [one, two] = await Promise.all(tabs.map(read));
  assert.deepEqual(one, two);
  assert.equal(one.ok, true);
  assert.equal(one.said.length, 200);
  assert.equal(new Set(one.said.map(([id]) => id)).size, 200);
  for (const who of ["one", "two"]) {
    const theirs = one.said.map(([, text]) => text).filter((text) => text.startsWith(who));
    assert.deepEqual(
      theirs,
      [...Array(100).keys()].map((n) => `${who} ${n}`),
    );
  }
});

test("a tab that is gone in the middle of a compression loses nothing, and the next one can compress", async () => {
  const page = await tab("killed");
  const settings = { compression: { type: "tree-reduce", contextTokens: 1_000 } };
  await page.evaluate(async (settings) => {
    globalThis.asked = 0;
    const talk = globalThis.memory.session("talk", {
      ...settings,
      summarize: () => {
        globalThis.asked += 1;
        return new Promise(() => {});
      },
    });
    for (let n = 0; n < 40; n++) {
      await talk.append({
        role: n % 2 === 0 ? "user" : "assistant",
        content: `Turn ${n}. ${"More words. ".repeat(20)}`,
      });
    }
  }, settings);
  await page.waitForFunction(() => globalThis.asked > 0);
  const last = await page.evaluate(async () => {
    const stored = await globalThis.memory
      .session("talk", { compression: false })
      .append({ role: "user", content: "The last" });
    return stored.id;
  });
  await page.close();
  const fresh = await tab("killed");
  const [before, compressed, after] = await fresh.evaluate(async (settings) => {
    const { memory } = globalThis;
    const talk = memory.session("talk", { ...settings, summarize: async () => "They took turns." });
    const look = async () => {
      const said = [];
      for await (const { content } of talk.all()) said.push(content[0].text.split(".")[0]);
      return {
        said,
        kinds: [...new Set((await talk.view()).map(({ kind }) => kind))],
        histories: (await talk.histories()).map(({ id, text }) => [id, text]),
        newest: (await talk.messages({ limit: 1 })).messages[0].id,
        ok: (await memory.log.verify()).ok,
      };
    };
    return [await look(), await talk.compress(), await look()];
  }, settings);
  const said = [...[...Array(40).keys()].map((n) => `Turn ${n}`), "The last"];
  assert.deepEqual(before, { said, kinds: ["message"], histories: [], newest: last, ok: true });
  assert.equal(compressed.changed, true);
  assert.equal(compressed.history, "history-001");
  assert.deepEqual(after, {
    said,
    kinds: ["history", "message"],
    histories: [["history-001", "They took turns."]],
    newest: last,
    ok: true,
  });
});

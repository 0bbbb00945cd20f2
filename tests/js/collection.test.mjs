// Collections: an app's own values by key, through the package.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { jsonl, openMemory } from "keepsake";

const folder = await mkdtemp(join(tmpdir(), "keepsake-collection-"));
after(() => rm(folder, { recursive: true }));

const open = (storage = "memory") => openMemory({ user: "u", storage });

test("values are set, read in one view, listed in order and taken away", async () => {
  const memory = await open();
  const drafts = memory.collection("drafts");
  await drafts.set("b", { n: 1, list: [null, 1.5, "ü"] });
  await drafts.write([
    { key: "a", value: null },
    { key: "__proto__", value: { 1: "x", constructor: "y" } },
  ]);
  assert.deepEqual(await drafts.getMany(["b", "a", "c"]), [
    { n: 1, list: [null, 1.5, "ü"] },
    null,
    undefined,
  ]);
  assert.deepEqual(await drafts.list({ limit: 2 }), [
    { key: "__proto__", value: { 1: "x", constructor: "y" } },
    { key: "a", value: null },
  ]);
  assert.equal(await drafts.delete("b"), true);
  assert.equal(await drafts.delete("b"), false);
  // JavaScript moves fields that look like numbers to the front: it is the same value all the same.
  assert.equal(await drafts.delete("__proto__"), true);
  assert.deepEqual(await memory.collection("draft").list(), []);
  await memory.close();
});

test("all of them are gone through, page after page, until a signal says stop", async () => {
  const memory = await open();
  const many = memory.collection("many");
  const keys = Array.from({ length: 250 }, (_, n) => `k${String(n).padStart(3, "0")}`);
  await many.write(keys.map((key) => ({ key, value: key })));
  const seen = [];
  for await (const [key] of many.entries({ after: "k099" })) seen.push(key);
  assert.deepEqual(seen, keys.slice(100));
  const stop = new AbortController();
  const stopped = (async () => {
    for await (const [key] of many.entries({ signal: stop.signal })) if (key === "k050") stop.abort();
  })();
  await assert.rejects(stopped, { name: "AbortError" });
  await memory.close();
});

test("two programs count on one file, and none is lost", async () => {
  const path = join(folder, "count.jsonl");
  const both = await Promise.all([open(jsonl(path)), open(jsonl(path))]);
  const count = async (memory) => {
    for (let n = 0; n < 25; n++) await memory.collection("c").update("count", (value = 0) => value + 1);
  };
  await Promise.all([...both, ...both].map(count));
  assert.equal(await both[0].collection("c").get("count"), 100);
  await Promise.all(both.map((memory) => memory.close()));
  const again = await open(jsonl(path));
  assert.equal(await again.collection("c").get("count"), 100);
  assert.equal((await again.log.verify()).problem, undefined);
  await again.close();
});

test("values with words are found, and others hear that they were written", async () => {
  const memory = await open();
  const heard = [];
  memory.on("change", (change) => heard.push(change));
  const notes = memory.collection("notes");
  await notes.set("vi", { n: 1 }, { text: "Tôi thích trà xanh" });
  await notes.set("ja", { n: 2 }, { text: "緑茶が好きです" });
  assert.equal(heard.length, 2);
  assert.deepEqual(
    (await notes.search("trà xanh")).map(({ key, value }) => [key, value]),
    [["vi", { n: 1 }]],
  );
  assert.equal((await notes.search("緑茶"))[0]?.key, "ja");
  assert.deepEqual(await notes.search("trà", { prefix: "ja" }), []);
  await notes.update("vi", () => ({ n: 3 }), { text: () => "cà phê" });
  assert.deepEqual(await notes.search("trà xanh"), []);
  assert.equal((await notes.search("cà phê"))[0]?.value.n, 3);
  await memory.close();
});

test("bad input is refused by name, and a closed memory says so", async () => {
  const memory = await open();
  const drafts = memory.collection("drafts");
  const refused = (promise, field) => assert.rejects(promise, { name: "MemoryError", field });
  await refused(memory.collection("").get("a"), "collection");
  await refused(memory.collection(7).get("a"), "collection");
  await refused(drafts.get(""), "keys[0]");
  await refused(drafts.get(7), "keys[0]");
  await refused(drafts.set("a", undefined), "changes[0]");
  await refused(drafts.write([{ key: "a", value: 1 }, { prefix: "a" }]), "changes[1]");
  await refused(drafts.write("all"), "changes");
  await refused(drafts.list({ limit: -1 }), "limit");
  const circle = {};
  circle.circle = circle;
  await assert.rejects(drafts.set("a", circle), { code: "invalid-input" });
  assert.deepEqual(await drafts.list(), []);
  await memory.close();
  await assert.rejects(drafts.get("a"), { code: "closed" });
});

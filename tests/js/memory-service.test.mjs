// The documented service: one for the program, and stores of the app's own behind it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openMemory } from "keepsake";
import { Memory } from "keepsake/mem0";
import {
  createStore,
  MemoryService,
  memoryAdd,
  memoryCleanup,
  memoryClearAll,
  memoryClearShortTerm,
  memoryDelete,
  memoryGetContent,
  memorySearch,
  memoryStats,
} from "keepsake/memory-service";

const LIMIT_MS = 60_000;

afterEach(() => MemoryService.resetInstance());

/** A store in a Map, as an app would write it in an afternoon. */
class MapStore {
  entries = new Map();
  asked = [];

  async add(entry) {
    this.entries.set(entry.id, entry);
  }
  async get(id) {
    return this.entries.get(id) ?? null;
  }
  async search(tokens, options) {
    this.asked.push([tokens, options]);
    const share = ({ content }) =>
      tokens.filter((token) => content.toLowerCase().includes(token)).length / tokens.length;
    return [...this.entries.values()].map((entry) => ({ entry, score: share(entry) }));
  }
  async delete(id) {
    return this.entries.delete(id);
  }
  async clear(namespace) {
    const gone = await this.list(namespace);
    for (const { id } of gone) this.entries.delete(id);
    return gone.length;
  }
  async list(namespace) {
    return [...this.entries.values()].filter((entry) => !namespace || entry.namespace === namespace);
  }
  async count(namespace) {
    return (await this.list(namespace)).length;
  }
}

/** A store on mem0's class, whose ids are its own: the entry lies in the metadata. */
class Mem0Store {
  #memory;
  #of = { user_id: "u-42" };

  constructor(memory) {
    this.#memory = memory;
  }
  async #items(filters = {}) {
    const { results } = await this.#memory.getAll({ filters: { ...this.#of, ...filters }, topK: 1000 });
    return results;
  }
  async add({ content, ...entry }) {
    const metadata = { entry, entryId: entry.id, namespace: entry.namespace };
    await this.#memory.add(content, { userId: "u-42", infer: false, metadata });
  }
  #entry = ({ memory, metadata }) => ({ ...metadata.entry, content: memory });
  async get(id) {
    const [item] = await this.#items({ entryId: id });
    return item ? this.#entry(item) : null;
  }
  async search(tokens, { namespace, limit } = {}) {
    const filters = { ...this.#of, ...(namespace && { namespace }) };
    const { results } = await this.#memory.search(tokens.join(" "), { filters, topK: limit });
    return results.map((item) => ({ entry: this.#entry(item), score: item.score }));
  }
  async delete(id) {
    const [item] = await this.#items({ entryId: id });
    if (item) await this.#memory.delete(item.id);
    return item !== undefined;
  }
  async clear(namespace) {
    const items = await this.#items(namespace && { namespace });
    for (const { id } of items) await this.#memory.delete(id);
    return items.length;
  }
  async list(namespace) {
    return (await this.#items(namespace && { namespace })).map(this.#entry);
  }
  async count(namespace) {
    return (await this.#items(namespace && { namespace })).length;
  }
}

async function mem0Store() {
  const memory = await openMemory({ user: "u-42", storage: "memory" });
  return new Mem0Store(new Memory({ memory }));
}

for (const [name, make] of [
  ["a Map of the app's", async () => new MapStore()],
  ["mem0", mem0Store],
]) {
  test(`D19 the documented functions work on ${name}`, async () => {
    const service = MemoryService.createWithStore(await make());
    const added = await service.memoryAdd("API response data for user authentication");
    assert.match(added.referenceId, /^[0-9a-f]{16}$/, "D24");
    assert.deepEqual(
      [added.success, added.summary, added.contentLength, added.data.namespace],
      [true, "API response data for user authentication", 41, "short-term"],
    );
    const config = await service.memoryAdd("Important configuration settings", "long-term", {
      tags: ["config", "important"],
      source: "user",
    });
    const exact = await service.memorySearch(added.referenceId);
    assert.deepEqual(
      exact.data.results.map(({ id, score }) => [id, score]),
      [[added.referenceId, undefined]],
      "D11 D16",
    );
    const words = await service.memorySearch("authentication response");
    assert.equal(words.data.results[0].id, added.referenceId, "D12");
    assert.match(words.data.results[0].score, /^\d+\.\d%$/, "D16");
    assert.ok(!("contentPreview" in words.data.results[0]), "D1");
    const filtered = await service.memorySearch("configuration", {
      namespace: "long-term",
      tags: ["IMPORTANT"],
      limit: 3,
      includeContent: true,
    });
    assert.deepEqual(
      filtered.data.results.map(({ id, contentPreview }) => [id, contentPreview]),
      [[config.referenceId, "Important configuration settings"]],
      "D2 D13",
    );
    const nothing = await service.memorySearch("zebra crossing");
    assert.deepEqual([nothing.data.found, nothing.data.results], [false, []], "D15");
    const { total, shortTerm, longTerm } = await service.memoryStats();
    assert.deepEqual({ total, shortTerm, longTerm }, { total: 2, shortTerm: 1, longTerm: 1 }, "D17");
    const whole = await service.memoryGetContent(config.referenceId);
    assert.equal(whole.data.content, "Important configuration settings");
    assert.deepEqual((await service.memoryDelete(config.referenceId)).data, { deleted: true });
    assert.deepEqual((await service.memoryDelete(config.referenceId)).data, { deleted: false });
    assert.match((await service.memoryGetContent(config.referenceId)).error, /no entry with this id/);
    assert.deepEqual((await service.memoryClearShortTerm()).data, { cleared: 1, remaining: 0 }, "D18");
    await service.memoryAdd("one more", "long-term");
    assert.deepEqual((await service.memoryClearAll()).data, { cleared: 1 });
  });
}

test("D6 D32–D34 D38 limits and expiry hold on a store of the app's own", async () => {
  const store = new MapStore();
  const namespaces = { "short-term": { maxEntries: 2, maxContentChars: 20, maxSummaryChars: 12 } };
  const service = MemoryService.createWithStore(store, { namespaces });
  const ids = [];
  for (const word of ["first", "second", "third"]) {
    ids.push((await service.memoryAdd(`${word} of many long sentences`)).referenceId);
  }
  assert.deepEqual([...store.entries.keys()], ids.slice(1), "the oldest makes room");
  const last = store.entries.get(ids[2]);
  assert.equal(last.content, "third of many long s... [truncated]");
  assert.ok(last.summary.length <= 12 && last.summary.endsWith("..."), last.summary);
  const days = (Date.parse(last.expiresAt) - Date.parse(last.createdAt)) / 86_400_000;
  assert.equal(days, 14);
  store.entries.set(ids[2], { ...last, expiresAt: new Date(Date.now() - 1).toISOString() });
  assert.equal((await service.memorySearch(ids[2])).data.found, false, "D41");
  assert.equal((await service.memorySearch("third")).data.found, false, "D34");
  assert.equal((await service.memoryCleanup()).data.cleaned, 1, "D37");
  assert.deepEqual([...store.entries.keys()], [ids[1]]);
});

test("D30 D43 a store is asked in tokens, in any language", async () => {
  const store = new MapStore();
  const service = MemoryService.createWithStore(store);
  await service.memorySearch("The API's (new) x-ray, a KEY", { namespace: "long-term", minScore: 0 });
  assert.deepEqual(store.asked[0], [
    ["the", "api", "new", "ray", "key"],
    { namespace: "long-term", tags: undefined, limit: 5, minScore: 0 },
  ]);
  await service.memorySearch("毎週月曜日に会議があります");
  assert.ok(store.asked[1][0].length > 1, `${store.asked[1][0]}`);
  await service.memoryAdd("会議は月曜日です");
  assert.equal((await service.memorySearch("月曜日")).data.found, true);
});

test("D10 D36 what goes wrong is an answer, whether it was the arguments or the store", async () => {
  const store = new MapStore();
  const service = MemoryService.createWithStore(store);
  for (const [call, about] of [
    [() => service.memoryAdd(""), /`content`/],
    [() => service.memoryAdd("x", "mid-term"), /`namespace` must be one of short-term, long-term/],
    [() => service.memoryAdd("x", "toString"), /`namespace`/],
    [() => service.memoryAdd("x", "long-term", { tags: "a" }), /`tags`/],
    [() => service.memoryAdd("x", "long-term", { importance: 2 }), /`importance`/],
    [() => service.memoryAdd("x", "long-term", { tag: "a" }), /`tag`/],
    [() => service.memorySearch(""), /`query`/],
    [() => service.memorySearch("x", { limit: 0 }), /`limit`/],
    [() => service.memorySearch("x", { offset: 0 }), /`offset`/],
    [() => service.memoryDelete(7), /`id`/],
  ]) {
    const { success, error } = await call();
    assert.equal(success, false);
    assert.match(error, about);
  }
  assert.equal(store.entries.size, 0);
  store.add = () => Promise.reject(new Error("connection refused"));
  assert.deepEqual(await service.memoryAdd("kept?"), { success: false, error: "connection refused" });
});

test("what is no store is refused by the method that it lacks", () => {
  for (const [store, field] of [
    [undefined, "store"],
    [null, "store"],
    ["mem0", "store"],
    [{}, "store.add"],
    [Object.assign(new MapStore(), { count: 3 }), "store.count"],
  ]) {
    assert.throws(() => MemoryService.createWithStore(store), { code: "invalid-input", field });
  }
});

test("D20 a configuration names a store of the app's own, and the functions use it", async () => {
  const store = new MapStore();
  const config = { storage: { defaultBackend: "mem0" }, retrieval: { topK: 1 } };
  const own = { mem0: () => store };
  assert.equal(createStore(config, own), store);
  MemoryService.getInstance(config, own);
  const { referenceId } = await memoryAdd("API response data here");
  await memoryAdd("another API response");
  assert.ok(store.entries.has(referenceId));
  assert.equal((await memorySearch("api response")).data.total, 1, "topK");
  assert.throws(() => createStore({ storage: { defaultBackend: "zep" } }, own), /mem0/);
});

test("D26 the program has one service, made by the first call and forgotten by a reset", async (t) => {
  assert.equal(MemoryService.getInstance(), MemoryService.getInstance());
  // The document's own lines.
  const result = await memoryAdd("API response data here");
  const { referenceId } = await memoryAdd("Important configuration settings", "long-term", {
    tags: ["config", "important"],
    source: "user",
  });
  assert.equal((await memorySearch(result.referenceId)).data.found, true);
  assert.equal((await memorySearch("API response")).data.found, true);
  const hits = await memorySearch("config", { namespace: "long-term", tags: ["important"], limit: 3 });
  assert.deepEqual(
    hits.data.results.map(({ id }) => id),
    [referenceId],
  );
  assert.ok((await memorySearch("config", { includeContent: true })).data.results[0].contentPreview);
  const { total, shortTerm, longTerm } = await memoryStats();
  assert.deepEqual({ total, shortTerm, longTerm }, { total: 2, shortTerm: 1, longTerm: 1 });
  assert.equal((await memoryGetContent(referenceId)).data.content, "Important configuration settings");
  assert.equal((await memoryDelete(referenceId)).data.deleted, true);
  assert.equal((await memoryClearShortTerm()).data.cleared, 1);
  assert.equal((await memoryCleanup()).data.cleaned, 0);
  assert.equal((await memoryClearAll()).data.cleared, 0);
  const before = MemoryService.getInstance();
  await memoryAdd("gone after the reset");
  await MemoryService.resetInstance();
  assert.notEqual(MemoryService.getInstance(), before);
  assert.equal((await memoryStats()).total, 0);
  await MemoryService.resetInstance();
  const folder = await mkdtemp(join(tmpdir(), "keepsake-service-"));
  t.after(() => rm(folder, { recursive: true }));
  const config = { storage: { defaultBackend: "jsonl", directory: folder } };
  MemoryService.getInstance(config);
  await memoryAdd("kept in a file", "long-term");
  await MemoryService.resetInstance();
  MemoryService.getInstance(config);
  assert.equal((await memoryStats()).longTerm, 1, "D23");
});

test("D26 an import opens nothing", async () => {
  const program = `
    import { MemoryService, memoryAdd } from "keepsake/memory-service";
    MemoryService.getInstance();
    const held = process.getActiveResourcesInfo();
    console.log(typeof memoryAdd, held.filter((name) => /Timeout|Handle|Port|Worker|TCP/.test(name)).length);
  `;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: LIMIT_MS });
  assert.equal(stdout, "function 0\n");
});

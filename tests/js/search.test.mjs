// Searching through the TypeScript API, and the documented functions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryFunctions, openMemory } from "keepsake";

const open = (options = {}) => openMemory({ user: "u-1", storage: "memory", ...options });

test("D2 D12 D13 search answers references, with filters, and a preview only when asked", async () => {
  const memory = await open();
  await memory.add("Deploy keys rotate on Mondays", {
    tags: ["ops"],
    namespace: "long-term",
    metadata: { page: 3 },
  });
  await memory.add("Deploy the garden chairs", { tags: ["home"], session: "s-1", trust: "low" });
  const [hit] = await memory.search("deploy key");
  assert.deepEqual(Object.keys(hit).sort(), [
    "at",
    "createdAt",
    "id",
    "namespace",
    "score",
    "summary",
    "tags",
  ]);
  const found = async (options) => (await memory.search("deploy", options)).map(({ tags }) => tags[0]).sort();
  assert.deepEqual(await found(), ["home", "ops"]);
  assert.deepEqual(await found({ tags: ["OPS"] }), ["ops"]);
  assert.deepEqual(await found({ tags: { none: ["ops"] } }), ["home"]);
  assert.deepEqual(await found({ namespace: "long-term" }), ["ops"]);
  assert.deepEqual(await found({ session: "s-1" }), ["home"]);
  assert.deepEqual(await found({ minTrust: "normal" }), ["ops"]);
  assert.deepEqual(await found({ metadata: { page: 3 } }), ["ops"]);
  assert.deepEqual(await found({ until: "2001-01-01" }), []);
  assert.deepEqual(await found({ limit: 0 }), []);
  const [preview] = await memory.search("garden", { includeContent: true });
  assert.equal(preview.contentPreview, "Deploy the garden chairs");
});

test("a receipt adds up to its score, and a miss has a reason", async () => {
  const memory = await open();
  const kept = await memory.add("the cat sat on the mat", { tags: ["pets"] });
  for (const ranking of ["best", "formula"]) {
    const [hit] = await memory.search("cat mat", { ranking, explain: true });
    assert.equal(
      hit.receipt.reduce((sum, { value }) => sum + value, 0),
      hit.score,
    );
  }
  assert.deepEqual(await memory.explainMiss(kept.id, "cat"), { reason: "hit" });
  assert.deepEqual(await memory.explainMiss("nobody", "cat"), { reason: "unknown" });
  assert.equal((await memory.explainMiss(kept.id, "dog")).reason, "no-term");
  assert.deepEqual(await memory.explainMiss(kept.id, "cat", { tags: ["plants"] }), {
    reason: "filtered",
    filter: "tags",
  });
});

test("bad searches are refused by name", async () => {
  const memory = await open();
  const refused = [
    [() => memory.search(7), "query"],
    [() => memory.search("x", { ranking: "magic" }), "ranking"],
    [() => memory.search("x", { limit: -1 }), "limit"],
    [() => memory.search("x", { minScore: Number.NaN }), "minScore"],
    [() => memory.search("x", { namespace: "nowhere" }), "namespace"],
    [() => memory.search("x", { tags: ["a", 1] }), "tags[1]"],
    [() => memory.search("x", { tags: { some: ["a"] } }), "tags.some"],
    [() => memory.search("x", { from: "yesterday" }), "from"],
    [() => memory.search("x", { topK: 3 }), "topK"],
    [() => memory.search("x".repeat(1_000_000)), "query"],
  ];
  for (const [act, field] of refused) await assert.rejects(act(), { name: "MemoryError", field });
});

test("F29 the same words typed in two ways are the same, in every language", async () => {
  const memory = await open();
  await memory.add("Cuộc họp tiếng Việt".normalize("NFC"), { id: "vi" });
  await memory.add("東京で会議があります", { id: "ja" });
  await memory.add("서울에서 만나요", { id: "ko" });
  await memory.add("Встреча в Москве", { id: "ru" });
  await memory.add("ประชุมที่กรุงเทพ", { id: "th" });
  await memory.add("اجتماع في القاهرة", { id: "ar" });
  await memory.add("Grüße aus der Straße", { id: "de" });
  await memory.add("getUserName in user_service.ts", { id: "code" });
  const queries = {
    vi: ["tiếng Việt".normalize("NFD"), "tieng viet", "TIẾNG"],
    ja: ["会議", "東京"],
    ko: ["서울", "서울에서".normalize("NFD")],
    ru: ["Москве", "встреча"],
    th: ["กรุงเทพ"],
    ar: ["القاهرة"],
    de: ["strasse", "grusse", "Straße"],
    code: ["user name", "getUserName", "user_service"],
  };
  for (const [id, asked] of Object.entries(queries)) {
    for (const query of asked) assert.equal((await memory.search(query))[0]?.id, id, query);
  }
});

test("D9 to D18 the documented functions answer as documented", async () => {
  const memory = await open();
  const functions = memoryFunctions(memory);
  const added = await functions.memoryAdd("API response data here");
  assert.equal(added.success, true);
  assert.equal(added.data.id, added.referenceId);
  assert.equal(added.contentLength, 22);
  await functions.memoryAdd("Important configuration settings", "long-term", {
    tags: ["config", "important"],
    source: "user",
  });
  const byId = await functions.memorySearch(added.referenceId);
  assert.equal(byId.data.results[0].id, added.referenceId);
  const byWord = await functions.memorySearch("config", {
    namespace: "long-term",
    tags: ["important"],
    limit: 3,
  });
  assert.deepEqual(byWord.data.results[0].tags, ["config", "important"]);
  assert.match(byWord.data.results[0].score, /^\d+\.\d%$/);
  const none = await functions.memorySearch("zzz");
  assert.deepEqual([none.data.found, none.data.results, none.data.total], [false, [], 0]);
  const { total, shortTerm, longTerm } = await functions.memoryStats();
  assert.deepEqual([total, shortTerm, longTerm], [2, 1, 1]);
  assert.equal((await functions.memoryGetContent(added.referenceId)).data.content, "API response data here");
  assert.deepEqual((await functions.memoryClearShortTerm()).data, { cleared: 1, remaining: 1 });
  assert.equal((await functions.memoryCleanup()).data.cleaned, 0);
  assert.deepEqual((await functions.memoryDelete("nobody")).data, { deleted: false });
  assert.deepEqual((await functions.memoryClearAll()).data, { cleared: 1 });
  const failed = await functions.memoryAdd("x", "secret");
  assert.equal(failed.success, false);
  assert.match(failed.error, /namespace/);
});

// An entry's summary: the app's own, of its hook, or the content's beginning.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, memoryFunctions, openMemory } from "keepsake";

const open = (options = {}) => openMemory({ user: "u-1", storage: "memory", ...options });

const MINUTES = `Minutes of the board. ${"The agenda was read and approved. ".repeat(60)}`;

test("X5: an entry can be given its own summary, which is shown and searched in its place", async () => {
  const memory = await open();
  const summary = "Quý này hội đồng chọn Đà Nẵng";
  const entry = await memory.add(MINUTES, { summary, namespace: "long-term" });
  assert.equal(entry.summary, summary);
  assert.equal((await memory.get(entry.id)).content, MINUTES);
  for (const ranking of ["best", "formula"]) {
    const [hit] = await memory.search("Đà Nẵng", { ranking });
    assert.equal(hit?.summary, summary, ranking);
  }
  assert.equal((await memory.search("agenda", { ranking: "best" }))[0].summary, summary);
  // A short content may have one, too, and keeps itself.
  const short = await memory.add("Budget 2026: 40,000", { summary: "The budget" });
  assert.equal((await memory.get(short.id)).content, "Budget 2026: 40,000");
  assert.equal(short.summary, "The budget");
});

test("X5: a summary of one's own stays until it or the content is changed, and is in the history", async () => {
  const memory = await open();
  const { id } = await memory.add(MINUTES, { summary: "first" });
  assert.equal((await memory.update(id, { tags: ["board"] })).summary, "first");
  assert.equal((await memory.update(id, { namespace: "long-term" })).summary, "first");
  assert.equal((await memory.update(id, { summary: "second" })).summary, "second");
  assert.equal((await memory.get(id)).content, MINUTES);
  const changed = await memory.update(id, { content: "All of it is void" });
  assert.equal(
    changed.summary,
    "All of it is void",
    "what was said of another content is not said of this one",
  );
  const both = await memory.update(id, { content: MINUTES, summary: "third" });
  assert.equal(both.summary, "third");
  const history = await memory.history(id);
  assert.deepEqual(
    history.map(({ summary }) => summary),
    ["first", "first", "first", "second", "All of it is void"],
  );
  assert.equal(history[3].content, MINUTES);
});

test("X5: a summary is not empty and no longer than its namespace allows", async () => {
  const memory = await open({ config: { namespaces: { notes: { maxSummaryChars: 20 } } } });
  const { id } = await memory.add("x");
  for (const summary of ["", "  ", "x".repeat(1201), 7]) {
    for (const call of [() => memory.add("x", { summary }), () => memory.update(id, { summary })]) {
      await assert.rejects(call(), (error) => {
        assert.ok(error instanceof MemoryError, `${error}`);
        assert.equal(error.field, "summary");
        assert.ok(["invalid-input", "too-large"].includes(error.code));
        return true;
      });
    }
  }
  await assert.rejects(memory.add("x", { namespace: "notes", summary: "日".repeat(21) }), {
    field: "summary",
  });
  assert.equal((await memory.add("x", { namespace: "notes", summary: "日".repeat(20) })).summary.length, 20);
  assert.equal((await memory.list()).length, 2);
});

test("X5, D9: memoryAdd takes a summary as well", async () => {
  const memory = await open();
  const { memoryAdd, memorySearch } = memoryFunctions(memory);
  const added = await memoryAdd(MINUTES, "long-term", { summary: "Board: Da Nang" });
  assert.equal(added.summary, "Board: Da Nang");
  assert.equal((await memorySearch("Da Nang")).data.results[0].summary, "Board: Da Nang");
  const refused = await memoryAdd("x", "long-term", { summary: "x".repeat(1201) });
  assert.equal(refused.success, false);
  assert.match(refused.error, /summary/);
});

test("X5: a hook writes the summaries of long contents, wherever they come in", async () => {
  const asked = [];
  const summarizeEntry = async (content, request) => {
    asked.push([content, request.maxChars, request.signal instanceof AbortSignal]);
    return `About ${content.slice(0, 7)}`;
  };
  const memory = await open({ summarizeEntry });
  const entry = await memory.add(MINUTES);
  assert.equal(entry.summary, "About Minutes");
  assert.deepEqual(asked, [[MINUTES, 1200, true]]);
  assert.equal((await memory.add("A short one")).summary, "A short one", "which is its own summary");
  assert.equal((await memory.add(MINUTES, { summary: "mine" })).summary, "mine");
  assert.equal(asked.length, 1);
  const other = `Another text. ${MINUTES}`;
  assert.equal((await memory.update(entry.id, { content: other })).summary, "About Another");
  assert.equal((await memory.update(entry.id, { tags: ["a"] })).summary, "About Another");
  assert.equal((await memoryFunctions(memory).memoryAdd(MINUTES)).summary, "About Minutes");
  const called = await memory.call("memory_add", { content: MINUTES });
  assert.equal(JSON.parse(called.text).summary, "About Minutes");
  assert.equal(asked.length, 4);
});

test("X5: a hook that fails, is late or answers nothing usable costs nothing", async () => {
  const bad = [
    async () => Promise.reject(new Error("no model")),
    () => {
      throw new Error("no model");
    },
    async () => undefined,
    async () => "  ",
    async () => "x".repeat(1201),
    () => new Promise(() => {}),
  ];
  for (const summarizeEntry of bad) {
    const errors = [];
    const onSummarizeEntryError = (error) => errors.push(error);
    const memory = await open({ summarizeEntry, onSummarizeEntryError, summarizeEntryTimeout: 20 });
    const entry = await memory.add(MINUTES, { id: "m" });
    assert.ok(MINUTES.startsWith(entry.summary.replace(/\.\.\.$/, "")));
    assert.equal(errors.length, 1, `${summarizeEntry}`);
    assert.equal((await memory.get("m")).content, MINUTES);
    await memory.close();
  }
  await assert.rejects(open({ summarizeEntry: "gpt" }), { name: "MemoryError", field: "summarizeEntry" });
});

test("D2: a search by id gives a preview if it is asked to, as a search by words does", async () => {
  const memory = await open();
  const { memoryAdd, memorySearch } = memoryFunctions(memory);
  const { referenceId } = await memoryAdd(MINUTES);
  const [plain] = (await memorySearch(referenceId)).data.results;
  assert.equal("contentPreview" in plain, false);
  const [byId] = (await memorySearch(referenceId, { includeContent: true })).data.results;
  const [byWords] = (await memorySearch("agenda approved", { includeContent: true })).data.results;
  assert.equal(byId.contentPreview, `${MINUTES.slice(0, 1200)}...`);
  assert.equal(byId.contentPreview, byWords.contentPreview);
  assert.equal("score" in byId, false);
  const always = await open({
    config: { output: { includeContentByDefault: true, contentPreviewChars: 10 } },
  });
  const added = await memoryFunctions(always).memoryAdd("Tên tôi là Ngọc");
  const [short] = (await memoryFunctions(always).memorySearch(added.referenceId)).data.results;
  assert.equal(short.contentPreview, "Tên tôi là...");
});

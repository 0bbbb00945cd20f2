// Many entries at once: `addMany`, overlapping calls that share commits, and imports.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { checkOf, collected, exportOf, importInto } from "./support/portable.mjs";

const config = { namespaces: { "long-term": { maxEntries: 1_000_000 } } };

/** A memory whose commits are counted; `most`: a commit with more operations is refused. */
async function counted(options = {}, most = Number.POSITIVE_INFINITY) {
  const inner = new MemoryStorage().connect();
  const commits = [];
  const storage = {
    get: (...args) => inner.get(...args),
    scan: (...args) => inner.scan(...args),
    close: () => inner.close(),
    async commit(batch) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (batch.ops.length > most) throw new Error("too many operations");
      commits.push(batch.ops.length);
      return inner.commit(batch);
    },
  };
  return { memory: await openMemory({ user: "u-1", storage, config, ...options }), commits };
}

const drafts = (count, more = {}) =>
  Array.from({ length: count }, (_, n) => ({ content: `note number ${n}`, id: `n-${n}`, ...more }));

test("none, one and a hundred thousand", async () => {
  const { memory, commits } = await counted();
  assert.deepEqual(await memory.addMany([]), []);
  const [one] = await memory.addMany([{ content: "Tea at five", id: "tea" }]);
  assert.deepEqual([one.id, one.version], ["tea", 1]);
  const told = [];
  const entries = await memory.addMany(drafts(100_000, { namespace: "long-term" }), {
    onProgress: ({ done, total }) => told.push([done, total]),
  });
  assert.equal(entries.length, 100_000);
  assert.ok(entries.every(({ id }, n) => id === `n-${n}`));
  assert.deepEqual(told.at(0), [1000, 100_000]);
  assert.deepEqual(told.at(-1), [100_000, 100_000]);
  assert.equal(await memory.count("long-term"), 100_000);
  assert.ok(commits.length < 150, `${commits.length} commits`);
  const [hit] = await memory.search("note number 99999");
  assert.equal(hit.id, "n-99999");
  await memory.close();
});

test("a wrong draft among a thousand is named, and nothing is written", async () => {
  const { memory } = await counted();
  const wrong = async (change, field, code = "invalid-input") => {
    const given = drafts(1000);
    Object.assign(given[999], change);
    await assert.rejects(memory.addMany(given), (error) => {
      assert.ok(error instanceof MemoryError);
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.ok(!error.message.includes("note number"), "no content in an error");
      return true;
    });
    assert.equal(await memory.count(), 0);
  };
  await wrong({ content: " " }, "drafts[999].content");
  await wrong({ content: undefined }, "drafts[999].content");
  await wrong({ content: 7 }, "drafts[999].content");
  await wrong({ importance: 2 }, "drafts[999].importance");
  await wrong({ namespace: "nowhere" }, "drafts[999].namespace");
  await wrong({ colour: "red" }, "drafts[999].colour");
  await wrong({ createdAt: "2999-01-01" }, "drafts[999].createdAt");
  await wrong({ validFrom: "2024-02-02", validUntil: "2024-01-01" }, "drafts[999].validUntil");
  await wrong({ id: "n-3" }, "drafts[999].id", "already-exists");
  await assert.rejects(memory.addMany("text"), { code: "invalid-input", field: "drafts" });
  await assert.rejects(memory.addMany([null]), { code: "invalid-input" });
  await assert.rejects(memory.addMany([], { batch: 3 }), { code: "invalid-input", field: "batch" });
  await memory.close();
});

test("a wrong draft in a later part is named by its place among all, and the parts before it stay", async () => {
  const { memory } = await counted();
  const given = drafts(2500, { namespace: "long-term" });
  given[2100] = { content: "" };
  await assert.rejects(memory.addMany(given), (error) => {
    assert.equal(error.field, "drafts[2100].content");
    assert.match(error.message, /drafts\[2100\]/);
    return true;
  });
  assert.equal(await memory.count("long-term"), 2000);
  await memory.close();
});

test("a signal ends it between two parts", async () => {
  const { memory } = await counted();
  const controller = new AbortController();
  const adding = memory.addMany(drafts(3000, { namespace: "long-term" }), {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(adding, { name: "AbortError" });
  assert.equal(await memory.count("long-term"), 1000);
  await memory.close();
});

test("each call of a group has its own answer and its own failure, in their order", async () => {
  const { memory, commits } = await counted();
  const calls = drafts(300).map(({ content, ...draft }) => memory.add(content, draft));
  calls.splice(150, 0, memory.add("taken", { id: "n-7" }));
  calls.push(memory.add("", {}));
  const settled = await Promise.allSettled(calls);
  const failed = settled.flatMap(({ status, reason }, at) =>
    status === "rejected" ? [[at, reason.code]] : [],
  );
  assert.deepEqual(failed, [
    [150, "already-exists"],
    [301, "invalid-input"],
  ]);
  const listed = await memory.list({ limit: 1000 });
  assert.deepEqual(
    listed.map(({ id }) => id).reverse(),
    drafts(300).map(({ id }) => id),
  );
  assert.ok(commits.length < 10, `${commits.length} commits`);
  await memory.close();
});

test("an adapter that takes few operations at a time gets no more", async () => {
  // DynamoDB takes 25 at a time; one that takes a single entry takes its record, its log and no more.
  for (const most of [2, 25, 128]) {
    const { memory, commits } = await counted({}, most);
    await Promise.all(drafts(40).map(({ content, ...draft }) => memory.add(content, draft)));
    await memory.addMany(drafts(60).map(({ content }, n) => ({ content, id: `m-${n}` })));
    assert.equal(await memory.count(), 100);
    assert.ok(Math.max(...commits) <= most);
    await memory.close();
  }
});

test("secrets are replaced, and an embedder and summaries are used", async () => {
  const embedded = [];
  const { memory } = await counted({
    embedder: async (texts) => {
      embedded.push(...texts);
      return texts.map((text) => [text.length, 1, 0]);
    },
    summarizeEntry: async (text) => `in short: ${text.slice(0, 8)}`,
  });
  const long = "a rather long story about the sea ".repeat(60);
  const entries = await memory.addMany([
    { content: "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD", secrets: "redact" },
    { content: long },
  ]);
  assert.deepEqual(entries[0].secrets, ["api key"]);
  assert.equal(entries[1].summary, "in short: a rather");
  assert.equal(embedded.length, 2);
  assert.ok(embedded.every((text) => !text.includes("sk-proj")));
  await memory.close();
});

test("under one idempotency key it is written once", async () => {
  const { memory, commits } = await counted();
  const given = drafts(1500, { namespace: "long-term" });
  const first = await memory.addMany(given, { idempotencyKey: "k-1" });
  const before = commits.length;
  assert.deepEqual(await memory.addMany(given, { idempotencyKey: "k-1" }), first);
  assert.equal(commits.length, before);
  await assert.rejects(memory.addMany(drafts(2), { idempotencyKey: "k-1" }), { field: "idempotencyKey" });
  await memory.close();
});

test("an entry may keep the time at which it was first stored", async () => {
  const { memory } = await counted();
  const createdAt = "2024-05-06T07:08:09.000Z";
  const [entry] = await memory.addMany([{ content: "from elsewhere", createdAt, namespace: "long-term" }]);
  assert.deepEqual([entry.createdAt, entry.updatedAt, entry.at], [createdAt, createdAt, createdAt]);
  assert.equal((await memory.add("also", { createdAt, namespace: "long-term" })).createdAt, createdAt);
  await memory.close();
});

/** An empty memory that counts the calls of an import or export, and how many reads of entries overlap at most. */
async function watched(options) {
  const { memory, commits } = await counted(options);
  const calls = { get: 0, history: 0, addMany: 0, add: 0, append: 0, overlapping: 0 };
  const overlap = (name, call) => {
    let running = 0;
    memory[name] = async (...args) => {
      calls[name] += 1;
      running += 1;
      calls.overlapping = Math.max(calls.overlapping, running);
      return call.apply(memory, args).finally(() => {
        running -= 1;
      });
    };
  };
  const { get, history, addMany, add, session } = memory;
  overlap("get", get);
  overlap("history", history);
  memory.addMany = (...args) => {
    calls.addMany += 1;
    return addMany.apply(memory, args);
  };
  memory.add = (...args) => {
    calls.add += 1;
    return add.apply(memory, args);
  };
  memory.session = (...args) => {
    const of = session.apply(memory, args);
    const { append } = of;
    of.append = (...said) => {
      calls.append += 1;
      return append.apply(of, said);
    };
    return of;
  };
  return { memory, commits, calls };
}

const header = JSON.stringify({ kind: "keepsake", version: 1, user: "u-1", namespaces: ["long-term"] });
const entryLine = (id, more = {}) => {
  const [times, none] = ["2026-01-01T00:00:00.000Z", { tags: [], importance: 0, metadata: {} }];
  const entry = { id, content: `Number ${id}`, namespace: "long-term", trust: "normal", ...none, ...more };
  const whole = { ...entry, at: times, updatedAt: times, expiresAt: "2096-01-01T00:00:00.000Z" };
  return JSON.stringify({ kind: "entry", entry: whole, before: [] });
};
const entryLines = (from, to) => Array.from({ length: to - from }, (_, n) => entryLine(`e-${from + n}`));
const numbers = (from, to) => Array.from({ length: to - from }, (_, n) => from + n);

/** The lines of 1,000 messages in sessions of 100, each with a title. */
async function talk() {
  let clock = Date.parse("2024-03-01T08:00:00Z");
  const now = () => {
    clock += 1000;
    return clock;
  };
  const { memory } = await counted({ now });
  for (let s = 0; s < 10; s += 1) {
    const session = memory.session(`s-${s}`, { compression: false });
    await session.append({ role: "user", content: "the first" });
    await session.setTitle(`talk ${s}`);
    for (let n = 0; n < 99; n += 33) {
      await session.append(numbers(n, n + 33).map((n) => ({ role: "user", content: `message ${n}` })));
    }
  }
  const lines = await exportOf(memory);
  await memory.close();
  return lines;
}

test("F43 a fresh import writes the messages of a session in two appends, and a second one none", async () => {
  const lines = await talk();
  let clock;
  const { memory, calls, commits } = await watched({ now: () => clock ?? Date.now() });
  const at = (time) => {
    clock = time === undefined ? undefined : Date.parse(time);
  };
  const first = await importInto(memory, lines, { at });
  assert.deepEqual([first.error, first.taken, first.kept], [undefined, { session: 10, message: 1000 }, {}]);
  assert.deepEqual(first.reported, numbers(2, 1012));
  assert.ok(calls.append <= 20, `${calls.append} appends`);
  assert.deepEqual(await exportOf(memory), lines);

  const [before, appends] = [commits.length, calls.append];
  const again = await importInto(memory, lines, { at });
  assert.deepEqual([again.error, again.taken, again.kept], [undefined, {}, { session: 10, message: 1000 }]);
  assert.deepEqual([commits.length, calls.append], [before, appends], "nothing was written");
  await memory.close();
});

test("F43 messages after those that a fork copied are imported together", async () => {
  const { memory: from } = await counted();
  const session = from.session("s-1", { compression: false });
  await session.append(numbers(0, 100).map((n) => ({ id: `m-${n}`, role: "user", content: `message ${n}` })));
  const fork = await session.fork({ at: "m-49", to: "s-2" });
  await fork.append(numbers(0, 50).map((n) => ({ role: "user", content: `other ${n}` })));
  const lines = await exportOf(from);
  const { memory, calls } = await watched();
  const { taken, kept, error } = await importInto(memory, lines);
  assert.deepEqual([error, taken, kept], [undefined, { session: 2, message: 200 }, {}]);
  assert.equal(calls.append, 3);
  const contents = async (of) => (await collected(of.session("s-2").all())).map(({ content }) => content);
  assert.deepEqual(await contents(memory), await contents(from));
  await memory.close();
  await from.close();
});

test("F43 a fresh import of entries reads none of them, and a second one changes nothing", async () => {
  const { memory, calls, commits } = await watched();
  const lines = [header, ...entryLines(0, 1000)];
  const first = await importInto(memory, lines);
  assert.deepEqual([first.error, first.taken, first.kept], [undefined, { entry: 1000 }, {}]);
  assert.deepEqual(first.reported, numbers(2, 1002));
  assert.deepEqual([calls.get, calls.add], [0, 0]);
  assert.ok(calls.addMany <= 4, `${calls.addMany} calls of addMany`);

  const before = [commits.length, await exportOf(memory)];
  calls.overlapping = 0;
  const again = await importInto(memory, lines);
  assert.deepEqual([again.error, again.taken, again.kept], [undefined, {}, { entry: 1000 }]);
  assert.ok(calls.overlapping <= 16, `${calls.overlapping} reads at a time`);
  assert.deepEqual([commits.length, await exportOf(memory)], before, "nothing was written");
  await memory.close();
});

test("F43 an import keeps entries that exist, wherever they are in it", async () => {
  const { memory, calls } = await watched();
  const own = { namespace: "long-term" };
  await memory.addMany([{ content: "mine", id: "e-700", ...own }]);
  await memory.add("my city", { id: "e-800", key: "city", ...own });
  await memory.add("my name", { id: "other", key: "name", ...own });
  calls.add = 0;
  const lines = [header, ...entryLines(0, 1000)];
  lines[801] = entryLine("e-800", { key: "city" });
  lines[901] = entryLine("e-900", { key: "town" });
  const first = await importInto(memory, lines);
  assert.deepEqual([first.error, first.taken, first.kept], [undefined, { entry: 998 }, { entry: 2 }]);
  assert.deepEqual(first.reported, numbers(2, 1002));
  assert.ok(calls.overlapping <= 16, `${calls.overlapping} reads at a time`);
  assert.equal(calls.add, 0);
  assert.equal((await memory.get("e-700")).content, "mine");
  const { content, version } = await memory.get("e-800");
  assert.deepEqual([content, version], ["my city", 1]);

  // An id that comes twice, in one group and in another, a key of another entry, and an entry that is there with its key.
  const id = entryLine("e-2000");
  const more = [
    ...[header, id, id, ...entryLines(2001, 2600), id, entryLine("e-3000", { key: "name" })],
    entryLine("e-900", { key: "town", content: "another town" }),
  ];
  const second = await importInto(memory, more);
  assert.deepEqual([second.error, second.taken, second.kept], [undefined, { entry: 600 }, { entry: 4 }]);
  assert.deepEqual(await memory.history("e-900"), []);
  assert.equal(await memory.get("e-3000"), null);
  await memory.close();
});

test("F43 an import asks for no summary of an entry that exists", async () => {
  let asked = 0;
  const summarizeEntry = async (content) => {
    asked += 1;
    return content.slice(0, 20);
  };
  const { memory } = await watched({ summarizeEntry });
  const content = "A sentence of some length. ".repeat(100);
  const lines = [header, ...numbers(0, 600).map((n) => entryLine(`e-${n}`, { content: `${n}: ${content}` }))];
  await importInto(memory, lines);
  assert.equal(asked, 600);
  const { kept } = await importInto(memory, lines);
  assert.deepEqual([kept, asked], [{ entry: 600 }, 600]);
  await memory.close();
});

test("F43 an invalid line is named by its number, and the lines before it are imported", async () => {
  const message = (id, more = {}) =>
    JSON.stringify({ kind: "message", message: { id, role: "user", content: `message ${id}`, ...more } });
  const session = JSON.stringify({ kind: "session", session: { id: "s-1", title: "a talk" } });
  const messages = (from, to) => numbers(from, to).map((n) => message(`m-${n}`));
  const before = '"before":[]';
  const cases = [
    [[...entryLines(0, 50), entryLine("x", { content: " " }), ...entryLines(50, 60)], 50, /content/],
    [[...entryLines(0, 50), entryLine(undefined), ...entryLines(50, 60)], 50, /id/],
    [[...entryLines(0, 50), `{"kind":"entry",${before}}`, ...entryLines(50, 60)], 50, /something is missing/],
    [[...entryLines(0, 50), "{", ...entryLines(50, 60)], 50, /is not JSON/],
    [[session, ...messages(0, 50), message("x", { role: "boss" }), ...messages(50, 60)], 51, /role/],
    [[session, ...messages(0, 50), '{"kind":"message"}', ...messages(50, 60)], 51, /something is missing/],
    [[session, message("x", { role: "boss" }), ...messages(0, 60)], 1, /role/],
    [[session.replace("a talk", "\\ud800"), ...messages(0, 60)], 1, /title/],
    [[...messages(0, 60)], 0, /a message precedes its session/],
  ];
  for (const [lines, good, reason] of cases) {
    const { memory } = await watched();
    const { error, reported } = await importInto(memory, [header, ...lines]);
    assert.match(error.message, new RegExp(`^line ${good + 2}\\b`));
    assert.match(error.message, reason);
    assert.deepEqual(reported, numbers(2, good + 2));
    await memory.close();
  }
});

test("F43 a cancelled import ends between two lines, and what it reported is written", async () => {
  for (const lines of [[header, ...entryLines(0, 1200)], await talk()]) {
    const { memory } = await watched();
    const controller = new AbortController();
    const onLine = (number) => number === 600 && controller.abort();
    const { taken, reported, error } = await importInto(memory, lines, { onLine, signal: controller.signal });
    assert.equal(error.name, "AbortError");
    assert.ok(reported.length >= 599 && reported.length < 1100, `${reported.length} lines`);
    const { entry = 0, session = 0, message = 0 } = taken;
    assert.equal(entry + session + message, reported.length);
    const said = (await memory.sessions()).reduce((sum, { messages }) => sum + messages, 0);
    assert.deepEqual([await memory.count(), said], [entry, message]);
    await memory.close();
  }
});

test("F43 an import into an adapter that takes few operations at a time", async () => {
  const [entries, messages] = [[header, ...entryLines(0, 100)], await talk()];
  const { memory } = await counted({}, 128);
  const first = await importInto(memory, entries);
  const second = await importInto(memory, messages);
  assert.deepEqual([first.error, first.taken], [undefined, { entry: 100 }]);
  assert.deepEqual(
    [second.error, second.taken, second.kept],
    [undefined, { session: 10, message: 1000 }, {}],
  );
  await memory.close();
});

test("F43 long lines are imported in smaller groups", async () => {
  const { memory, calls } = await watched();
  const lines = numbers(0, 40).map((n) => entryLine(`e-${n}`, { content: `${n} ${"x".repeat(100_000)}` }));
  const { taken } = await importInto(memory, [header, ...lines]);
  assert.deepEqual(taken, { entry: 40 });
  assert.ok(calls.addMany >= 10 && calls.get === 0, JSON.stringify(calls));
  await memory.close();
});

test("F43 an export reads several entries at a time, in their order", async () => {
  const { memory, calls } = await watched();
  await memory.addMany(drafts(100, { namespace: "long-term" }));
  await memory.update("n-50", { content: "changed" });
  calls.overlapping = 0;
  const [, ...lines] = (await exportOf(memory)).slice(0, -1).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ entry }) => entry.id).sort(),
    drafts(100)
      .map(({ id }) => id)
      .sort(),
  );
  assert.deepEqual(
    lines.flatMap(({ entry, before }) => (before.length > 0 ? [[entry.content, before[0].content]] : [])),
    [["changed", "note number 50"]],
  );
  const order = (await memory.list({ limit: 1000 })).map(({ id }) => id).reverse();
  assert.deepEqual(
    lines.map(({ entry }) => entry.id),
    order,
  );
  assert.ok(calls.overlapping > 1 && calls.overlapping <= 16, `${calls.overlapping} reads at a time`);
  await memory.close();
});

test("F43 the host has its turns while a long export is checked", async () => {
  const { memory } = await watched();
  const content = "x".repeat(100_000);
  await memory.addMany(Array.from({ length: 30 }, () => ({ content, namespace: "long-term" })));
  const lines = await exportOf(memory);
  let turns = 0;
  let checking = true;
  const turn = () => {
    turns += 1;
    if (checking) setImmediate(turn);
  };
  setImmediate(turn);
  const { complete } = await checkOf(lines);
  checking = false;
  assert.equal(complete, true);
  assert.ok(turns >= 10, `${turns} turns`);
  await memory.close();
});

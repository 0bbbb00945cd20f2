// Fuzzing through the built package: HTTP requests, tool calls, folders that are synced, files of the storage. Each input
// follows from its number, and is held to a property. `KEEPSAKE_FUZZ=100000` makes it longer, `KEEPSAKE_FUZZ_FROM` begins later.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { memoryApi } from "keepsake/http";
import { LogFile } from "../../target/web-testing/inner-node.js";
import { commit, found, newPath } from "./support/jsonl.mjs";

const INPUTS = Number(process.env.KEEPSAKE_FUZZ ?? 2000);
const FROM = Number(process.env.KEEPSAKE_FUZZ_FROM ?? 0);

const ODD = [
  "", " ", ".", "..", "/", "\\", "%2e%2e", "%00", "\u0000", "\ufeff", "\u200b", "\u202e", "e\u0301", "é", "👩‍🚀", "日本語",
  "việt", "__proto__", "constructor", "toString", "\ud800", "</memory>", "system:", "-0", "null", "a".repeat(3000),
]; // biome-ignore format: one line a dozen
const VALUES = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  -0,
  2 ** 53,
  [],
  {},
  [[]],
  "x",
  "1",
  { __proto__: null, a: 1 },
];

/** Randomness of one input (mulberry32). */
function dice(input) {
  let state = (input * 0x9e3779b9 + 0x7f4a7c15) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit) => next() % Math.max(1, limit);
  const choose = (list) => list[below(list.length)];
  return { next, below, choose, chance: (many) => below(many) === 0 };
}

/** A value made of `value`: fields gone, renamed, of another type, with odd texts. */
function twisted(value, one) {
  const other = () => (one.chance(2) ? one.choose(ODD) : structuredClone(one.choose(VALUES)));
  if (Array.isArray(value) && value.length > 0 && !one.chance(6)) {
    const at = one.below(value.length);
    return one.chance(4) ? [...value, ...value] : value.with(at, twisted(value[at], one));
  }
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0 && !one.chance(6)) {
    const name = one.choose(Object.keys(value));
    const { [name]: held, ...rest } = value;
    if (one.chance(6)) return rest;
    if (one.chance(6)) return { ...rest, [one.choose(ODD)]: held };
    return { ...value, [name]: twisted(held, one) };
  }
  if (typeof value === "string" && one.chance(2)) {
    const at = one.below(value.length + 1);
    return value.slice(0, at) + one.choose(ODD) + value.slice(at);
  }
  return other();
}

function damaged(bytes, one) {
  let out = Buffer.from(bytes);
  for (let times = 1 + one.below(3); times > 0; times--) {
    const at = one.below(out.length);
    const to = at + one.below(out.length - at);
    const cases = [
      () => out.subarray(0, at),
      () => Buffer.concat([out.subarray(0, at), out.subarray(to)]),
      () => Buffer.concat([out.subarray(0, to), out.subarray(at)]),
      () => Buffer.concat([out.subarray(0, at), Buffer.from([one.next() & 255]), out.subarray(at)]),
    ];
    if (out.length > 0 && one.chance(2)) out[at] ^= 1 << one.below(8);
    else out = Buffer.from(one.choose(cases)());
  }
  return out;
}

/** Runs inputs one after the other; an error says which one it was. */
async function fuzz(count, run) {
  for (let input = FROM; input < FROM + Math.ceil(count); input++) {
    try {
      await run(dice(input), input);
    } catch (error) {
      error.message = `input ${input}: ${error.message}`;
      throw error;
    }
  }
}

const REQUESTS = [
  ["POST", "/v1/entries", { content: "tea", tags: ["a"], importance: 0.5, metadata: { a: 1 }, ttl: 1000 }],
  ["GET", "/v1/entries?limit=3"],
  ["GET", "/v1/entries/e-1"],
  ["PATCH", "/v1/entries/e-1", { content: "coffee" }],
  ["DELETE", "/v1/entries/e-1"],
  ["POST", "/v1/search", { query: "tea", limit: 3, namespace: "x" }],
  ["GET", "/v1/stats"],
  ["POST", "/v1/sessions/s-1/messages", { messages: [{ role: "user", content: "hi" }] }],
  ["GET", "/v1/sessions/s-1/messages?limit=2"],
  ["POST", "/v1/sessions/s-1/context", { budgetTokens: 500, query: "tea" }],
  ["DELETE", "/v1/sessions/s-1"],
];

test("S4 S20 any request is answered with a status below 500, in JSON, and with nothing of another user", async () => {
  const storage = new MemoryStorage();
  const memories = new Map();
  for (const user of ["ann", "bob"])
    memories.set(user, await openMemory({ user, storage: storage.connect() }));
  const marker = "quetzal-of-bob";
  await memories.get("bob").add(`${marker} tea hi`, { id: "e-1" });
  await memories
    .get("bob")
    .session("s-1")
    .append({ role: "user", content: `${marker} hi` });
  const authorize = (token) => (memories.has(token) ? token : undefined);
  const api = memoryApi({ authorize, memory: (user) => memories.get(user), requestsPerMinute: 1e9 });
  await fuzz(INPUTS * 0.4, async (one) => {
    let [method, path, body] = one.choose(REQUESTS);
    if (one.chance(4)) method = one.choose(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
    if (one.chance(3))
      path = path.replace(/[es]-1|limit=\d|v1/, () => encodeURI(one.choose(ODD).toWellFormed()));
    if (one.chance(6))
      path += `${one.choose(["/", "?", "&", "#", "//"])}${encodeURIComponent(one.choose(ODD).toWellFormed())}`;
    for (let times = one.below(4); times > 0 && body !== undefined; times--) body = twisted(body, one);
    let text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined && one.chance(5)) text = damaged(Buffer.from(text), one);
    const headers = {
      Authorization: one.chance(12) ? one.choose(["", "Bearer", "Bearer x", "Basic ann"]) : "Bearer ann",
    };
    if (one.chance(4)) headers["Idempotency-Key"] = one.choose(["k-1", "k-2", "x".repeat(300)]);
    if (one.chance(5))
      headers["Content-Type"] = one.choose(["text/plain", "application/json; charset=utf-16", "x"]);
    const sent = {
      method,
      headers,
      ...(text !== undefined && !/^(GET|HEAD)$/.test(method) && { body: text }),
    };
    let request;
    try {
      request = new Request(`http://memory.example${path}`, sent);
    } catch {
      return; // No client can send it.
    }
    const response = await api(request);
    const answer = await response.text();
    assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${answer}`);
    assert.ok(!answer.includes(marker), `${method} ${path} shows what is bob's`);
    if (answer !== "") {
      const json = JSON.parse(answer);
      if (response.status >= 400)
        assert.equal(typeof json.error.code, "string", `${method} ${path}: ${answer}`);
    }
  });
  assert.equal((await memories.get("bob").get("e-1")).content, `${marker} tea hi`);
  assert.equal((await memories.get("ann").log.verify()).ok, true);
  for (const memory of memories.values()) await memory.close();
});

test("F28 S7 S8 whatever a model calls a tool with, it gets an answer, and the memory stays in order", async () => {
  const memory = await openMemory({ user: "u-1", storage: "memory" });
  const tools = await memory.tools("openai");
  const seed = ({ type, properties, items, enum: words }) => {
    if (words) return words[0];
    if (properties) {
      return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, seed(inner)]));
    }
    const kind = Array.isArray(type) ? type[0] : type;
    return (
      { string: "tea", integer: 2, number: 0.5, boolean: true, array: items ? [seed(items)] : [] }[kind] ?? {}
    );
  };
  await fuzz(INPUTS * 0.3, async (one) => {
    const { name, parameters } = one.choose(tools).function;
    let args = seed(parameters);
    for (let times = one.below(4); times > 0; times--) args = twisted(args, one);
    const given = one.chance(3) ? JSON.stringify(args) : args;
    const called = one.chance(20) ? one.choose(ODD) : name;
    const { text, isError } = await memory.call(called, given);
    assert.equal(typeof isError, "boolean");
    assert.ok(text.isWellFormed(), `${called} ${JSON.stringify(args)}`);
  });
  assert.equal((await memory.log.verify()).ok, true);
  assert.equal({}.a, undefined, "no prototype was changed");
  await memory.close();
});

/** A folder that is a map. */
function mapFolder(files) {
  const held = new Map(Object.entries(files));
  return {
    held,
    list: async () => [...held.keys()],
    read: async (path) => new TextEncoder().encode(held.get(path)),
    write: async (path, bytes) =>
      void held.set(path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)),
    remove: async (path) => void held.delete(path),
  };
}

const NAMES = [
  "a.md", "B.md", "b.md", "notes", "..", ".", "", " x.md", "x.md.", ".git", ".GIT", "git~1", ".gi\u200ct", "node_modules",
  "Node_Modules", "aux.md", "a:b.md", "c\\d.md", "%2e%2e", "é.md", "e\u0301.md", ".keepsake.json", "．git", "\u0000",
]; // biome-ignore format: one line a dozen

test("S6 S12 a sync writes no path that leaves its folder or that other programs act on, and a second one does nothing", async () => {
  await fuzz(INPUTS * 0.1, async (one) => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    const path = () => Array.from({ length: 1 + one.below(3) }, () => one.choose(NAMES)).join("/");
    for (let times = one.below(5); times > 0; times--) {
      await memory.files.write(path(), `# ${one.choose(ODD)}\n`).catch((error) => {
        assert.ok(error instanceof MemoryError && error.code === "invalid-input", String(error));
      });
    }
    const there = Object.fromEntries(
      Array.from({ length: one.below(5) }, () => [path(), `${one.choose(ODD).toWellFormed()}\n`]),
    );
    const folder = mapFolder(there);
    const own = new Set((await memory.files.list()).map(({ path }) => path));
    await memory.files.sync(folder);
    const written = [...folder.held.keys()].filter((name) => !(name in there) && name !== ".keepsake.json");
    for (const name of written) {
      const parts = name.split("/");
      assert.ok(
        parts.every((part) => part !== "" && !/^\.*$|[\\:\0]|[. ]$/.test(part)),
        name,
      );
      const plain = parts.map((part) =>
        part
          .normalize("NFKC")
          .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
          .toLowerCase(),
      );
      assert.ok(!plain.some((part) => /^(\.git|node_modules|git~\d|aux.*)$/.test(part)), name);
    }
    for (const [name, text] of Object.entries(there)) {
      // The record of a sync is our own, and a file that both have is merged.
      if (name !== ".keepsake.json" && !own.has(name))
        assert.equal(folder.held.get(name), text, `${name} stays`);
    }
    const { skipped: _, ...again } = await memory.files.sync(folder);
    for (const [what, list] of Object.entries(again)) assert.deepEqual(list, [], `a second sync: ${what}`);
    await memory.close();
  });
});

test("F40 a file of the storage that was damaged is refused, or says what it said up to the damage", async () => {
  const path = await newPath();
  const file = new LogFile(path);
  const keys = ["một", "two", "三", "four"];
  for (const key of keys) await commit(file, key);
  await file.close();
  const whole = await readFile(path);
  await fuzz(INPUTS * 0.2, async (one) => {
    await writeFile(path, damaged(whole, one));
    let seen;
    try {
      seen = await found(path);
    } catch (error) {
      assert.ok(error instanceof Error && ["corrupt", "newer-version"].includes(error.code), String(error));
      return;
    }
    const names = Object.keys(seen);
    for (const [name, value] of Object.entries(seen)) assert.equal(value, name);
    assert.deepEqual(
      [...names].sort(),
      keys.slice(0, names.length).sort(),
      "a beginning of what was written",
    );
  });
});

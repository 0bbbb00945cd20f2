// Memories on Cloudflare's own runtime: the storage's contract, objects, their alarms, and snapshots in KV.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { transform } from "esbuild";
import { CASES } from "./support/contract.mjs";
import { edge, tokenOf, tokensOf } from "./support/edge.mjs";
import { blocks, pageText } from "./support/pages.mjs";

const START_LIMIT_MS = 120_000;
const ANSWER_LIMIT_MS = 60_000;
const limit = { timeout: ANSWER_LIMIT_MS };

/** What runs in the runtime: objects that do what a request names, with all that the package has for them. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import { durableObjectStorage, kvStorage, MemoryObject, memoryOf, publishSnapshot } from "keepsake/cloudflare";
import testing from "../../target/web-testing/keepsake.wasm";
import { contractIn } from "./support/contract-run.mjs";
import { run } from "./support/scenario.mjs";

const fault = (error) => ({ name: error.name, code: error.code, field: error.field, message: error.message });
const of = (promise) => promise.then(() => "fine", fault);

/** A namespace of KV by its shape, to be broken. */
function kv(map, { lose = [] } = {}) {
  return {
    get: async (key) => (lose.some((part) => key.includes(part)) ? null : (map.get(key)?.slice().buffer ?? null)),
    put: async (key, value) => void map.set(key, new Uint8Array(value)),
  };
}

export class Storage extends DurableObject {
  async fetch(request) {
    const [, what] = new URL(request.url).pathname.split("/");
    return Response.json(await this[what](request));
  }

  contract() {
    return contractIn(testing, (name) => durableObjectStorage(this.ctx.storage, { table: name }));
  }

  /** The same with a storage that does not look at the guard: the contract has to notice. */
  broken() {
    return contractIn(testing, (name) => {
      const storage = durableObjectStorage(this.ctx.storage, { table: "broken_" + name });
      const commit = async (batch) => {
        const [expected] = await storage.get("meta", [batch.guard]);
        return storage.commit({ ...batch, expected });
      };
      return { ...storage, commit };
    });
  }

  async scenario(request) {
    const { name, scenario } = await request.json();
    const table = "s_" + name.replace(/\\W/g, "_");
    const connect = () => durableObjectStorage(this.ctx.storage, { table });
    return run(scenario, (rest) => openMemory({ ...rest, storage: connect() }), connect);
  }

  /** Values around the size of a piece, longer and shorter in turn, and how many rows they take. */
  async large() {
    const storage = durableObjectStorage(this.ctx.storage, { table: "large" });
    const key = new Uint8Array([1]);
    const seen = [];
    let expected;
    for (const [at, length] of [0, 1, 999_999, 1_000_000, 1_000_001, 7_654_321, 2, 2_000_000].entries()) {
      const value = new Uint8Array(length).map((_, n) => (n * 31 + at) % 251);
      const next = new Uint8Array([at + 1]);
      const op = { type: "put", space: "bodies", key, value };
      await storage.commit({ guard: new Uint8Array([9]), expected, next, ops: [op], durability: "strict" });
      expected = next;
      const [got] = await storage.get("bodies", [key]);
      const { items, next: more } = await storage.scan("bodies", { start: new Uint8Array() }, 1);
      const same = (other) => other.length === length && other.every((byte, n) => byte === value[n]);
      const sql = "SELECT COUNT(*) AS rows FROM large WHERE space = 2";
      seen.push([length, same(got), items.length === 1 && same(items[0][1]), more === undefined, this.ctx.storage.sql.exec(sql).one().rows]);
    }
    return seen;
  }

  /** A batch whose last change cannot be made: nothing of it may be there. */
  async halfway() {
    const storage = durableObjectStorage(this.ctx.storage, { table: "halfway" });
    const put = (key, value) => ({ type: "put", space: "records", key: new Uint8Array([key]), value });
    const ops = [put(1, new Uint8Array([1])), put(2, { length: 1, subarray: () => Symbol("no bytes") })];
    const guard = new Uint8Array([9]);
    const failed = await of(storage.commit({ guard, expected: undefined, next: guard, ops, durability: "relaxed" }));
    const { items } = await storage.scan("records", { start: new Uint8Array() }, 10);
    return { failed: failed !== "fine", left: items.length, guard: (await storage.get("meta", [guard]))[0] === undefined };
  }

  async refused() {
    const tables = ["", "a b", "a;DROP TABLE keepsake", "1a", "x".repeat(64), "é", 7, null];
    const tried = (work) => { try { work(); return "fine"; } catch (error) { return fault(error); } };
    return {
      tables: tables.map((table) => tried(() => durableObjectStorage(this.ctx.storage, { table }))),
      storages: [undefined, null, {}, { sql: {} }].map((storage) => tried(() => durableObjectStorage(storage))),
    };
  }

  /** The runtime's own binding to KV, on both sides. */
  async realKv() {
    const source = durableObjectStorage(this.ctx.storage, { table: "real" });
    const memory = await openMemory({ user: "u", storage: source });
    await memory.add("Deploy keys rotate on Mondays", { id: "keys" });
    const none = await openMemory({ user: "u", storage: kvStorage(this.env.KV, { name: "a/b ü" }) });
    await publishSnapshot(durableObjectStorage(this.ctx.storage, { table: "real" }), this.env.KV, { name: "a/b ü" });
    const copy = await openMemory({ user: "u", storage: kvStorage(this.env.KV, { name: "a/b ü" }) });
    return {
      none: await none.count(),
      content: (await copy.get("keys")).content,
      hits: (await copy.search("deploy keys")).map(({ id }) => id),
      add: (await of(copy.add("refused"))).code,
    };
  }

  async kv() {
    const map = new Map();
    const storage = durableObjectStorage(this.ctx.storage, { table: "published" });
    const memory = await openMemory({ user: "u", storage });
    await memory.add("Deploy keys rotate on Mondays", { id: "keys" });
    const source = () => durableObjectStorage(this.ctx.storage, { table: "published" });
    await publishSnapshot(source(), kv(map));
    const adapter = kvStorage(kv(map));
    const copy = await openMemory({ user: "u", storage: adapter });
    const seen = {
      consistency: adapter.consistency,
      content: (await copy.get("keys")).content,
      hits: (await copy.search("deploy keys")).map(({ id }) => id),
      add: await of(copy.add("refused")),
      empty: (await (await openMemory({ user: "u", storage: kvStorage(kv(new Map())) })).list()).length,
    };
    // While somebody writes all the time, a snapshot is still one state.
    let writing = true;
    const others = (async () => { for (let n = 0; writing && n < 20; n++) await memory.add("note " + n); })();
    await publishSnapshot(source(), kv(map), { name: "second" });
    writing = false;
    await others;
    seen.before = await copy.count();
    const second = await openMemory({ user: "u", storage: kvStorage(kv(map), { name: "second" }) });
    seen.whole = (await second.log.verify()).ok;
    const pointer = [...map.keys()].find((name) => !name.includes("/"));
    const piece = [...map.keys()].find((name) => name.includes("/"));
    const opened = (map, how) => of(openMemory({ user: "u", storage: kvStorage(kv(map, how)) }));
    seen.late = await opened(map, { lose: ["/0"] });
    const changed = (name, bytes) => new Map([...map, [name, bytes]]);
    const words = (text) => new TextEncoder().encode(text);
    seen.noPointer = await opened(changed(pointer, words("{")));
    seen.newer = await opened(changed(pointer, words('{"version":2}')));
    seen.cut = await opened(changed(piece, map.get(piece).subarray(0, -1)));
    const tried = async (work) => { try { await work(); return "fine"; } catch (error) { return fault(error); } };
    seen.refused = [
      await tried(() => kvStorage(undefined)),
      await tried(() => kvStorage(kv(map), { name: "" })),
      await tried(() => kvStorage(kv(map), { name: "x".repeat(257) })),
      await tried(() => publishSnapshot(source(), kv(map), { keepSeconds: 59 })),
    ];
    return seen;
  }
}

/** Wakes up at once, so that a test need not wait for a day. */
export class Eager extends MemoryObject {
  settings() {
    return { maintenanceEvery: 1, requestsPerMinute: 1_000_000 };
  }
  /** For RPC. */
  async contents() {
    const memory = await this.memory();
    return Promise.all((await memory.list()).map(async ({ id }) => (await memory.get(id)).content));
  }
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/rows") {
      const rows = this.ctx.storage.sql.exec("SELECT COUNT(*) AS rows FROM keepsake WHERE space = 1").one().rows;
      return Response.json({ rows, alarm: await this.ctx.storage.getAlarm() });
    }
    if (pathname === "/empty") {
      await this.ctx.storage.deleteAll();
      return Response.json({});
    }
    return super.fetch(request);
  }
}

const routes = {
  async client(env) {
    const memory = memoryOf(env.EAGER, "client");
    const entry = await memory.add("Ann likes tea", { tags: ["ann"] });
    const read = await memory.get(entry.id);
    await memory.update(entry.id, { importance: 1 });
    const talk = memory.session("s");
    await talk.append([{ role: "user", content: "hello" }, { role: "assistant", content: "hi" }]);
    const box = memory.collection("box");
    await box.set("a/b", { n: 1 });
    return {
      content: read.content,
      version: (await memory.get(entry.id)).version,
      hits: (await memory.search("tea")).map(({ id }) => id === entry.id),
      said: (await talk.messages()).messages.map(({ role }) => role),
      value: await box.get("a/b"),
      others: await memoryOf(env.EAGER, "another").count(),
      called: await env.EAGER.get(env.EAGER.idFromName("client")).contents(),
      missing: await memory.get("no such id"),
      refused: await of(memory.add("x", { importance: 2 })),
      user: await of((async () => memoryOf(env.EAGER, ""))()),
      namespace: await of((async () => memoryOf({}, "u"))()),
    };
  },
};

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const [, kind, ...rest] = pathname.split("/");
    if (kind === "client") return Response.json(await routes.client(env));
    const binding = kind === "eager" ? env.EAGER : env.STORAGE;
    const [name, ...path] = rest;
    const stub = binding.get(binding.idFromName(name));
    return stub.fetch(new Request("https://object/" + path.join("/"), request));
  },
};
`;

/** What keeps the values of KV behind the runtime's binding: it is told them over HTTP. */
const kept = new Map();
const keeper = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://keeper");
  if (request.method === "PUT") {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    kept.set(pathname, Buffer.concat(pieces));
    response.end();
  } else if (kept.has(pathname)) response.end(kept.get(pathname));
  else response.writeHead(404).end();
});

let runtime;
before(
  async () => {
    keeper.listen(0, "127.0.0.1");
    await once(keeper, "listening");
    const kv = { KV: `127.0.0.1:${keeper.address().port}` };
    runtime = await edge({ source: WORKER, classes: { STORAGE: "Storage", EAGER: "Eager" }, kv });
  },
  { timeout: START_LIMIT_MS },
);
after(() => {
  runtime?.remove();
  keeper.closeAllConnections();
  keeper.close();
});

async function ask(path, { method = "POST", body } = {}) {
  const response = await fetch(`${runtime.url}/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path}: HTTP ${response.status} ${text}\n${runtime.complaints}`);
  return JSON.parse(text);
}

test("the store contract holds for the database of a Durable Object", limit, async () => {
  assert.deepEqual(await ask("storage/contract/contract"), { cases: CASES });
});

test("the store contract notices a Durable Object's storage that does not compare", limit, async () => {
  assert.match((await ask("storage/broken/broken")).broken, /a_stale_base_changes_nothing/);
});

test(
  "F32 values of any size come back, in rows of less than 2 MB, and leave nothing when they shrink",
  limit,
  async () => {
    for (const [length, got, scanned, last, rows] of await ask("storage/large/large")) {
      assert.deepEqual([got, scanned, last], [true, true, true], `${length} bytes`);
      assert.equal(rows, Math.max(1, Math.ceil(length / 1_000_000)), `rows of ${length} bytes`);
    }
  },
);

test("F20 a batch that fails in the middle changes nothing", limit, async () => {
  assert.deepEqual(await ask("storage/halfway/halfway"), { failed: true, left: 0, guard: true });
});

test("names of tables that are none, and storages that are none, are refused", limit, async () => {
  const { tables, storages } = await ask("storage/refused/refused");
  for (const { code, field } of tables) assert.deepEqual([code, field], ["invalid-input", "table"]);
  for (const { code, field } of storages) assert.deepEqual([code, field], ["invalid-input", "storage"]);
});

const scenarios = new URL("../scenarios/", import.meta.url);
for (const name of (await readdir(scenarios)).filter((name) => name.endsWith(".json"))) {
  test(`F42 scenario ${name} in the database of a Durable Object`, limit, async () => {
    const scenario = JSON.parse(await readFile(new URL(name, scenarios), "utf8"));
    const outcomes = await ask("storage/scenarios/scenario", { body: { name, scenario } });
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

test(
  "F34 a snapshot in KV is read and searched as it was, and says why it cannot be written to",
  limit,
  async () => {
    const seen = await ask("storage/kv/kv");
    assert.equal(seen.consistency, "eventual");
    assert.equal(seen.content, "Deploy keys rotate on Mondays");
    assert.deepEqual(seen.hits, ["keys"]);
    assert.equal(seen.add.code, "unavailable");
    assert.match(seen.add.message, /Durable Object/);
    assert.equal(seen.empty, 0);
    assert.equal(seen.before, 1, "it stays what it was when it was opened");
    assert.equal(seen.whole, true);
    assert.equal(seen.late.code, "unavailable");
    assert.match(seen.late.message, /the snapshot is not complete/);
    assert.equal(seen.noPointer.code, "corrupt");
    assert.equal(seen.newer.code, "newer-version");
    assert.equal(seen.cut.code, "corrupt");
    assert.deepEqual(
      seen.refused.map(({ code, field }) => [code, field]),
      [
        ["invalid-input", "namespace"],
        ["invalid-input", "name"],
        ["invalid-input", "name"],
        ["invalid-input", "keepSeconds"],
      ],
    );
  },
);

test("F34 a snapshot goes through the runtime's own binding to KV", limit, async () => {
  const seen = await ask("storage/realKv/realKv");
  const wanted = { none: 0, content: "Deploy keys rotate on Mondays", hits: ["keys"], add: "unavailable" };
  assert.deepEqual(seen, wanted);
  assert.equal(kept.size, 2, "a pointer and a piece");
});

test("a copy as docs/cloudflare.md publishes it is found in any Worker", limit, async () => {
  const page = blocks("docs/cloudflare.md", await pageText("docs/cloudflare.md"));
  const { code: shown } = page.find(({ code }) => code.includes("publishSnapshot"));
  const { code } = await transform(shown, { loader: "ts" });
  const source = `${code}
import { memoryOf } from "keepsake/cloudflare";
export default {
  async fetch(request, env) {
    await memoryOf(env.MEMORY, "handbook").add("Deploy keys rotate on Mondays");
    await env.MEMORY.get(env.MEMORY.idFromName("handbook")).publish();
    return Response.json(await lookUp(env, "deploy keys"));
  },
};`;
  const kv = { COPIES: `127.0.0.1:${keeper.address().port}` };
  const example = await edge({ source, classes: { MEMORY: "Published" }, kv });
  try {
    const response = await fetch(example.url);
    assert.deepEqual(await response.json(), ["Deploy keys rotate on Mondays"], example.complaints);
  } finally {
    example.remove();
  }
});

test("a Worker's code has the verbs of a memory, and gets its errors", limit, async () => {
  const seen = await ask("client");
  const { refused, user, namespace, ...rest } = seen;
  assert.deepEqual(rest, {
    content: "Ann likes tea",
    version: 2,
    hits: [true],
    said: ["user", "assistant"],
    value: { n: 1 },
    others: 0,
    called: ["Ann likes tea"],
    missing: null,
  });
  assert.deepEqual([refused.code, refused.field], ["invalid-input", "importance"]);
  assert.equal(user.field, "user");
  assert.equal(namespace.field, "namespace");
});

test("F31 F45 an alarm takes away what has expired, and an empty object sleeps", limit, async () => {
  const add = (body) => ask("eager/alarm/v1/entries", { body });
  const empty = await ask("eager/alarm/v1/stats", { method: "GET" });
  assert.equal(empty.total, 0);
  await add({ content: "gone at once", ttl: 1 });
  for (;;) {
    const { rows, alarm } = await ask("eager/alarm/rows");
    // Rows of what has expired are there until an alarm comes; nothing else takes them away.
    if (rows === 0 && alarm === null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await add({ content: "stays" });
  assert.equal((await ask("eager/alarm/v1/stats", { method: "GET" })).total, 1);
});

test("an object whose storage was emptied begins anew", limit, async () => {
  await ask("eager/emptied/v1/entries", { body: { content: "before" } });
  await ask("eager/emptied/empty");
  const add = () =>
    fetch(`${runtime.url}/eager/emptied/v1/entries`, { method: "POST", body: '{"content":"after"}' });
  const statuses = [];
  while (statuses.at(-1) !== 201 && statuses.length < 5) statuses.push((await add()).status);
  assert.equal(statuses.at(-1), 201, String(statuses));
  assert.equal((await ask("eager/emptied/v1/stats", { method: "GET" })).total, 1);
});

test("F30 F31 what an object has written is there after the runtime was killed", limit, async () => {
  const told = await Promise.all(
    Array.from({ length: 50 }, (_, n) => ask("eager/killed/v1/entries", { body: { content: `note ${n}` } })),
  );
  await runtime.kill();
  await runtime.start();
  const { entries } = await ask("eager/killed/v1/entries", { method: "GET" });
  assert.deepEqual(new Set(entries.map(({ id }) => id)), new Set(told.map(({ id }) => id)));
  const { hits } = await ask("eager/killed/v1/search", { body: { query: "note 7", limit: 1 } });
  assert.equal(hits[0].summary, "note 7");
});

test("the example stores a turn, answers a prompt, and knows whose token it is", limit, async () => {
  const example = await edge({ texts: { TOKENS: tokensOf(["ann", "bob"]) } });
  try {
    const turn = async (user, body) => {
      const headers = user ? { Authorization: `Bearer ${tokenOf(user)}` } : {};
      const response = await fetch(`${example.url}/turn`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    };
    const [status, prompt] = await turn("ann", { session: "s-1", text: "I moved to Oslo" });
    assert.deepEqual([status, prompt.messages], [200, [{ role: "user", content: "I moved to Oslo" }]]);
    const [, again] = await turn("ann", { session: "s-1", text: "where do I live?" });
    assert.equal(again.messages.length, 2);
    const [, other] = await turn("bob", { session: "s-1", text: "hello" });
    assert.equal(other.messages.length, 1);
    for (const bad of [{}, null, { session: "s", text: "" }, { session: 1, text: "x" }]) {
      assert.equal((await turn("ann", bad))[0], 400);
    }
    assert.equal((await turn(undefined, { session: "s-1", text: "x" }))[0], 401);
    assert.equal((await turn("eve", { session: "s-1", text: "x" }))[0], 401);
  } finally {
    example.remove();
  }
});

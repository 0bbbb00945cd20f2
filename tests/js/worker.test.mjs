// Memories in a worker, in Node: the same answers and the same errors, and no hang when the worker is gone.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { MemoryStorage } from "keepsake";
import { MemoryError, openMemory } from "keepsake/worker";
import { serve } from "keepsake/worker/host";
import { Engine, server, starter } from "../../target/web-testing/inner.js";
import { instantiate } from "../../target/web-testing/keepsake.js";
import { tryAll } from "./support/bad-input.mjs";
import { run } from "./support/scenario.mjs";

const wasm = new URL("../../pkg/wasm/keepsake.wasm", import.meta.url);
const start = starter(async () => WebAssembly.compile(await readFile(wasm)));

/**
 * A host on this thread whose memories stay in `storage`, and what a page would post to. `ports` are the host's ends of
 * the links, oldest first.
 */
function host(serveWith = server, { storage = new MemoryStorage(), ...options } = {}) {
  const ports = [];
  let listener;
  const kept = async (request) => ({
    ...(await start({ ...request, storage: storage.connect() })),
    persistent: true,
  });
  const port = {
    postMessage() {},
    addEventListener: (_type, listen) => {
      listener = listen;
    },
  };
  serveWith(kept)({ port, ...options });
  const worker = {
    postMessage: (message) => {
      ports.push(message.port);
      listener({ data: message });
    },
  };
  return { worker, ports };
}

const open = (worker, options = {}) => openMemory({ user: "u-1", worker, ...options });

/** A thread of its own, which is gone with the test. */
function thread(t) {
  const worker = new Worker(new URL("./support/worker-thread.mjs", import.meta.url));
  t.after(() => worker.terminate());
  return worker;
}

const folder = new URL("../scenarios/", import.meta.url);

for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json"))) {
  test(`scenario ${file} through messages`, async () => {
    const scenario = JSON.parse(await readFile(new URL(file, folder), "utf8"));
    const storage = new MemoryStorage();
    const open = ({ now, random, countTokens, ...options }) => {
      const { worker } = host(server, { storage, now, random, countTokens });
      return openMemory({ ...options, worker });
    };
    const outcomes = await run(scenario, open, () => storage.connect());
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

test("bad input is refused by name through messages, with the same class and code", async () => {
  const { worker } = host();
  let users = 0;
  assert.deepEqual(await tryAll(() => open(worker, { user: `u-${users++}` }), MemoryError), []);
});

test("a memory in a thread of its own: a hundred overlapping calls, and hooks on this side", async (t) => {
  const memory = await open(thread(t), {
    storage: "memory",
    embedder: async (texts) => texts.map((text) => [text.includes("puppy") ? 1 : 0.1, 1]),
  });
  assert.equal(memory.persistent, false);
  const calls = Array.from({ length: 100 }, (_, n) =>
    n % 3 === 2 ? memory.list() : memory.add(`puppy ${n}`),
  );
  const lists = (await Promise.all(calls)).filter(Array.isArray).map((list) => list.length);
  assert.deepEqual(
    [...lists].sort((a, b) => a - b),
    lists,
    "no list sees less than one before it",
  );
  const wanted = [...calls.keys()].filter((n) => n % 3 !== 2).map((n) => `puppy ${n}`);
  assert.deepEqual((await memory.list()).map(({ summary }) => summary).reverse(), wanted);
  assert.equal(await memory.embedAll(), 0);
  assert.equal(await memory.countTokens("12345"), 5, "the worker counts");
  const told = [];
  memory.on("change", ({ session }) => told.push(session));
  const chat = memory.session("s-1", { compression: false });
  await chat.append({ role: "user", content: "hello" });
  assert.deepEqual(told, ["s-1"]);
  await memory.close();
  await assert.rejects(memory.list(), { code: "closed" });
});

test("F14 where there is no IndexedDB in the worker, the memory says so on this side", async (t) => {
  const worker = thread(t);
  const memory = await open(worker);
  assert.equal(memory.persistent, false);
  assert.match(memory.storageProblem, /IndexedDB/);
  await assert.rejects(open(worker, { storage: "indexeddb" }), { code: "unavailable" });
  await memory.close();
});

test("a thread that ends rejects the calls under way, and what was only in its memory is not opened again", async (t) => {
  const worker = thread(t);
  const memory = await open(worker, { storage: "memory" });
  await memory.add("kept in the thread");
  const under = Promise.allSettled(
    [...Array(5).keys()].map((n) => memory.add(`${n} ${"long ".repeat(1e5)}`)),
  );
  await worker.terminate();
  for (const { status, reason } of await under) {
    if (status === "rejected") assert.ok(reason instanceof MemoryError && reason.code === "unavailable");
  }
  await assert.rejects(memory.list(), { code: "unavailable" });
  await memory.close();
});

test("a memory that is stored is opened again by the call after the worker has ended", async () => {
  const { worker, ports } = host();
  const memory = await open(worker);
  await memory.add("stored");
  ports[0].close();
  // A port's end arrives later than what was posted before it.
  const list = () => memory.list().catch(({ code }) => code);
  let found = await list();
  while (found === "unavailable") found = await list();
  assert.deepEqual(
    found.map(({ summary }) => summary),
    ["stored"],
  );
  assert.equal(ports.length, 2);
  await memory.close();
});

test("a worker in which nobody serves is given up after the time limit", async () => {
  const { port1, port2 } = new MessageChannel();
  const error = await open(port1, { timeout: 50 }).catch((error) => error);
  assert.ok(error instanceof MemoryError);
  assert.equal(error.code, "unavailable");
  assert.match(error.message, /50 ms/);
  port1.close();
  port2.close();
});

test("a worker that is busy but alive is waited for, however long it takes", async () => {
  let finish;
  const slow = new Promise((resolve) => {
    finish = resolve;
  });
  let pings = 0;
  const { worker, ports } = host(() =>
    server(async (request) => {
      await slow;
      return { ...(await start({ ...request, storage: "memory" })) };
    }),
  );
  const opening = open(worker, { timeout: 20 });
  const { onmessage } = ports[0];
  ports[0].onmessage = (event) => {
    if ("ping" in event.data && ++pings === 3) finish();
    onmessage(event);
  };
  const memory = await opening;
  assert.ok(pings >= 3);
  await memory.close();
});

test("a target that takes no messages, or throws, is no worker", async () => {
  for (const worker of [undefined, null, "worker.js", {}, { port: {} }]) {
    await assert.rejects(open(worker), { code: "invalid-input", field: "worker" });
  }
  const throwing = {
    postMessage() {
      throw new DOMException("no ports here", "DataCloneError");
    },
  };
  await assert.rejects(open(throwing), { code: "unavailable" });
});

test("what the core asks in the middle of its work is refused here, by name, and so is an adapter", async () => {
  const { worker } = host();
  const refused = {
    countTokens: (text) => text.length,
    now: Date.now,
    random: (length) => new Uint8Array(length),
    storage: new MemoryStorage().connect(),
    timeout: 0,
  };
  for (const [field, value] of Object.entries(refused)) {
    await assert.rejects(open(worker, { [field]: value }), { code: "invalid-input", field });
  }
});

test("options that only the worker can judge are refused there, by name", async () => {
  const { worker } = host();
  for (const [options, field] of [
    [{ tenant: "t" }, "tenant"],
    [{ name: "" }, "name"],
    [{ config: { retrieval: { topk: 3 } } }, "retrieval.topk"],
  ]) {
    await assert.rejects(open(worker, options), (error) => {
      assert.ok(error instanceof MemoryError);
      assert.deepEqual([error.code, error.field], ["invalid-input", field]);
      return true;
    });
  }
});

test("a page and a worker of different versions are told apart", async () => {
  const { worker } = host();
  const older = { postMessage: (message) => worker.postMessage({ ...message, wire: 0 }) };
  await assert.rejects(open(older), /another version/);
});

test("closing a memory closes its engine in the worker, and a page that goes does too, after its last words", async () => {
  const open = new Map();
  const noting = (kept) =>
    server(async (request) => {
      const { engine, ...found } = await kept(request);
      const call = (verb, args) => engine.call(verb, args);
      const closed = new Promise((resolve) => {
        const close = () => engine.close().then(resolve);
        open.set(request.user, { ...found, engine: { call, close } });
      });
      open.get(request.user).closed = closed;
      return open.get(request.user);
    });
  const { worker, ports } = host(noting);
  const memories = ["u-1", "u-2"].map((user) => openMemory({ user, worker }));
  const [one, two] = await Promise.all(memories);
  const last = one.add("in time");
  await one.close();
  assert.equal((await last).summary, "in time");
  await open.get("u-1").closed;
  ports[1].onmessage({ data: { bye: true } });
  assert.equal((await two.add("last words")).summary, "last words");
  await open.get("u-2").closed;
  await assert.rejects(two.add("too late"), { code: "closed" });
  await two.close();
});

test("a trap in the worker is a typed error, once for each call under way, and the next call works", async () => {
  const wasm = new URL("../../target/web-testing/keepsake.wasm", import.meta.url);
  const module = await WebAssembly.compile(await readFile(wasm));
  const adapter = new MemoryStorage().connect();
  const random = (length) => crypto.getRandomValues(new Uint8Array(length));
  const { worker } = host(() =>
    server(async ({ open }) => ({
      engine: await Engine.open({ instantiate, module }, { open, adapter, now: Date.now, random }),
      persistent: true,
    })),
  );
  const memory = await open(worker);
  await memory.add("before");
  const outcomes = await Promise.allSettled([memory.documented("testing-panic", {}), memory.list()]);
  const [{ reason }] = outcomes;
  assert.ok(reason instanceof MemoryError);
  assert.deepEqual([reason.code, typeof reason.cause], ["crashed", "string"]);
  assert.match(reason.message, /src\/web\/mod\.rs:\d+/);
  assert.equal((await memory.list()).length, 1);
  await memory.close();
});

test("what a page loads has no wasm in it, and no engine", async () => {
  const entry = new URL("../../pkg/src/entry/worker.ts", import.meta.url);
  const options = { bundle: true, format: "esm", metafile: true, write: false };
  const { metafile } = await build({ ...options, entryPoints: [fileURLToPath(entry)] });
  const loaded = Object.keys(metafile.inputs);
  assert.ok(loaded.some((file) => file.endsWith("worker/link.ts")));
  assert.deepEqual(
    loaded.filter((file) => /\/wasm\/|\/(engine|start|host)\.ts$/.test(file)),
    [],
  );
});

test("a worker that is none has to be told where to listen", () => {
  assert.throws(() => serve(), { code: "invalid-input", field: "port" });
});

// The packed package on Cloudflare's own runtime: bundled as their tools bundle it, served by their binary.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import workerd from "workerd";
import { WANTED } from "./support/meaning-suite.mjs";

const START_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 30_000;

const root = fileURLToPath(new URL("../..", import.meta.url));
const scenarios = new URL("../scenarios/", import.meta.url);

/** Runs inside the runtime. What it knows beyond one request is what a worker knows: its module's variables. */
const WORKER = `
import { MemoryError, MemoryStorage, openMemory } from "keepsake";
import meaning from "keepsake/meaning-en.bin";
import { tryMeaning } from ${JSON.stringify(join(root, "tests/js/support/meaning-suite.mjs"))};
import { run } from ${JSON.stringify(join(root, "tests/js/support/scenario.mjs"))};

const storage = new MemoryStorage();
let shared;

/** A storage that takes its time, as one across a network does. */
function slow(inner) {
  const later = async (method, args) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return inner[method](...args);
  };
  return Object.fromEntries(
    ["get", "scan", "commit", "close"].map((method) => [method, (...args) => later(method, args)]),
  );
}

const routes = {
  async "/one"() {
    const memory = await openMemory({ user: "u-1", storage: storage.connect() });
    const added = await memory.add("Deploy keys rotate on Mondays", { id: "keys", tags: ["ops"] });
    const listed = await memory.list();
    const found = await memory.get("keys");
    const error = await memory.add("x", { importance: 2 }).catch((error) => error);
    await memory.close();
    const { persistent } = memory;
    const refused = [error instanceof MemoryError, error.code, error.field];
    return { added, listed, content: found.content, persistent, refused };
  },
  async "/default"() {
    const { persistent, storageProblem } = await openMemory({ user: "u-1" });
    return { persistent, storageProblem };
  },
  async "/own"(request) {
    const memory = await openMemory({ user: "u-2", storage: slow(storage.connect()) });
    await memory.add(await request.text());
    const { length } = await memory.list();
    await memory.close();
    return length;
  },
  async "/shared"(request) {
    shared ??= openMemory({ user: "u-1", storage: "memory" });
    const memory = await shared;
    await memory.add(await request.text());
    return (await memory.list()).length;
  },
  async "/meaning"() {
    return tryMeaning(openMemory, new Uint8Array(meaning));
  },
  async "/scenario"(request) {
    const storage = new MemoryStorage();
    const connect = () => storage.connect();
    return run(await request.json(), (rest) => openMemory({ ...rest, storage: connect() }), connect);
  },
};

export default {
  fetch: async (request) => Response.json(await routes[new URL(request.url).pathname](request)),
};
`;

/** Port 0: the runtime takes a free one and says which. */
const CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.js", esModule = embed "worker.js"),
      (name = "keepsake.wasm", wasm = embed "keepsake.wasm"),
      (name = "meaning-en.bin", data = embed "meaning-en.bin"),
    ],
    compatibilityDate = "${workerd.compatibilityDate}",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

let folder;
let server;
let url;
/** What the runtime said: the reason of a failure is there and not in the answer. */
let complaints = "";

before(
  async () => {
    folder = await mkdtemp(join(tmpdir(), "keepsake-workerd-"));
    await install();
    await bundle();
    url = await serve();
  },
  { timeout: START_LIMIT_MS },
);

after(stop);
process.once("exit", stop);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** The package as npm would install it, in the folder's node_modules. */
async function install() {
  const exec = promisify(execFile);
  const limit = { timeout: START_LIMIT_MS };
  const { stdout } = await exec(
    "npm",
    ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, join(root, "pkg")],
    limit,
  );
  const to = join(folder, "node_modules/keepsake");
  await mkdir(to, { recursive: true });
  await exec("tar", ["-xzf", join(folder, basename(stdout.trim())), "-C", to, "--strip-components=1"], limit);
}

async function bundle() {
  await build({
    stdin: { contents: WORKER, resolveDir: folder },
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    outfile: join(folder, "worker.js"),
    logLevel: "silent",
    plugins: [
      { name: "wasm-modules", setup: leaveWasm },
      { name: "data-modules", setup: leaveData },
    ],
  });
}

/** As Cloudflare's bundler does: a .wasm file becomes a module beside the script. */
function leaveWasm({ onResolve }) {
  onResolve({ filter: /\.wasm$/ }, async ({ path, resolveDir }) => {
    await copyFile(join(resolveDir, path), join(folder, basename(path)));
    return { path: `./${basename(path)}`, external: true };
  });
}

/** As Cloudflare's bundler does with a .bin file, which the package's exports lead to. */
function leaveData({ onResolve }) {
  onResolve({ filter: /\.bin$/ }, async ({ path }) => {
    const file = createRequire(join(folder, "worker.js")).resolve(path);
    await copyFile(file, join(folder, basename(file)));
    return { path: `./${basename(file)}`, external: true };
  });
}

/** Starts the runtime and answers its address, which it tells on a channel of its own. */
async function serve() {
  const config = join(folder, "config.capnp");
  await writeFile(config, CONFIG);
  server = spawn(workerd.default, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "pipe", "pipe"],
  });
  server.stderr.on("data", (data) => {
    complaints += data;
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`workerd ended with ${code}:\n${complaints}`)));
    createInterface({ input: server.stdio[3] }).on("line", (line) => {
      const { event, port } = JSON.parse(line);
      if (event === "listen") resolve(`http://127.0.0.1:${port}`);
    });
  });
}

function stop() {
  server?.kill("SIGKILL");
  if (folder) rmSync(folder, { recursive: true, force: true });
}

async function ask(path, body) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    body: body ?? "",
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path}: HTTP ${response.status} ${text}\n${complaints}`);
  return JSON.parse(text);
}

const limit = { timeout: ANSWER_LIMIT_MS };

/** How many entries there are when requests add one each at the same time. */
async function many(path) {
  const lengths = await Promise.all([...Array(10).keys()].map((n) => ask(path, `note ${n}`)));
  return Math.max(...lengths);
}

// The first test: here the requests also race for the module.
test("F30 requests at the same time, each with a memory of its own on one slow storage", limit, async () => {
  assert.equal(await many("/own"), 10);
});

test("F30 requests at the same time may share a memory that is kept in memory", limit, async () => {
  assert.equal(await many("/shared"), 10);
});

test("the packed package adds, lists, gets and refuses in workerd", limit, async () => {
  const { added, listed, content, persistent, refused } = await ask("/one");
  assert.equal(added.summary, "Deploy keys rotate on Mondays");
  assert.deepEqual(added.tags, ["ops"]);
  assert.deepEqual(listed, [added]);
  assert.equal(content, "Deploy keys rotate on Mondays");
  assert.equal(persistent, false);
  assert.deepEqual(refused, [true, "invalid-input", "importance"]);
});

test("the packed file of word meanings finds what words alone do not in workerd", limit, async () => {
  assert.deepEqual(await ask("/meaning"), WANTED);
});

test(
  "F14 without a storage of the app's own, workerd's memory is not persistent and says so",
  limit,
  async () => {
    const { persistent, storageProblem } = await ask("/default");
    assert.equal(persistent, false);
    assert.match(storageProblem, /IndexedDB/);
  },
);

for (const file of (await readdir(scenarios)).filter((name) => name.endsWith(".json"))) {
  test(`F42 scenario ${file} in workerd`, limit, async () => {
    const outcomes = await ask("/scenario", await readFile(new URL(file, scenarios), "utf8"));
    assert.ok(outcomes.length > 0);
    for (const { at, wanted, seen } of outcomes) assert.deepEqual(seen, wanted, `step ${at}`);
  });
}

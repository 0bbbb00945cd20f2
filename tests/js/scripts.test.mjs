// The scripts that a page without a bundler fetches for an entry, before any of its code runs.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../../pkg/dist", import.meta.url));
const names = await readdir(DIST, { recursive: true });
const paths = names.filter((name) => name.endsWith(".js"));
const texts = new Map(
  await Promise.all(paths.map(async (name) => [name, await readFile(join(DIST, name), "utf8")])),
);

/** The scripts of an entry, by name: itself and its static imports, directly or not. */
function scripts(name, found = new Map()) {
  if (found.has(name)) return found;
  const text = texts.get(name);
  found.set(name, text);
  for (const [, path] of text.matchAll(/^(?:import|export)\b[^;"]*"(\.[^"]+)";$/gm)) {
    scripts(relative(DIST, join(DIST, name, "..", path)), found);
  }
  return found;
}

/** Itself, the memory, the engine, and two chunks that lighter entries need too: `xtask/src/build/bundle.mjs`. */
const MOST_SCRIPTS = 5;

for (const entry of ["entry/browser.js", "entry/full.js"]) {
  test(`${entry} is ${MOST_SCRIPTS} scripts, fetched in two steps`, () => {
    const found = [...scripts(entry).keys()];
    assert.ok(found.length > 1 && found.length <= MOST_SCRIPTS, found.join(" "));
    // A script that only another one imports would be found a round trip later.
    for (const name of found.slice(1)) assert.ok(texts.get(found[0]).includes(`"../${name}"`), name);
  });
}

/** In bytes, without compression. A limit that is exceeded: a chunk has got a module that this entry does not need. */
const LIMITS = {
  "adapters/ai-sdk/ai-sdk.js": 33_000,
  "adapters/anthropic/tools.js": 10_000,
  "adapters/langgraph/langgraph.js": 28_000,
  "adapters/mcp/server.js": 20_000,
  "entry/meaning-browser.js": 10_000,
  "entry/worker-host-browser.js": 69_000,
  "inspector/inspector.js": 197_000,
  "serve/http/http.js": 30_000,
  "serve/remote/remote.js": 43_000,
  "storage/jsonl/jsonl.js": 45_000,
};

for (const [entry, limit] of Object.entries(LIMITS)) {
  test(`${entry} is at most ${limit} bytes with its chunks`, (t) => {
    const bytes = [...scripts(entry).values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });
}

test("no module is in the package twice, so that a class is the same for all entries", () => {
  const modules = [...texts.values()].flatMap(
    (text) => text.match(/^\/\/ (?:pkg|packs|node_modules)\/.*$/gm) ?? [],
  );
  assert.ok(modules.length > 100, `${modules.length} modules`);
  assert.equal(new Set(modules).size, modules.length);
  const declared = [...texts].filter(([, text]) => text.includes('name = "MemoryError"'));
  assert.equal(declared.length, 1);
});

/** The .wasm files that the scripts of an entry name. Bundlers copy each of them. */
const WASM_FILES = {
  "entry/browser.js": ["first.wasm", "keepsake.wasm"],
  "entry/full.js": ["keepsake.wasm"],
  "entry/slim.js": [],
  "entry/worker.js": [],
};

for (const [entry, wanted] of Object.entries(WASM_FILES)) {
  test(`${entry} names ${wanted.join(" and ") || "no wasm module"}`, () => {
    const code = [...scripts(entry).values()].join("\n");
    const named = [...code.matchAll(/([\w-]+\.wasm)"/g)].map(([, file]) => file);
    assert.deepEqual([...new Set(named)].sort(), wanted);
  });
}

test("keepsake/full is like keepsake: the same exports in browsers, the same script in Node", async () => {
  const [browser, full] = await Promise.all(
    ["browser", "full"].map((name) => import(join(DIST, `entry/${name}.js`))),
  );
  const { openMemory, ...others } = full;
  assert.equal(typeof openMemory, "function");
  assert.deepEqual({ ...others, openMemory: browser.openMemory }, { ...browser });
  assert.equal(import.meta.resolve("keepsake/full"), import.meta.resolve("keepsake"));
});

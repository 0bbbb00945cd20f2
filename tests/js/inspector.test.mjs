// The inspector where there is no page, what it weighs, and that it brings no engine of its own.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build, transform } from "esbuild";
import { defineInspector } from "keepsake/inspector";

const MOST = 30_000;

const entry = fileURLToPath(new URL("../../pkg/dist/inspector/inspector.js", import.meta.url));

test("where there is no page it can be imported, and says why it cannot be used", () => {
  assert.throws(() => defineInspector(), { name: "MemoryError", code: "unavailable" });
});

test("keepsake/inspector is at most 30 KB, minified and compressed", async (t) => {
  const { code } = await transform(await readFile(entry, "utf8"), { minify: true, format: "esm" });
  const size = brotliCompressSync(code).length;
  t.diagnostic(`${size} bytes`);
  assert.ok(size <= MOST, `${size} bytes`);
});

test("it brings what draws it, and neither the engine nor the memory itself", async (t) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../pkg/src/inspector/inspector.ts", import.meta.url))],
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    outdir: fileURLToPath(new URL("../../target/inspector-size", import.meta.url)),
    external: ["*.wasm"],
    write: false,
    metafile: true,
  });
  const files = Object.keys(metafile.inputs);
  assert.ok(files.some((file) => file.includes("node_modules/preact/")));
  const unwanted =
    /wasm|pkg\/src\/(engine|memory|session|core|start|calls|open)\.ts|src\/(stores|facade|indexeddb|load)\//;
  assert.deepEqual(
    files.filter((file) => unwanted.test(file)),
    [],
  );
  t.diagnostic(
    `${outputFiles.reduce((sum, { contents }) => sum + brotliCompressSync(contents).length, 0)} bytes in all`,
  );
});

// What an adapter adds to the package's own download.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

const MOST = 5000;
const ADAPTERS =
  "acontext ai-sdk anthropic cloudflare http langchain langgraph mastra mcp mem0 memory-service openai-agents remote".split(
    " ",
  );
/** Those that stand on others, which are weighed for themselves. */
const STANDS_ON = { cloudflare: ["http", "remote"] };

const root = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));

/** The scripts that an entry brings, minified as apps do it, each by its name. */
async function scripts(...entries) {
  const { outputFiles, metafile } = await build({
    entryPoints: entries,
    outdir: join(root, "target/adapter-size"),
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    packages: "external",
    external: ["*.wasm", "cloudflare:*", "node:*"],
    write: false,
    metafile: true,
    absWorkingDir: root,
  });
  const texts = new Map(outputFiles.map(({ path, contents }) => [relative(root, path), contents]));
  const reach = (name, seen = new Set()) => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const { path, external } of metafile.outputs[name].imports) if (!external) reach(path, seen);
    return seen;
  };
  const outputs = Object.entries(metafile.outputs);
  return entries.map((entry) => {
    const [name] = outputs.find(([, { entryPoint }]) => entryPoint === relative(root, entry));
    return new Map([...reach(name)].map((file) => [file, texts.get(file)]));
  });
}

const sourceOf = (adapter) => {
  const { default: found } = exports[`./${adapter}`];
  return (found.default ?? found).replace("./dist/", "pkg/src/").replace(/\.js$/, ".ts");
};

for (const adapter of ADAPTERS) {
  test(`keepsake/${adapter} is at most 5 KB`, async (t) => {
    const source = sourceOf(adapter);
    const below = ["pkg/src/entry/browser.ts", ...(STANDS_ON[adapter] ?? []).map(sourceOf)];
    const all = await scripts(...[source, ...below].map((file) => join(root, file)));
    const [own, ...base] = all;
    const isOwn = ([file]) => !base.some((files) => files.has(file));
    const added = [...own].filter(isOwn).map(([, text]) => text);
    const size = brotliCompressSync(Buffer.concat(added)).length;
    t.diagnostic(`${size} bytes`);
    assert.ok(added.length > 0 && size > 0, dirname(source));
    assert.ok(size <= MOST, `${size} bytes`);
  });
}

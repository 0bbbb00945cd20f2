// The site that is measured, in target/results/site or another folder: the package and each rival as one minified bundle,
// as an app would ship them, and the modules that run in the page.
//
// The package is copied first, so that a build that ends during the run changes nothing.

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const OUT = join(ROOT, "target/results");

const OWN = "benches/results/node_modules";
const SHARED = "node_modules";

/**
 * The bundles: by folder, the entry of each name in the import map, and files that the library fetches beside its script.
 * A worker has no import map, so SQLite's is a bundle of its own.
 */
const RIVALS = {
  minisearch: { entries: { minisearch: `${SHARED}/minisearch/dist/es/index.js` } },
  flexsearch: {
    entries: {
      flexsearch: `${SHARED}/flexsearch/dist/flexsearch.bundle.module.min.mjs`,
      "flexsearch/lang/en": `${SHARED}/flexsearch/dist/module/lang/en.js`,
    },
  },
  orama: { entries: { "@orama/orama": "@orama/orama" } },
  lunr: { entries: { lunr: "lunr" } },
  dexie: { entries: { dexie: "dexie" } },
  sqlite: {
    entries: { "sqlite-worker": "./systems/sqlite-worker.mjs" },
    files: ["sqlite3.wasm", "sqlite3-opfs-async-proxy.js"].map(
      (name) => `${OWN}/@sqlite.org/sqlite-wasm/dist/${name}`,
    ),
  },
  pglite: {
    entries: { "@electric-sql/pglite": "@electric-sql/pglite" },
    files: ["pglite.wasm", "pglite.data", "initdb.wasm"].map(
      (name) => `${OWN}/@electric-sql/pglite/dist/${name}`,
    ),
  },
};

const OPTIONS = {
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  platform: "browser",
  // What a bundler leaves out of a page, because it is only for Node.
  external: ["node:*", "fs", "fs/promises", "path", "url", "module", "util", "crypto", "ws", "child_process"],
  logLevel: "error",
};

/** Stages the package and these rivals in a folder; returns where things are. */
export async function stage(rivals, out = OUT) {
  const [site, copy] = [join(out, "site"), join(out, "package")];
  await rm(site, { recursive: true, force: true });
  await rm(copy, { recursive: true, force: true });
  for (const part of ["dist", "wasm", "data", "package.json"]) {
    await cp(join(ROOT, "pkg", part), join(copy, part), { recursive: true, dereference: true });
  }
  const imports = { keepsake: "/keepsake/app/browser.js" };
  // The scripts look for their modules two folders up.
  await cp(join(copy, "wasm"), join(site, "wasm"), { recursive: true });
  await build({
    ...OPTIONS,
    entryPoints: [join(copy, "dist/entry/browser.js")],
    external: [...OPTIONS.external, "*.wasm"],
    outdir: join(site, "keepsake/app"),
  });
  for (const name of rivals) Object.assign(imports, await stageRival(site, name, RIVALS[name]));
  for (const part of ["peers.mjs", "bench", "results"]) {
    const filter = (file) => basename(file) !== "node_modules";
    await cp(join(ROOT, "benches", part), join(site, "benches", part), { recursive: true, filter });
  }
  await writeFile(join(site, "page.html"), page(imports));
  return {
    site: { folder: site, page: "page.html", modules: "benches/results" },
    // A package can import itself by its name, so a resolver that is told this file finds the copy.
    keepsake: pathToFileURL(join(copy, "package.json")).href,
    wasm: ["first.wasm", "keepsake.wasm"].map((name) => join(copy, "wasm", name)),
  };
}

async function stageRival(site, name, { entries, files = [] }) {
  const folder = join(site, "rivals", name);
  await mkdir(folder, { recursive: true });
  const names = Object.keys(entries);
  const out = (entry) => basename(entry);
  await build({
    ...OPTIONS,
    absWorkingDir: join(ROOT, "benches/results"),
    entryPoints: names.map((entry) => {
      const from = entries[entry];
      return { in: from.startsWith(SHARED) ? join(ROOT, from) : from, out: out(entry) };
    }),
    outdir: folder,
  });
  for (const file of files) await cp(join(ROOT, file), join(folder, basename(file)));
  return Object.fromEntries(names.map((entry) => [entry, `/rivals/${name}/${out(entry)}.js`]));
}

const page = (imports) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keepsake results</title>
<link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
</html>
`;

/** The bytes of a file of the usual site, as the server would send it. */
export const staged = (path) => readFile(join(OUT, "site", path));

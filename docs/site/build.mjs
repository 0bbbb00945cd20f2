// Builds the documentation site in target/docs-site: `node docs/site/build.mjs [--port N]`, with a port also serves it.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build as bundle } from "vite";
import { serve } from "../../www/serve.mjs";
import { ROOT, readNavigation } from "./pages.mjs";
import { renderSite } from "./site.mjs";

export const FOLDER = join(ROOT, "target/docs-site");
const HERE = fileURLToPath(new URL(".", import.meta.url));
const SCRIPTS = ["theme", "site", "sw"];

/** Folders that other commands write, where they are in the site, and which of their paths belong there. */
const GENERATED = [
  { from: "target/reference", to: "reference", belongs: () => true },
  { from: "target/doc", to: "rustdoc", belongs: isOfCrate },
];

/** What the service worker caches when a page asks for it, not at the first visit: it is large, or rarely read. */
const RARE = /^(sources|reference|rustdoc)\//;
/** The full module: entries and searches need only the first one. */
const UNUSED = /^assets\/keepsake-.*\.wasm$/;

/** rustdoc may have documented the dependencies, too: their pages are many times ours. */
function isOfCrate(path) {
  const [folder, crate = "keepsake"] = path.split(sep);
  if (folder === "src") return crate === "keepsake";
  return ["", "keepsake"].includes(folder) || !existsSync(join(ROOT, "target/doc", folder, "index.html"));
}

function hashOf(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 8);
}

/** Bundles scripts and styles. Returns their addresses by name. */
async function bundleAssets(folder) {
  const { output } = await bundle({
    root: HERE,
    configFile: false,
    logLevel: "warn",
    base: "./",
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: Object.fromEntries(SCRIPTS.map((name) => [name, join(HERE, `src/${name}.ts`)])),
        output: { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
      },
    },
  });
  const addressOf = (name) => output.find((file) => file.isEntry && file.name === name).fileName;
  const style = output.find(({ fileName }) => fileName.endsWith(".css")).fileName;
  return { theme: addressOf("theme"), site: addressOf("site"), style };
}

async function write(folder, address, content) {
  const file = join(folder, address);
  await mkdir(dirname(file), { recursive: true });
  if (content.path) await copyFile(content.path, file);
  else await writeFile(file, content);
}

/** Writes the names of the files to cache, and a version that changes with any of them, into the service worker. */
async function finishWorker(folder) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== "sw.js" && !RARE.test(path) && !UNUSED.test(path))
    .sort();
  const hash = createHash("sha256");
  for (const path of paths) hash.update(`${path}\0`).update(await readFile(join(folder, path)));
  const build = JSON.stringify({ version: hash.digest("hex").slice(0, 16), files: paths });
  const file = join(folder, "sw.js");
  const worker = await readFile(file, "utf8");
  await writeFile(
    file,
    worker.replaceAll("__BUILD__", () => build),
  );
}

/** Builds the site and returns its folder. */
export async function buildSite(folder = FOLDER) {
  const navigation = readNavigation();
  const scripts = await bundleAssets(folder);
  let found;
  const files = renderSite((sections) => {
    found = { address: `assets/sections-${hashOf(sections)}.json`, sections };
    return { ...scripts, sections: found.address };
  }, navigation);
  files.set(found.address, found.sections);
  files.set("icon.svg", { path: join(ROOT, "www/public/icon.svg") });
  for (const [address, content] of files) await write(folder, address, content);
  const listed = navigation.flatMap(({ pages }) => pages.map(({ file }) => file));
  for (const { from, to, belongs } of GENERATED) {
    if (!listed.some((file) => file.startsWith(`${from}/`))) continue;
    const source = join(ROOT, from);
    await cp(source, join(folder, to), {
      recursive: true,
      filter: (path) => belongs(relative(source, path)),
    });
  }
  await finishWorker(folder);
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: "string" } } });
  const started = performance.now();
  const folder = await buildSite();
  console.log(`${folder}: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (values.port !== undefined) {
    // The policy of our own pages is in them; pages of TypeDoc and rustdoc have inline scripts.
    const headers = { "Content-Security-Policy": "frame-ancestors 'none'" };
    console.log((await serve({ folder, port: Number(values.port), headers })).url);
  }
}

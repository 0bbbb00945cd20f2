// Bundles the entries of the package: `node bundle.mjs pkg/src/entry/browser.ts …`, in the folder of the repository.

import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { build } from "rolldown";

const source = (name) => resolve("pkg/src", name);
const preact = (name) => resolve("node_modules/preact", name);

/** The entries that need a module, without those that load it later. */
function entriesOf(id, graph, seen = new Set()) {
  if (seen.has(id)) return [];
  seen.add(id);
  const { isEntry, importers } = graph.getModuleInfo(id);
  return [...(isEntry ? [id] : []), ...importers.flatMap((importer) => entriesOf(importer, graph, seen))];
}

/**
 * The chunk of a module that the browser entry needs; other modules have one per set of entries. The dependencies of a
 * module are in its chunk or in one before it:
 *
 * - `base`: several light entries need it, such as adapters, which have neither memory nor engine.
 * - `parts`: one light entry needs it. Apart from `base`, so that the others stay light.
 * - `engine`: a worker that hosts memories needs it.
 * - `memory`: all other modules.
 */
function chunkOf(id, graph) {
  const users = entriesOf(id, graph);
  if (graph.getModuleInfo(id).isEntry || !users.includes(source("entry/browser.ts"))) return null;
  const withMemory = entriesOf(source("memory/memory.ts"), graph);
  const withEngine = entriesOf(source("engine/engine.ts"), graph);
  const light = users.filter((entry) => !withMemory.includes(entry) && !withEngine.includes(entry));
  if (light.length > 0) return light.length > 1 ? "base" : "parts";
  return users.every((entry) => withMemory.includes(entry)) ? "memory" : "engine";
}

/** Text files, such as language packs, as template literals: in a string every line break would be two characters. */
const texts = {
  name: "texts",
  load: {
    filter: { id: /\.txt$/ },
    async handler(id) {
      const text = await readFile(id, "utf8");
      return { code: `export default \`${text.replace(/[`\\]|\$\{/g, "\\$&")}\``, moduleType: "js" };
    },
  },
};

// Not minified: that would remove the annotations that an app's bundler needs for tree shaking.
await build({
  input: process.argv.slice(2),
  logLevel: "warn",
  platform: "neutral",
  // Preact, for the inspector, is bundled: 5 KB that no app has to install, also without a bundler.
  external: (id) => id.endsWith(".wasm") || !/^([./]|preact\b)/.test(id),
  resolve: {
    alias: {
      "preact/hooks": preact("hooks/dist/hooks.mjs"),
      "preact/jsx-runtime": preact("jsx-runtime/dist/jsxRuntime.mjs"),
      preact: preact("dist/preact.mjs"),
    },
    extensionAlias: { ".js": [".ts", ".tsx", ".js"] },
  },
  plugins: [texts],
  transform: { target: "es2022" },
  tsconfig: "pkg/tsconfig.json",
  output: {
    dir: "pkg/dist",
    entryFileNames: ({ facadeModuleId }) => relative("pkg/src", facadeModuleId).replace(/ts$/, "js"),
    // A language pack is a chunk with the name of its language. Chunks are one folder down, where the relative path of the
    // wasm module is the same as for the entries.
    chunkFileNames: "shared/[name]-[hash].js",
    comments: { jsdoc: false },
    codeSplitting: {
      groups: ["base", "parts", "engine", "memory"].map((chunk, at) => ({
        debugName: chunk,
        name: (id, graph) => (chunkOf(id, graph) === chunk ? chunk : null),
        priority: 4 - at,
      })),
    },
  },
});

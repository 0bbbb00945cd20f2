// How the demo is built: the page, and a service worker that knows every file of the build.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { PAGE_POLICY } from "./policy.mjs";

const PUBLIC = join(import.meta.dirname, "public");

/** Writes the names of all files, and a version that changes with any of them, into the service worker. */
function listFilesForWorker(): Plugin {
  return {
    name: "list-files-for-worker",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const { "sw.js": worker, ...rest } = bundle;
        if (worker?.type !== "chunk") return this.error("the build has no sw.js");
        const files = new Map<string, string | Uint8Array>();
        for (const name of readdirSync(PUBLIC)) files.set(name, readFileSync(join(PUBLIC, name)));
        for (const item of Object.values(rest)) {
          files.set(item.fileName, item.type === "chunk" ? item.code : item.source);
        }
        const names = [...files.keys()].sort();
        const hash = createHash("sha256");
        for (const name of names) hash.update(`${name}\0`).update(files.get(name) ?? "");
        const build = { version: hash.digest("hex").slice(0, 16), files: names };
        worker.code = worker.code.replaceAll("__BUILD__", () => JSON.stringify(build));
      },
    },
  };
}

/** Writes the policy into the built page. The page of the development server has scripts that it would forbid. */
function writePolicy(): Plugin {
  const attrs = { "http-equiv": "Content-Security-Policy", content: PAGE_POLICY };
  return {
    name: "write-policy",
    apply: "build",
    transformIndexHtml: () => [{ tag: "meta", attrs, injectTo: "head-prepend" }],
  };
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses: the build works in any folder of any host.
  base: "./",
  plugins: [listFilesForWorker(), writePolicy()],
  build: {
    target: "es2022",
    // The policy the page is served with allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: join(import.meta.dirname, "index.html"), sw: join(import.meta.dirname, "src/sw.ts") },
      output: { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
});

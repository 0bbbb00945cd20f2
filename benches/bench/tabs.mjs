// A real browser with a profile on the disk, and pages in which the benchmark's modules run.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchPersistent } from "../../tests/e2e/support/browser.mjs";
import { serve } from "../../www/serve.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const HEADERS = {
  "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  // An isolated page has a clock of 5 µs; any other's has 100.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The repository itself is served, with an import map for the libraries in its `node_modules`. */
const REPOSITORY = { folder: ROOT, page: "benches/bench/page.html", modules: "benches/bench" };

/**
 * Everything ends with `close`. A context of the usual kind would keep IndexedDB in memory. `modules` is the folder, below
 * the served one, of the modules that `call` imports; `headers` are added to those of the answers.
 */
export async function tabs({ folder, page: start, modules, headers } = REPOSITORY) {
  const server = await serve({ folder, port: 0, headers: { ...HEADERS, ...headers } });
  const profile = await mkdtemp(join(tmpdir(), "keepsake-bench-"));
  const context = await launchPersistent(profile);
  return {
    /** A new page, and a way to call what a module in this folder exports. */
    async tab() {
      const page = await context.newPage();
      let devtools;
      const requests = [];
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      await page.goto(new URL(start, server.url).href);
      return {
        call: (module, name, ...given) =>
          page.evaluate(
            async ([file, name, given]) => (await import(file))[name](...given),
            [`/${modules}/${module}.mjs`, name, given],
          ),
        /** The paths that the page and its workers have asked for, in that order. */
        requests,
        /** Bytes that the page's scripts hold, after a garbage collection. Only Chromium tells. */
        async heap() {
          devtools ??= await context.newCDPSession(page);
          await devtools.send("HeapProfiler.collectGarbage");
          return (await devtools.send("Runtime.getHeapUsage")).usedSize;
        },
        close: () => page.close(),
      };
    },
    /** Name and version of the browser. */
    async version() {
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      const { product } = await devtools.send("Browser.getVersion");
      await page.close();
      return product;
    },
    async close() {
      await context.close();
      await server.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

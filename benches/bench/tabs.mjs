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

/** Everything ends with `close`. A context of the usual kind would keep IndexedDB in memory. */
export async function tabs() {
  const server = await serve({ folder: ROOT, port: 0, headers: HEADERS });
  const profile = await mkdtemp(join(tmpdir(), "keepsake-bench-"));
  const context = await launchPersistent(profile);
  return {
    /** A new page, and a way to call what a module in this folder exports. */
    async tab() {
      const page = await context.newPage();
      let devtools;
      await page.goto(new URL("benches/bench/page.html", server.url).href);
      return {
        call: (module, name, ...given) =>
          page.evaluate(
            async ([module, name, given]) => (await import(`/benches/bench/${module}.mjs`))[name](...given),
            [module, name, given],
          ),
        /** Bytes that the page's scripts hold, after a garbage collection. Only Chromium tells. */
        async heap() {
          devtools ??= await context.newCDPSession(page);
          await devtools.send("HeapProfiler.collectGarbage");
          return (await devtools.send("Runtime.getHeapUsage")).usedSize;
        },
        close: () => page.close(),
      };
    },
    async close() {
      await context.close();
      await server.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

// Pages for the browser tests: an origin of their own that serves the package as it is built.

import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../../www/serve.mjs";
import { launch, onPageError } from "./browser.mjs";

const PAGE = "/tests/e2e/support/page.html";

/**
 * A browser and a server, and a way to open tabs in which `keepsake` can be imported. Everything ends with `close`, and
 * an error on any page is thrown there.
 */
export async function pages() {
  const server = await serve({
    folder: fileURLToPath(new URL("../../..", import.meta.url)),
    port: 0,
    // The page's import map is inline; the policy that apps should have is tried on the demo page.
    headers: { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" },
  });
  const browser = await launch();
  const context = await browser.newContext();
  const problems = [];
  return {
    url: new URL(PAGE, server.url).href,
    context,
    async tab() {
      const page = await context.newPage();
      onPageError(page, (error) => problems.push(error));
      await page.goto(new URL(PAGE, server.url).href);
      return page;
    },
    /** A tab with the package as `keepsake`, and the memory called `name` open as `memory`. */
    async tabWith(name) {
      const page = await this.tab();
      await page.evaluate(async (name) => {
        const keepsake = await import("keepsake");
        globalThis.keepsake = keepsake;
        globalThis.memory = await keepsake.openMemory({ name, user: "u-1" });
      }, name);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      if (problems.length > 0) throw problems[0];
    },
  };
}

/** The same for all tests of a file: there from the first to the last of them. */
export function pagesOfThisFile() {
  const shared = {};
  before(async () => void Object.assign(shared, await pages()));
  after(() => shared.close());
  return shared;
}

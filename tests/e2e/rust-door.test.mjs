// The Rust door in a real browser: each `wasm_bindgen_test` of tests/browser is a test here.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

const folder = new URL("../scenarios/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const scenarios = files.map((name) => `/tests/scenarios/${name}`);

/** A tab in which the tests of the crate can be run. */
async function tab() {
  const page = await browser.tab();
  await page.evaluate(() => {
    const output = document.createElement("pre");
    output.id = "output";
    document.body.append(output);
  });
  return page;
}

test("the tests of the Rust door", async (context) => {
  const first = await tab();
  const names = await first.evaluate(async () => {
    const { testNames } = await import("/tests/e2e/support/rust-page.mjs");
    return testNames();
  });
  await first.close();
  assert.ok(names.length > 0, "the module has tests");
  let page;
  const panics = [];
  for (const name of names) {
    await context.test(name.replace(/^__wbgt_\$?_browser::/, ""), async () => {
      if (!page) {
        page = await tab();
        page.on("console", (message) => message.type() === "error" && panics.push(message.text()));
      }
      const running = page;
      // After a failure the next test gets a page of its own: a module that has panicked is not used again.
      page = undefined;
      const { passed, output } = await running.evaluate(
        async ([name, scenarios]) => {
          const { runTest } = await import("/tests/e2e/support/rust-page.mjs");
          return runTest(name, scenarios);
        },
        [name, scenarios],
      );
      assert.ok(passed, `${output}\n${panics.join("\n")}`);
      page = running;
    });
  }
});

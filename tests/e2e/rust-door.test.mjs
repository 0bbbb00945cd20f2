// The Rust door in a real browser: each `wasm_bindgen_test` of tests/browser, in a page of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

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
  for (const name of names) {
    await context.test(name.replace(/^__wbgt_\$?_browser::/, ""), async () => {
      const page = await tab();
      const panics = [];
      page.on("console", (message) => message.type() === "error" && panics.push(message.text()));
      const { passed, output } = await page.evaluate(async (name) => {
        const { runTest } = await import("/tests/e2e/support/rust-page.mjs");
        return runTest(name);
      }, name);
      await page.close();
      assert.ok(passed, `${output}\n${panics.join("\n")}`);
    });
  }
});

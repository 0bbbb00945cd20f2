// Tabs with an inspector in them, under the strictest policy that an app can have.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../../www/serve.mjs";
import { launch, onPageError } from "./browser.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
/** The views, in their order. */
export const VIEWS = ["now", "search", "time", "knowledge", "experience", "files", "storage"];

let server;
let browser;
let context;
const problems = [];

before(async () => {
  server = await serve({
    folder: fileURLToPath(new URL("../../..", import.meta.url)),
    headers: { "Content-Security-Policy": POLICY },
  });
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
});

after(async () => {
  await browser?.close();
  await server?.close();
  assert.deepEqual(problems, []);
});

/** A tab with a memory of this name and an inspector of it. What breaks the policy, or throws, is kept. */
export async function tab(name, properties = {}) {
  const page = await context.newPage();
  onPageError(page, (error) => problems.push(error.stack ?? error.message));
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // The browser itself asks for an icon.
      if (!blockedURI.endsWith("/favicon.ico")) globalThis.violations.push(violatedDirective);
    });
  });
  await page.goto(new URL("/tests/e2e/support/inspector.html", server.url).href);
  await page.evaluate(
    async ([name, properties]) => {
      globalThis.helper = await import("/tests/e2e/support/inspector-page.mjs");
      globalThis.memory = await globalThis.helper.open(name);
      globalThis.element = globalThis.helper.show(globalThis.memory, properties);
    },
    [name, properties],
  );
  return page;
}

/** Fills the memory of a tab with some of everything. */
export const fill = (page, mark) =>
  page.evaluate((mark) => globalThis.helper.fill(globalThis.memory, mark), mark);
/** Opens a view. */
export const view = (page, name) => page.locator(`#tab-${name}`).click();

/** Waits until something of the panel says so. */
export const says = (page, words) => page.locator("[role=tabpanel]").getByText(words).first().waitFor();

let filled;
/** One memory for all tests that only look. */
export async function looked(properties) {
  const page = await tab("inspector-looked", { session: "chat-1", ...properties });
  filled ??= fill(page);
  await filled;
  return page;
}

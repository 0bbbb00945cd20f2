// The demo as a visitor uses it: opening it, saying something, looking into the memory. For the check and for the tests.

import { onPageError } from "./browser.mjs";

/** For one wait: shorter than a step, so that the failure says what was waited for. */
export const WAIT_LIMIT_MS = 90_000;

/** The inspector's views, in the order of its tabs. */
export const VIEWS = ["now", "search", "time", "knowledge", "experience", "files", "storage"];

/**
 * Opens the demo in a new tab, and waits until everything that it loads by itself is there. `complaints` gets a line for
 * each error of the page and each thing that its policy forbade.
 */
export async function openDemo(context, url, complaints, script) {
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  onPageError(page, (error) => complaints.push(`page: ${error.stack ?? error}`));
  await page.goto(url);
  await settled(page);
  return page;
}

/** Waits until the conversations were read and the service worker was looked for. */
export function settled(page) {
  return page.locator("html[data-settled=yes]").waitFor({ state: "attached" });
}

/** Sends a text and waits for the whole reply. Answers what it says. */
export async function say(page, text) {
  const before = await lastRow(page);
  await page.locator("#message").fill(text);
  await page.locator("#message").press("Enter");
  await page.waitForFunction(
    ([before, text]) => {
      const rows = [...document.querySelectorAll(".message")];
      const [asked, reply] = rows.slice(-2);
      return (
        reply?.matches(".assistant:not(.coming)") &&
        reply.dataset.row !== before &&
        asked?.querySelector(".said")?.textContent === text
      );
    },
    [before, text],
  );
  return page.locator(".message.assistant .said").last().textContent();
}

function lastRow(page) {
  return page.evaluate(() => [...document.querySelectorAll(".message")].at(-1)?.dataset.row);
}

/** Loads the sample memory, with the button of the empty page. */
export async function loadSample(page) {
  await page.locator("main .empty .primary").click();
  await page.locator(".message.assistant").first().waitFor();
}

/** Opens one of the inspector's views, and answers its panel once it shows something. */
export async function openView(page, view) {
  await page.locator("keepsake-inspector [role=tab]").nth(VIEWS.indexOf(view)).click();
  const panel = page.locator("keepsake-inspector .view").first();
  await page.locator(`keepsake-inspector[view=${view}]`).waitFor();
  return panel;
}

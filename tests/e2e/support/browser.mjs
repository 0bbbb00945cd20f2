// Starts a browser that is installed on this machine, for the tests that need a real one: Chromium, or the one that
// `KEEPSAKE_BROWSER` names.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright-core";
import { webkit } from "./webkit/webkit.mjs";

/** Each browser: the programs that are one, the variable that names another, and how Playwright starts it. */
const BROWSERS = {
  chromium: {
    programs: ["chromium", "chromium-browser", "google-chrome"],
    variable: "CHROMIUM",
    type: chromium,
    // What it needs to run as root, in a container, and without a word to the outside.
    options: {
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
      ],
    },
  },
  firefox: {
    programs: ["firefox-esr", "firefox"],
    variable: "FIREFOX",
    type: firefox,
    // The channel is that of a Firefox as it is installed, which is driven by WebDriver BiDi.
    options: { channel: "moz-firefox" },
  },
  webkit: { programs: ["WebKitWebDriver"], variable: "WEBKIT_DRIVER", type: webkit, options: {} },
};

/** The browser that the tests are run in. */
export const BROWSER = process.env.KEEPSAKE_BROWSER ?? "chromium";

const LAUNCH_LIMIT_MS = 30_000;

function chosen() {
  const found = BROWSERS[BROWSER];
  if (!found)
    throw new Error(`KEEPSAKE_BROWSER is one of ${Object.keys(BROWSERS).join(", ")}, not "${BROWSER}"`);
  return found;
}

/** The program that the browser's variable names, or the first of the known ones on the PATH. */
export function findBrowser() {
  const { programs, variable } = chosen();
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = programs.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [process.env[variable], ...candidates].find((file) => file && existsSync(file));
  if (found === undefined) {
    throw new Error(
      `no ${BROWSER}: install it, or name one in ${variable} (looked for ${programs.join(", ")})`,
    );
  }
  return found;
}

function settings(more) {
  const { options } = chosen();
  return {
    executablePath: findBrowser(),
    headless: true,
    timeout: LAUNCH_LIMIT_MS,
    ...options,
    ...more,
    args: [...(options.args ?? []), ...(more.args ?? [])],
  };
}

/** A browser with a profile of its own, which is gone when it closes. `options` are Playwright's. */
export function launch(options = {}) {
  return chosen().type.launch(settings(options));
}

/**
 * A context whose profile lives in `folder`. Close it and call this again on the same folder to see what
 * outlives a restart of the browser.
 */
export function launchPersistent(folder, options = {}) {
  return chosen().type.launchPersistentContext(folder, settings(options));
}

/** For the `skip` of a test that wants what only Chromium lets its driver do; `what` names it. */
export function onlyInChromium(what) {
  return BROWSER !== "chromium" && `only Chromium lets its driver ${what}`;
}

/** For the `skip` of a test that wants what WebKit, or its driver, does not have. */
export function notInWebKit(what) {
  return BROWSER === "webkit" && `WebKit has no ${what} here`;
}

/** Tells of the errors of a page. Firefox reports notes of its own among them, which no script has thrown: no place is named. */
export function onPageError(page, tell) {
  page.on("pageerror", (error) => {
    if (BROWSER !== "firefox" || !error.stack?.endsWith("\nundefined")) tell(error);
  });
}

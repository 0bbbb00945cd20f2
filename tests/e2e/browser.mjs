// Starts the Chromium that is installed on this machine, for the tests that need a real browser.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** What a browser needs to run as root, in a container, and without a word to the outside. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

const LAUNCH_LIMIT_MS = 30_000;

/** The browser that `CHROMIUM` names, or the first of the known ones on the PATH. */
export function findBrowser() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [process.env.CHROMIUM, ...candidates].find((file) => file && existsSync(file));
  if (found === undefined) {
    throw new Error(`no browser: install chromium, or name one in CHROMIUM (looked for ${NAMES.join(", ")})`);
  }
  return found;
}

function settings(options) {
  return {
    executablePath: findBrowser(),
    headless: true,
    timeout: LAUNCH_LIMIT_MS,
    ...options,
    args: [...FLAGS, ...(options.args ?? [])],
  };
}

/** A browser with a profile of its own, which is gone when it closes. `options` are Playwright's. */
export function launch(options = {}) {
  return chromium.launch(settings(options));
}

/**
 * A context whose profile lives in `folder`. Close it and call this again on the same folder to see what
 * outlives a restart of the browser.
 */
export function launchPersistent(folder, options = {}) {
  return chromium.launchPersistentContext(folder, settings(options));
}

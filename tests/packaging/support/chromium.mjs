// Pages of the built apps in a real browser.

import { serve } from "../../../www/serve.mjs";
import { launch } from "../../e2e/support/browser.mjs";

const LIMIT_MS = 60_000;

/** What docs/pwa.md says a page's policy needs, and nothing more. */
const POLICY = ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'"];
const TRUSTED_TYPES = "require-trusted-types-for 'script'";

const browser = await launch();
const opened = [browser];

/** Ends the browser and what it was served by. */
export async function closeAll() {
  for (const one of opened) await one.close();
}

/**
 * Serves a folder under that policy, and answers the address. Where an app starts workers by their address, trusted types
 * are the app's business.
 */
export async function serveFolder(folder, { trustedTypes = true } = {}) {
  const policy = [...POLICY, ...(trustedTypes ? [TRUSTED_TYPES] : [])].join("; ");
  const server = await serve({ folder, headers: { "Content-Security-Policy": policy } });
  opened.push(server);
  return server.url;
}

/**
 * Opens a page, loads it again, and answers what it logged each time. Whatever it complains of is thrown. `onRequest` is
 * called with the address of each request.
 */
export async function visitTwice(address, onRequest = () => {}) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on("request", (request) => onRequest(request.url()));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`against the policy: ${violatedDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  const complaint = firstComplaint(page);
  const logged = async (load) => {
    const predicate = (message) => message.type() === "log";
    const log = page.waitForEvent("console", { predicate, timeout: LIMIT_MS });
    const [message] = await Promise.race([complaint, Promise.all([log, load()])]);
    return message.text();
  };
  try {
    const first = await logged(() => page.goto(address));
    const second = await logged(() => page.reload());
    // Of two that are settled the first one wins: a complaint that came after the log counts too.
    return await Promise.race([complaint, Promise.resolve([first, second])]);
  } finally {
    await context.close();
  }
}

/** Rejects with the first thing that is wrong on a page, and never resolves. */
function firstComplaint(page) {
  const complaint = new Promise((_, reject) => {
    page.on("pageerror", reject);
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      reject(new Error(`${message.text()} (${message.location().url})`));
    });
  });
  // Nobody may be waiting for it yet.
  complaint.catch(() => {});
  return complaint;
}

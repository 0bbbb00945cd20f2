// The app of docs/pwa.md, word for word: under its policy and with its service worker, a page remembers without a network from
// the second visit on.

import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { transform } from "esbuild";
import { serve } from "../../www/serve.mjs";
import { blocks, pageText, root } from "../js/support/pages.mjs";
import { launch, notInWebKit } from "./support/browser.mjs";

const LIMIT_MS = 30_000;

/** What the page does with the memory that the page of the documentation opens. */
const USE = `
await memory.add("Deploy keys rotate on Mondays", { namespace: "long-term" });
await memory.session("s-1").append({ role: "user", content: "When?" });
const [hit] = await memory.search("deploy keys");
document.title = [hit.summary, (await memory.session("s-1").info()).messages, memory.persistent].join(", ");
`;

const all = blocks("docs/pwa.md", await pageText("docs/pwa.md"));
const only = (language, words) => {
  const [found, ...others] = all.filter((block) => block.language === language && block.code.includes(words));
  assert.ok(found && others.length === 0, `docs/pwa.md has one block of ${language} with "${words}"`);
  return found.code;
};

const folder = await mkdtemp(join(tmpdir(), "keepsake-docs-pwa-"));
for (const part of ["dist", "wasm"])
  await cp(join(root, "pkg", part), join(folder, part), { recursive: true });
const { code: script } = await transform(only("ts", "serviceWorker.register"), {
  loader: "ts",
  target: "es2022",
});
const app = script.replace("keepsake/full", "./dist/entry/full.js") + USE;
const page = `<!doctype html>${only("html", "Content-Security-Policy")}<script type="module" src="app.js"></script>`;
for (const [file, text] of Object.entries({
  "index.html": page,
  "app.js": app,
  "sw.js": only("js", "addEventListener"),
  // A browser asks for it by itself.
  "favicon.ico": "",
})) {
  await writeFile(join(folder, file), text);
}

const [server, browser] = await Promise.all([
  serve({ folder, headers: { "Content-Security-Policy": "frame-ancestors 'none'" } }),
  launch(),
]);
after(async () => {
  await Promise.all([server.close(), browser.close()]);
  await rm(folder, { recursive: true, force: true });
});

test("a page as docs/pwa.md describes it works without a network from its second visit on", {
  skip: notInWebKit("way to be without a network"),
}, async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const problems = [];
  tab.on("pageerror", (error) => problems.push(String(error)));
  await tab.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => console.error(violatedDirective));
  });
  tab.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const remembers = async (messages) => {
    await tab.waitForFunction(() => document.title !== "", undefined, { timeout: LIMIT_MS });
    assert.equal(await tab.title(), `Deploy keys rotate on Mondays, ${messages}, true`);
  };
  await tab.goto(server.url);
  await remembers(1);
  await tab.reload();
  await remembers(2);
  await context.setOffline(true);
  await tab.reload();
  await remembers(3);
  assert.deepEqual(problems, []);
  await context.close();
});

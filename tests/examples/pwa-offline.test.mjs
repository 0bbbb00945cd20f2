// The offline app as Vite builds and serves it: it remembers without a network from the first visit on, is installable, and says
// whether the browser may delete the memory.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { launch } from "../e2e/support/browser.mjs";
import { shell } from "../js/support/commands.mjs";
import { blocks, pageText, root } from "../js/support/pages.mjs";
import { listening, testExample } from "./support.mjs";

const LIMIT_MS = 30_000;
const ADDRESS = "http://localhost:4181/";
const example = (path) => readFile(join(root, "examples/pwa-offline", path), "utf8");

const browser = await launch();
after(() => browser.close());

/** A page in a profile of its own, and whatever it complains about. */
async function open() {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  return { context, page, problems };
}

async function say(page, text, answer) {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("listitem").last().filter({ hasText: answer }).waitFor();
}

async function worksOffline() {
  const { context, page, problems } = await open();
  await page.goto(ADDRESS);
  await page.getByText("works offline").waitFor();
  // Everything from here on is the first that the app hears, and there is no network.
  await context.setOffline(true);
  await page.reload();
  await page.getByText("offline", { exact: true }).waitFor();
  await say(page, "My bike is at the north gate.", "Noted.");
  await page.reload();
  await page.getByText("Noted.").waitFor();
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByText("Tell it where things are").waitFor();
  await say(page, "Where is my bike?", "You told me: My bike is at the north gate.");
  await page.reload();
  await page.getByText("You told me: My bike is at the north gate.").waitFor();
  assert.equal(await page.getByRole("listitem").count(), 2, "of the new conversation");
  assert.deepEqual(problems, []);
  await context.close();
}

/** A new version of which only the page could be loaded does not take the place of a whole one. */
async function keepsWholeVersions({ folder, env }) {
  const { context, page } = await open();
  const answersOffline = async (answer) => {
    await context.setOffline(true);
    await page.reload();
    await page.getByText("offline", { exact: true }).waitFor();
    await say(page, "My bike is at the north gate.", answer);
    await context.setOffline(false);
  };
  const build = async () => {
    const { code, stderr } = await shell("npm run build", { cwd: folder, env });
    assert.equal(code, 0, stderr);
  };
  await page.goto(ADDRESS);
  await page.getByText("works offline").waitFor();

  const model = join(folder, "src/model.ts");
  await writeFile(model, (await readFile(model, "utf8")).replace('"Noted."', '"Written down."'));
  await build();
  const assets = join(folder, "dist/assets");
  for (const name of await readdir(assets)) if (name.endsWith(".js")) await rm(join(assets, name));
  // Vite's server answers with the page where a file is missing, as many hosts do.
  const isRefused = (message) => message.text().includes('MIME type of "text/html"');
  const refused = page.waitForEvent("console", isRefused);
  await page.reload();
  await refused;
  await answersOffline("Noted.");

  await build();
  await page.reload();
  await page.getByText("works offline").waitFor();
  await answersOffline("Written down.");
  await context.close();
}

async function isInstallable() {
  const { context, page } = await open();
  await page.goto(ADDRESS);
  await page.getByText("works offline").waitFor();
  const devtools = await context.newCDPSession(page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // A context of a test is a private window.
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
    [],
  );
  await context.close();
}

async function saysWhatMayBeLost() {
  const { context, page } = await open();
  await page.goto(ADDRESS);
  await page.getByText("The browser may delete this").waitFor();
  await page.getByRole("button", { name: "Protect it" }).click();
  await page.getByText("The browser refused.").waitFor();
  const devtools = await context.newCDPSession(page);
  const { targetInfo } = await devtools.send("Target.getTargetInfo");
  await devtools.send("Browser.grantPermissions", {
    permissions: ["durableStorage"],
    origin: ADDRESS,
    browserContextId: targetInfo.browserContextId,
  });
  await page.getByRole("button", { name: "Protect it" }).click();
  await page.getByText("Protected on this device.").waitFor();
  await page.getByRole("button", { name: "Protect it" }).waitFor({ state: "hidden" });
  // Without IndexedDB.
  await page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined }));
  await page.reload();
  await page.getByText("Lost when this page is closed").waitFor();
  await context.close();
}

testExample("pwa-offline", {
  serves: true,
  async meanwhile(place) {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    await promisify(execFile)(process.execPath, [tsc, "--project", place.folder]);
    await listening(ADDRESS);
    await saysWhatMayBeLost();
    await isInstallable();
    await worksOffline();
    await keepsWholeVersions(place);
  },
});

test("docs/pwa.md shows the files of the example as they are", async () => {
  const shown = blocks("docs/pwa.md", await pageText("docs/pwa.md")).map(({ code }) => code.trim());
  for (const path of ["public/sw.js", "src/offline.ts", "src/safety.ts"]) {
    assert.ok(shown.includes((await example(path)).trim()), path);
  }
  const [policy] = shown.filter((code) => code.includes("Content-Security-Policy"));
  assert.ok((await example("index.html")).includes(policy));
});

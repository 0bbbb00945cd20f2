// The documentation site as a reader meets it: on two screens and in two themes, by keyboard, below a path of a host, and
// without a network; and its search, which is Keepsake itself.

import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { buildSite } from "../../docs/site/build.mjs";
import { serve } from "../../www/serve.mjs";
import { axeProblems } from "./support/axe.mjs";
import { launch, notInWebKit, onPageError } from "./support/browser.mjs";
import { DESKTOP, PHONE } from "./support/demo-tabs.mjs";

/** What the first visit to a page may weigh, in bytes with brotli. */
const FIRST_LOAD = 100_000;

/** Pages with every kind of content: pictures and code, tables and plots, a source. */
const KINDS = ["", "results/index.html", "sources/src/index/words.rs.html"];

const complaints = [];
let folder;
let browser;
let server;

/** A host with the site below a path. The policy of its pages is in them. */
const host = () =>
  serve({ folder: dirname(folder), headers: { "Content-Security-Policy": "frame-ancestors 'none'" } });

const addressOf = (path) => `${server.url}${basename(folder)}/${path}`;

before(async () => {
  folder = await buildSite();
  [server, browser] = [await host(), await launch()];
});

after(async () => {
  await browser?.close();
  await server?.close();
  assert.deepEqual(complaints, []);
});

/** A page of the site, in a profile of its own. */
async function open(path, options = {}) {
  const context = await browser.newContext({ ...DESKTOP, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  onPageError(page, (error) => complaints.push(`${path}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${path}: ${message.text()}`);
  });
  await page.goto(addressOf(path));
  return page;
}

const searchIsOpen = (page) => page.evaluate(() => document.querySelector("dialog.search[open]") !== null);

/** Opens the search by its key and asks; returns the texts and addresses of what was found. */
async function ask(page, query) {
  if (!(await searchIsOpen(page))) await page.keyboard.press("/");
  await page.locator("dialog.search input").fill(query);
  await page.waitForFunction(
    (query) => document.querySelector("dialog.search").dataset.query === query,
    query,
  );
  return page.evaluate(() => {
    const links = [...document.querySelectorAll(".results a")];
    return { texts: links.map((link) => link.textContent), hrefs: links.map(({ href }) => href) };
  });
}

const titled = (page, text) => page.locator("h1", { hasText: text }).waitFor();

/** Names and bytes with brotli of what a page has fetched from the site. */
async function fetched(page) {
  const paths = await page.evaluate(() =>
    [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)].map(
      (name) => new URL(name).pathname,
    ),
  );
  const root = new URL(addressOf("")).pathname;
  const files = [...new Set(paths)].map((path) => path.slice(root.length) || "index.html");
  const sizes = files.map(async (file) => [
    file,
    brotliCompressSync(await readFile(join(folder, file))).length,
  ]);
  return new Map(await Promise.all(sizes));
}

test("a first visit weighs at most 100 KB, and has nothing of the search", async (t) => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
  const ours = names.filter((name) => !/^(reference|rustdoc|sources)\//.test(name));
  const lengths = await Promise.all(ours.map(async (name) => [(await stat(join(folder, name))).size, name]));
  const [[, heaviest]] = lengths.sort(([one], [other]) => other - one);
  const context = { serviceWorkers: "block" };
  for (const path of new Set([heaviest, "index.html", "results/index.html"])) {
    const page = await open(path, context);
    // What a reader sees without scrolling is part of the visit.
    await page.waitForFunction(() =>
      [...document.images].every((img) => img.complete || img.getBoundingClientRect().top > innerHeight),
    );
    const all = [...(await fetched(page))];
    const bytes = all.reduce((sum, [, size]) => sum + size, 0);
    t.diagnostic(`${path}: ${bytes} bytes`);
    assert.ok(bytes <= FIRST_LOAD, `${path}: ${bytes} bytes, ${all.join("; ")}`);
    // The text never waits for a picture.
    assert.equal(await page.locator("article img:not([loading=lazy])").count(), 0, path);
    assert.ok(!all.some(([file]) => /search|sections|\.wasm$/.test(file)), `${path} loads the search`);
    await page.context().close();
  }
});

for (const colorScheme of ["light", "dark"]) {
  const skip = colorScheme === "dark" && notInWebKit("dark theme to choose");
  test(`axe finds nothing wrong in the ${colorScheme} theme`, { skip }, async () => {
    const page = await open("", { colorScheme });
    // Only colours differ between the themes, and the first page has all of them.
    for (const path of colorScheme === "light" ? KINDS : [""]) {
      await page.goto(addressOf(path));
      assert.deepEqual(await axeProblems(page), [], path);
    }
    assert.ok((await ask(page, "quota exceeded")).texts.length > 0);
    assert.deepEqual(await axeProblems(page), [], "search");
    await page.context().close();
  });
}

test("on a phone the menu opens above the page, no page is wider than the screen, and axe finds nothing", async () => {
  const page = await open("results/index.html", PHONE);
  for (const path of ["spec.html", "openapi.html", "sessions.html", ...KINDS]) {
    await page.goto(addressOf(path));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= PHONE.viewport.width, `${path} is ${width} pixels wide`);
  }
  const menu = page.locator("nav.menu");
  await menu.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.locator("summary", { hasText: "Concepts" }).click();
  assert.deepEqual(await axeProblems(page), []);
  await menu.locator("a[href$='storage.html']").click();
  await titled(page, "Storage");
  await page.context().close();
});

test("the theme that a reader chooses stays for the next page", async () => {
  const page = await open("", { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.goto(addressOf("storage.html"));
  assert.equal(await ground(), dark);
  await page.context().close();
});

test("the search finds sections by a question, an error and the beginning of a word", async () => {
  const page = await open("decisions/index.html");
  const { hrefs } = await ask(page, "how do I export a memory");
  assert.ok(
    hrefs.slice(0, 5).some((href) => /cli\.html|export-and-import/.test(href)),
    hrefs.join("\n"),
  );
  const full = await ask(page, "quota exceeded");
  assert.match(full.texts.slice(0, 3).join("\n"), /quota-exceeded/);
  assert.deepEqual(await ask(page, "quota exce"), full);
  await page.context().close();
});

test("the search takes a question in any language, and markup as text", async () => {
  const page = await open("");
  for (const query of [
    "làm sao để tìm kiếm bộ nhớ",
    "メモリを検索する方法",
    "<img src=x onerror=alert(1)>",
    "?",
    "\\p{",
  ]) {
    if (!(await searchIsOpen(page))) await page.keyboard.press("/");
    await page.locator("dialog.search input").fill(query);
    const status = page.locator("dialog.search [role=status]");
    await status.filter({ hasText: /No section was found|\d+ sections?$/ }).waitFor();
  }
  assert.equal(await page.locator("dialog.search img").count(), 0);
  await page.context().close();
});

test("the search is used by keyboard alone, and leads to the heading", async () => {
  const page = await open("decisions/index.html");
  await ask(page, "tamper-evident log of a conversation");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const href = await page.evaluate(() => document.activeElement.href);
  assert.ok(href.startsWith(addressOf("")), href);
  await page.keyboard.press("Escape");
  assert.equal(await searchIsOpen(page), false);
  await page.keyboard.press("/");
  await page.locator("dialog.search input:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction((href) => location.href === href, href);
  const { hash } = new URL(href);
  if (hash) await page.locator(`[id="${decodeURIComponent(hash.slice(1))}"]`).waitFor();
  await page.context().close();
});

test("after one visit, pages that were never opened and the search work without a host", {
  skip: notInWebKit("way to be without a network"),
}, async () => {
  const page = await open("");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  const [name] = await page.evaluate(() => caches.keys());
  assert.match(name, /^keepsake-docs-[0-9a-f]{16}$/);
  await server.close();
  try {
    await page.goto(addressOf("decisions/016-jsonl-without-lock.html"));
    await titled(page, "without a lock");
    assert.ok((await ask(page, "quota exceeded")).texts.length > 0);
    // As a host without endings calls it.
    await page.goto(addressOf("storage"));
    await titled(page, "Storage");
    await page.reload();
    await titled(page, "Storage");
  } finally {
    server = await host();
  }
  await page.context().close();
});

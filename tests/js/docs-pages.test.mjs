// The pages of the documentation site: each is in one section, and their links lead to pages and headings.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { addressOf, markdownIn, readNavigation } from "../../docs/site/pages.mjs";
import { renderSite } from "../../docs/site/site.mjs";

const ASSETS = {
  theme: "assets/theme.js",
  site: "assets/site.js",
  style: "assets/site.css",
  sections: "sections.json",
};

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsake-docs-"));
});
after(() => rm(folder, { recursive: true }));

let searched;
const files = renderSite((sections) => {
  searched = JSON.parse(sections);
  return ASSETS;
});
const pages = new Map([...files].filter(([address]) => address.endsWith(".html")));

test("every page of docs/ is in one section of the menu", () => {
  const listed = readNavigation().flatMap(({ pages }) => pages.map(({ file }) => file));
  assert.equal(new Set(listed).size, listed.length, "a page is listed twice");
  const missing = markdownIn("docs").filter((file) => !listed.includes(file));
  assert.deepEqual(missing, [], "docs/site/navigation.json has no entry for it");
});

test("a listed page that does not exist is an error that names it", async () => {
  const file = join(folder, "navigation.json");
  await writeFile(file, JSON.stringify([{ title: "Start", pages: ["docs/no-such-page.md"] }]));
  assert.throws(() => readNavigation(pathToFileURL(file)), /docs\/no-such-page\.md/);
});

test("every page has one title, and no other page has it", () => {
  const titles = new Map();
  for (const [address, html] of pages) {
    assert.equal(html.match(/<h1>/g)?.length, 1, address);
    const title = html.match(/<title>([^<]+)<\/title>/)[1];
    assert.equal(titles.get(title), undefined, `${address}: ${title}`);
    titles.set(title, address);
  }
  assert.equal(titles.size, pages.size);
});

const idsOf = (html) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

test("links lead to files of the site and to their headings", () => {
  const ids = new Map([...pages].map(([address, html]) => [address, new Set(idsOf(html))]));
  // Pages of TypeDoc and rustdoc are listed only while they exist.
  const listed = readNavigation().flatMap(({ pages }) => pages.map(({ file }) => addressOf(file)));
  const others = new Set([...files.keys(), ...listed, ...Object.values(ASSETS), "icon.svg"]);
  const broken = [];
  let links = 0;
  for (const [from, html] of pages) {
    assert.equal(ids.get(from).size, idsOf(html).length, `${from} has an id twice`);
    for (const [, href] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^https?:/.test(href)) continue;
      links += 1;
      const [path, anchor] = href.split("#");
      const to = path === "" ? from : posix.join(posix.dirname(from), path);
      const target = to === "." || to.endsWith("./") || to.endsWith("/") ? posix.join(to, "index.html") : to;
      const isThere = anchor ? ids.get(target)?.has(anchor) : others.has(target);
      if (!isThere) broken.push(`${from}: ${href}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(links > 5_000, `${links} links`);
});

test("the search knows every page of the menu, section by section", () => {
  assert.ok(searched.length > 60, `${searched.length} pages`);
  for (const { address, title, sections } of searched) {
    assert.ok(title.length > 0 && sections.length > 0, address);
    const ids = new Set(idsOf(pages.get(address)));
    for (const { anchor, heading } of sections)
      assert.ok(anchor === "" || ids.has(anchor), `${address}: ${heading}`);
  }
  const cli = searched.find(({ address }) => address === "cli.html");
  assert.match(cli.sections.map(({ text, code }) => text + code).join("\n"), /keepsake export/);
});

test("code is highlighted, tables can scroll, and pictures have a size", () => {
  assert.match(pages.get("sessions.html"), /<pre><code>.*hljs-keyword/);
  assert.match(pages.get("storage.html"), /<div class="scroll"><table>/);
  for (const [, picture] of pages.get("results/index.html").matchAll(/(<img src="\w[^>]*>)/g)) {
    assert.match(picture, /alt="[^"]+" width="\d+" height="\d+" loading="lazy"/);
  }
});

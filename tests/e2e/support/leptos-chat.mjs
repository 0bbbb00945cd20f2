// The chat in Rust, built by `cargo xtask example`: served, or with `--bare FOLDER` tried in a real browser, and weighed
// beside the same page without Keepsake.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { serve } from "../../../www/serve.mjs";
import { launch } from "./browser.mjs";

const { values } = parseArgs({ options: { page: { type: "string" }, bare: { type: "string" } } });
const HEADERS = {
  "Content-Security-Policy": "default-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'",
};

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

const said = (page) => page.locator("li").allTextContents();

async function say(page, text) {
  const before = (await said(page)).length;
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  await page
    .locator("li")
    .nth(before + 1)
    .waitFor();
  return page
    .locator("li")
    .nth(before + 1)
    .textContent();
}

/** Two tabs, a reload, no network, and a question that only a memory answers. */
async function check(url) {
  const browser = await launch();
  try {
    const context = await browser.newContext();
    const complaints = [];
    const open = async () => {
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(String(error)));
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      await page.goto(url);
      await page.getByLabel("Message").waitFor();
      return page;
    };
    const [one, other] = [await open(), await open()];
    await say(one, "My sister Ana lives in Porto");
    await say(one, "I am allergic to peanuts");
    await other.locator("li", { hasText: "allergic to peanuts" }).first().waitFor();
    console.log("ok    a second tab shows what the first one said");
    await say(other, "Nice weather today");
    await one.locator("li", { hasText: "Nice weather" }).first().waitFor();
    await one.evaluate(() => navigator.serviceWorker.ready);
    const before = await said(one);
    await context.setOffline(true);
    await one.reload();
    await one
      .locator("li")
      .nth(before.length - 1)
      .waitFor();
    expect(
      JSON.stringify(await said(one)) === JSON.stringify(before),
      "a message was lost, or changed its place",
    );
    console.log("ok    without a network the page opens with the whole conversation");
    const answer = await say(one, "Where does Ana live?");
    expect(answer.includes("Porto"), `the answer is "${answer}"`);
    console.log("ok    without a network it recalls what was told");
    const nothing = await say(one, "What is my shoe size?");
    expect(!/Porto|peanuts/.test(nothing), `the answer is "${nothing}"`);
    expect(complaints.length === 0, complaints.join("\n"));
    console.log("ok    it says nothing about what was never told, and nothing went wrong");
    return await one.screenshot({ fullPage: true });
  } finally {
    await browser.close();
  }
}

/** The bytes that a page downloads, with brotli. */
async function weight(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 };
  const files = (await readdir(folder)).filter((name) => name !== "sw.js");
  const sizes = files.map(
    async (name) => brotliCompressSync(await readFile(join(folder, name)), { params }).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const server = await serve({ folder: values.page, port: values.bare ? 0 : 4174, headers: HEADERS });
if (values.bare === undefined) {
  console.log(server.url);
} else {
  try {
    await check(server.url);
    const [bare, whole] = await Promise.all([weight(values.bare), weight(values.page)]);
    const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
    console.log(
      `download ${kilobytes(whole)}, without Keepsake ${kilobytes(bare)}: ${kilobytes(whole - bare)} of it is Keepsake`,
    );
  } finally {
    await server.close();
  }
}

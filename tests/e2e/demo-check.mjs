// The built demo, tried in a real browser as a visitor would: add, reload, search, a second tab, no network.
// `--screenshot FOLDER` also takes pictures of it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serve } from "../../www/serve.mjs";
import { launch } from "./browser.mjs";

const STEP_LIMIT_MS = 30_000;
/** For one wait inside a step: shorter, so that the failure says what was waited for. */
const WAIT_LIMIT_MS = 15_000;

const { values } = parseArgs({ options: { screenshot: { type: "string" } } });

/** What pages complained about: one line is enough to fail. */
const complaints = [];
let server;
let browser;

async function step(name, action) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${STEP_LIMIT_MS / 1000} s`)), STEP_LIMIT_MS);
  });
  try {
    const result = await Promise.race([action(), late]);
    if (complaints.length > 0) throw new Error("the page complained");
    console.log(`ok    ${name}`);
    return result;
  } catch (error) {
    console.log(`FAIL  ${name}`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function listen(page) {
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => complaints.push(`page: ${error.stack ?? error}`));
}

async function openPage(context, script) {
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  listen(page);
  await page.goto(server.url);
  await opened(page);
  return page;
}

const opened = (page) => page.locator("#add-fields:enabled").waitFor();
const row = (page, text) => page.locator("#memories li", { hasText: text });
const status = (page, text) => page.locator("#status", { hasText: text }).waitFor();

async function add(page, content, tags = "", namespace = "short-term") {
  await page.getByLabel("Text").fill(content);
  await page.getByLabel("Tags").fill(tags);
  await page.getByLabel("Keep it").selectOption(namespace);
  await page.getByRole("button", { name: "Remember" }).click();
  await row(page, content.slice(0, 40)).first().waitFor();
}

async function search(page, text, count) {
  await page.getByLabel("Search").fill(text);
  const rows = page.locator("#memories li");
  await page.waitForFunction((wanted) => document.querySelectorAll("#memories li").length === wanted, count);
  return rows;
}

const MARKUP = `<img src="x" onerror="document.title = 'changed'">`;

async function visit() {
  server = await step("the built demo is served", () => serve());
  browser = await step("a browser starts", () => launch());
  const context = await browser.newContext();
  const page = await step("the page opens the memory, under its policy", () => openPage(context));

  await step("memories are kept, newest first", async () => {
    await status(page, "stored in this browser");
    await add(page, "The blue teapot leaks", "kitchen, repairs");
    await add(page, "Trà đá ở Hà Nội", "travel", "long-term");
    const first = await page.locator("#memories li").first().textContent();
    expect(first.includes("Hà Nội") && first.includes("long-term"), `the first row says: ${first}`);
    await status(page, "2 memories");
  });
  await step("they survive a reload", async () => {
    await page.reload();
    await row(page, "The blue teapot leaks").waitFor();
    await status(page, "2 memories");
  });
  await step("search finds parts of texts and tags, in any case and Unicode form", async () => {
    await (await search(page, "TEAPOT", 1)).filter({ hasText: "blue teapot" }).waitFor();
    await (await search(page, "hà nội".normalize("NFD"), 1)).filter({ hasText: "Hà Nội" }).waitFor();
    await (await search(page, "repair", 1)).filter({ hasText: "blue teapot" }).waitFor();
    await search(page, "submarine", 0);
    await search(page, "", 2);
  });
  await step("a row opens on the whole content", async () => {
    const long = `${"A long story. ".repeat(120)}And this is its end.`;
    await add(page, long, "story");
    const story = row(page, "A long story").first();
    await story.locator("summary").click();
    await story.locator(".content", { hasText: "And this is its end." }).waitFor();
  });
  await step("S9: markup stays text, in content and in tags", async () => {
    await add(page, MARKUP, MARKUP);
    const hostile = row(page, MARKUP);
    await hostile.locator("summary").click();
    await hostile.locator(".content", { hasText: MARKUP }).waitFor();
    expect((await page.locator("#memories img").count()) === 0, "the list has an image");
    expect((await page.title()) === "Keepsake demo", "the markup ran");
  });
  await step("an empty text is refused in plain words", async () => {
    await page.getByLabel("Text").fill("   ");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByRole("alert").filter({ hasText: "Write something first." }).waitFor();
  });
  await step("a second tab sees what the first adds", async () => {
    const second = await openPage(context);
    await row(second, "The blue teapot leaks").waitFor();
    await add(page, "Written in the first tab");
    await row(second, "Written in the first tab").waitFor();
    await add(second, "Written in the second tab");
    await row(page, "Written in the second tab").waitFor();
    await second.close();
  });
  await step("F14: without a storage the page says so and works", async () => {
    const poor = await openPage(context, () =>
      Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
    );
    await status(poor, "0 memories · not persistent: ");
    await add(poor, "Gone soon");
    await poor.close();
  });
  await step("the service worker is active and holds the files", async () => {
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.ready).active?.state === "activated",
    );
    await status(page, "ready to work offline");
    const kept = await page.evaluate(async () => {
      const [name] = await caches.keys();
      return (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
    });
    expect(kept.includes("/") && kept.some((path) => path.endsWith(".wasm")), `it holds ${kept.join(" ")}`);
  });
  await step("without a server and a network the page opens and works", async () => {
    await server.close();
    await context.setOffline(true);
    await page.reload();
    await opened(page);
    await status(page, "offline");
    await row(page, "The blue teapot leaks").waitFor();
    await add(page, "Written without a network");
    await page.reload();
    await row(page, "Written without a network").waitFor();
  });
  await context.close();
}

const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
  { name: "desktop", viewport: { width: 1280, height: 800 } },
];

async function takePictures(folder) {
  mkdirSync(folder, { recursive: true });
  server = await serve();
  for (const { name, ...screen } of SCREENS) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ ...screen, colorScheme });
      const page = await openPage(context);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-empty.png`) });
      await add(page, "Deploy keys rotate on Mondays", "ops, security", "long-term");
      await add(
        page,
        `Notes of the meeting: ${"we talked about this and that, ".repeat(30)}and went home.`,
        "notes",
      );
      await add(page, "I am allergic to peanuts", "health", "long-term");
      await row(page, "Notes of the meeting").first().locator("summary").click();
      await page.getByLabel("Text").fill(" ");
      await page.getByRole("button", { name: "Remember" }).click();
      await page.getByRole("alert").waitFor();
      await page.locator("#memories summary").first().focus();
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
  }
}

try {
  await visit();
  if (values.screenshot) await step("pictures", () => takePictures(values.screenshot));
  console.log("The demo works.");
} catch (error) {
  console.error(["error:", error.message, ...complaints].join("\n  "));
  process.exitCode = 1;
} finally {
  // A browser that does not want to close is ended with this process.
  setTimeout(() => process.exit(1), STEP_LIMIT_MS).unref();
  await browser?.close();
  await server?.close();
}

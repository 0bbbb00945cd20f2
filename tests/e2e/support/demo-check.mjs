// The built demo, tried in a real browser as a visitor would: chat, a sample, a second tab, an import, no network.
// `--screenshot FOLDER` also takes pictures of it.

import { parseArgs } from "node:util";
import { takePictures } from "../../../www/screenshots.mjs";
import { serve } from "../../../www/serve.mjs";
import { BROWSER, launch } from "./browser.mjs";
import { loadSample, openDemo, openView, say, settled, VIEWS } from "./demo-page.mjs";
import { requestsOf } from "./first-load.mjs";

const STEP_LIMIT_MS = 180_000;
const LONG_LIMIT_MS = 300_000;

/** What the first load may weigh, in bytes with brotli. */
const FIRST_LOAD = 250_000;

const { values } = parseArgs({ options: { screenshot: { type: "string" } } });

/** What pages complained about: one line is enough to fail. */
const complaints = [];
let server;
let browser;

async function step(name, action, limit = STEP_LIMIT_MS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limit / 1000} s`)), limit);
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

const open = (context, script) => openDemo(context, server.url, complaints, script);
const status = (page, text) => page.locator(".status", { hasText: text }).waitFor();

const MARKUP = `<img src="x" onerror="document.title = 'changed'">`;

function withoutStorage(context) {
  return step("F14: without a storage the page says so and works", async () => {
    const poor = await open(context, () =>
      Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
    );
    await status(poor, "not saved");
    await poor.getByRole("alert").filter({ hasText: "lost when the page closes" }).waitFor();
    expect((await say(poor, "Remember that this is gone soon")).includes("gone soon"), "it does not work");
    await poor.close();
  });
}

async function visit() {
  server = await step("the built demo is served", () => serve());
  browser = await step("a browser starts", () => launch());
  const context = await browser.newContext({ reducedMotion: "reduce", locale: "en" });
  const page = await step("the page opens the memory, under its policy", () => open(context));

  await step("the first load is small, and the full module is not in it", async () => {
    const { first, later } = await requestsOf(page);
    const has = (name) => first.files.some((file) => file.includes(name) && file.endsWith(".wasm"));
    expect(has("/first-"), "the memory was not open");
    expect(!has("/keepsake-"), "the full module was loaded");
    expect(first.bytes <= FIRST_LOAD, `it weighs ${first.bytes} bytes`);
    console.log(`      ${first.bytes} bytes with brotli, and ${later.bytes} by itself after that`);
  });
  await step("what is told is found again, with what it rests on", async () => {
    await status(page, "on this device");
    await say(page, "My name is Linh and I live in Da Nang.");
    await say(page, "I'm allergic to peanuts.");
    const answer = await say(page, "What am I allergic to?");
    expect(answer.includes("Linh") && answer.includes("peanuts"), `it says: ${answer}`);
    await page.locator(".references button", { hasText: "peanuts" }).last().click();
    await page
      .locator("keepsake-inspector[view=knowledge] .content", { hasText: "allergic to peanuts" })
      .first()
      .waitFor();
  });
  await step("what nobody told it does not know", async () => {
    const answer = await say(page, "What is the capital of France?");
    expect(answer.startsWith("I don’t know."), `it says: ${answer}`);
  });
  await step("it survives a reload", async () => {
    await page.reload();
    await settled(page);
    await page.locator(".message", { hasText: "What am I allergic to?" }).first().waitFor();
    expect((await say(page, "Where do I live?")).includes("Da Nang"), "it forgot");
  });
  await step("S9: markup stays text, in what is said and in what is kept", async () => {
    const answer = await say(page, `remember that ${MARKUP}`);
    expect(answer.includes(MARKUP), `it says: ${answer}`);
    await openView(page, "knowledge");
    await page.locator("keepsake-inspector", { hasText: MARKUP }).waitFor();
    expect((await page.locator(".log img, keepsake-inspector img").count()) === 0, "there is an image");
    expect((await page.title()) === "Keepsake", "the markup ran");
  });
  await step("a second tab shows what the first one learns", async () => {
    const second = await open(context);
    await second.locator(".message", { hasText: "Where do I live?" }).waitFor();
    await say(page, "Remember that the spare key is under the pot");
    await second.locator(".message.assistant", { hasText: "spare key" }).waitFor();
    await second.locator(".begin").click();
    const answer = await say(second, "Where is the spare key?");
    expect(answer.includes("under the pot"), `it says: ${answer}`);
    await page.locator(".session", { hasText: "Where is the spare key?" }).waitFor();
    await second.close();
  });
  await step("every view of the inspector has something to show of the sample", async () => {
    const other = await browser.newContext({ locale: "en" });
    const fresh = await open(other);
    await loadSample(fresh);
    const shown = {
      now: "Set it to 215",
      search: "sesame and carries an EpiPen",
      time: "Planning the winter break",
      knowledge: "Dinner with Sora",
      experience: "book_courier",
      files: "country-loaf.md",
      storage: "Messages",
    };
    for (const view of VIEWS) {
      await openView(fresh, view);
      if (view === "search") await fresh.locator("keepsake-inspector input").first().fill("sesame");
      await fresh.locator("keepsake-inspector .view", { hasText: shown[view] }).first().waitFor();
    }
    await other.close();
  });
  await step(
    "5,000 entries come in, and the bar is seen moving",
    async () => {
      await page.locator("header [data-tour=settings]").click();
      await page.getByRole("button", { name: "Import memories" }).click();
      await page.evaluate(() => {
        globalThis.seen = new Set();
        const look = () => {
          const bar = document.querySelector("progress");
          if (bar) globalThis.seen.add(bar.value);
        };
        new MutationObserver(look).observe(document.body, {
          attributes: true,
          childList: true,
          subtree: true,
        });
      });
      await page.getByRole("button", { name: "Generate 5,000 memories" }).click();
      await page
        .locator(".result", { hasText: "5,000 memories imported" })
        .waitFor({ timeout: LONG_LIMIT_MS });
      const seen = await page.evaluate(() => [...globalThis.seen]);
      expect(seen.filter((value) => value > 0 && value < 5000).length >= 3, `the bar stood at ${seen}`);
      await page.keyboard.press("Escape");
      await status(page, "5,0");
    },
    LONG_LIMIT_MS,
  );
  if (BROWSER === "webkit")
    console.log("--    F14: nothing can be taken away from a page of WebKit before it loads");
  else await withoutStorage(context);
  await step("the service worker is active and holds the files", async () => {
    await page.waitForFunction(
      async () => (await navigator.serviceWorker.ready).active?.state === "activated",
    );
    await status(page, "works offline");
    const kept = await page.evaluate(async () => {
      const [name] = await caches.keys();
      return (await (await caches.open(name)).keys()).map((request) => new URL(request.url).pathname);
    });
    expect(kept.includes("/") && kept.some((path) => path.endsWith(".wasm")), `it holds ${kept.join(" ")}`);
  });
  await step("without a server and a network the page opens, answers and remembers", async () => {
    await server.close();
    // Where a browser cannot be told so, it finds out by itself that there is nobody.
    await context.setOffline?.(true);
    await page.reload();
    await settled(page);
    if (context.setOffline) await status(page, "offline");
    await say(page, "Remember that the train was late");
    await page.reload();
    await settled(page);
    expect((await say(page, "What was late?")).includes("train"), "it forgot");
    await context.setOffline?.(false);
  });
  await step("everything can be erased", async () => {
    await page.locator("header [data-tour=settings]").click();
    await page.getByRole("button", { name: "Erase everything" }).click();
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    await page.locator("main .empty").waitFor();
    await status(page, "0 memories");
    await page.locator(".sidebar", { hasText: "None yet." }).waitFor();
  });
  await context.close();
}

try {
  await visit();
  if (values.screenshot) {
    server = await serve();
    await step("pictures", () => takePictures(browser, server.url, values.screenshot), LONG_LIMIT_MS);
  }
  console.log("The demo works.");
} catch (error) {
  console.error(["error:", error.message, ...complaints].join("\n  "));
  process.exitCode = 1;
} finally {
  // A browser that does not want to close is ended with this process.
  setTimeout(() => process.exit(1), 30_000).unref();
  await browser?.close();
  await server?.close();
}

// How smooth the app stays with 20,000 entries, beside one with the sample alone, with the processor slowed four times: what
// a frame takes while the list of entries is scrolled, and what a key takes until it is seen: `node benches/smooth.mjs`.
// Figures, no verdict.

import { launch } from "../tests/e2e/support/browser.mjs";
import { loadSample, openDemo, openView } from "../tests/e2e/support/demo-page.mjs";
import { serve } from "../www/serve.mjs";
import { spread } from "./bench/measure.mjs";
import { table } from "./table.mjs";

const ENTRIES = 20_000;
const SLOWER = 4;
const IMPORT_LIMIT_MS = 300_000;
const TEXT = "What does the lighthouse keeper play when the evening comes?";

async function fill(page) {
  await page.locator("header [data-tour=settings]").click();
  await page.getByRole("button", { name: "Import entries" }).click();
  const line = (number) => JSON.stringify({ content: `Parcel ${number} went to shelf ${number % 97}` });
  const lines = Array.from({ length: ENTRIES }, (_, number) => line(number));
  const file = { name: "many.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator(".result", { hasText: "20,000 entries imported" }).waitFor({ timeout: IMPORT_LIMIT_MS });
  await page.keyboard.press("Escape");
}

/** Scrolls the list by a part of a screen in each frame; answers what the frames took. */
async function scrolled(page) {
  const panel = await openView(page, "knowledge");
  await panel.locator(".row").first().waitFor();
  return panel
    .locator(".scroll")
    .first()
    .evaluate(async (box) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const times = [];
      let before = await frame();
      for (let step = 0; step < 200; step++) {
        // Down, and up again where it ends.
        const down = Math.floor((step * 90) / Math.max(1, box.scrollHeight - box.clientHeight)) % 2 === 0;
        box.scrollTop += down ? 90 : -90;
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      return times;
    });
}

/** Types into the message field; answers what each key took until the frame after it. */
async function typed(page) {
  await page.locator("#message").focus();
  await page.evaluate(() => {
    globalThis.times = [];
    document.querySelector("#message").addEventListener("keydown", ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => globalThis.times.push(performance.now() - timeStamp)));
    });
  });
  for (const [at, letter] of [...TEXT].entries()) {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    // As people type: the one is seen before the next comes.
    await page.waitForFunction((count) => globalThis.times.length > count, at);
  }
  return page.evaluate(() => globalThis.times);
}

async function measured(browser, url, prepare) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en" });
  const page = await openDemo(context, url, []);
  await prepare(page);
  const tools = await context.newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const times = { scrolled: await scrolled(page), typed: await typed(page) };
  await context.close();
  return times;
}

const [server, browser] = [await serve(), await launch()];
try {
  const memories = { sample: await measured(browser, server.url, loadSample) };
  memories["20,000 entries"] = await measured(browser, server.url, fill);
  const rows = Object.entries(memories).flatMap(([memory, times]) =>
    Object.entries({ scrolled: "a frame while scrolling", typed: "a key until it is seen" }).map(
      ([kind, what]) => {
        const { p50, p95 } = spread(times[kind]);
        const longest = Math.max(...times[kind]);
        return [`${what}, ${memory}`, ...[p50, p95, longest].map((time) => time.toFixed(1)), ""];
      },
    ),
  );
  console.log(table([[`processor ${SLOWER} × slower, ms`, "p50", "p95", "longest", ""], ...rows]));
} finally {
  await browser.close();
  await server.close();
}

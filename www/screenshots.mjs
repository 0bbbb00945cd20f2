// Pictures of every view, light and dark, on a phone and on a desktop: `node www/screenshots.mjs [FOLDER]`.

import { mkdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../tests/e2e/support/browser.mjs";
import { loadSample, openDemo, openView, say, VIEWS } from "../tests/e2e/support/demo-page.mjs";
import { serve } from "./serve.mjs";

const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  { name: "desktop", viewport: { width: 1280, height: 800 } },
];
const QUALITY = 80;

/** What is chosen in a view before its picture is taken. */
const SHOWN = {
  async search(inside) {
    await inside.locator("input").first().fill("who delivers the flour?");
    await inside.getByText("Mrs Pham delivers").first().waitFor();
  },
  async time(inside) {
    await inside.getByText("Planning the winter break").first().click();
    await inside.getByText("history-001").first().waitFor({ state: "attached" });
  },
  async files(inside) {
    await inside.getByText("decisions.md").click();
    await inside.locator("textarea").first().waitFor();
  },
};

/** Takes the pictures into `folder`, with a browser that is running. */
export async function takePictures(browser, url, folder) {
  mkdirSync(folder, { recursive: true });
  const complaints = [];
  for (const { name, ...screen } of SCREENS) {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({
        ...screen,
        colorScheme,
        reducedMotion: "reduce",
        locale: "en",
      });
      const page = await openDemo(context, url, complaints);
      const shoot = (what) => picture(page, join(folder, `${name}-${colorScheme}-${what}.webp`));
      await pictures(page, name === "phone", shoot);
      await context.close();
    }
  }
  for (const locale of ["vi", "ja"]) {
    const [phone] = SCREENS;
    const context = await browser.newContext({ ...phone, name: undefined, reducedMotion: "reduce", locale });
    const page = await openDemo(context, url, complaints);
    await loadSample(page);
    await picture(page, join(folder, `phone-light-chat-${locale}.webp`));
    await context.close();
  }
  if (complaints.length > 0) throw new Error(complaints.join("\n"));
}

/** WebP, which is a third of a PNG: the browser itself can make it, Playwright does not ask it to. */
async function picture(page, path) {
  const tools = await page.context().newCDPSession(page);
  const { data } = await tools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await tools.detach();
  await writeFile(path, Buffer.from(data, "base64"));
}

async function pictures(page, phone, shoot) {
  await shoot("empty");
  await page.locator(".empty .choices button").nth(1).click();
  await page.locator(".tour").waitFor();
  await shoot("tour");
  await page.keyboard.press("Escape");
  await loadSample(page);
  await say(page, "What is Noah allergic to?");
  await say(page, "How do I feed the sourdough starter?");
  await shoot("chat");
  if (phone) {
    await page.locator("header [data-tour=sessions]").click();
    await page.locator("dialog").waitFor();
    await shoot("sessions");
    await page.keyboard.press("Escape");
    await page.locator(".tabs button").last().click();
  }
  const inside = page.locator("keepsake-inspector");
  for (const view of VIEWS) {
    await openView(page, view);
    await SHOWN[view]?.(inside);
    // Nothing is asked of the memory any more, and every frame is drawn.
    await inside.getByText("Loading…").waitFor({ state: "detached" });
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await shoot(`inspector-${view}`);
  }
  await openView(page, "knowledge");
  await inside.getByRole("tab", { name: "Connections" }).click();
  await inside.locator("svg").first().waitFor();
  await shoot("inspector-graph");
  await page.locator("header [data-tour=settings]").click();
  await page.locator("dialog").waitFor();
  await page.locator("dialog input[type=radio]").nth(1).check();
  await shoot("settings");
  await page.keyboard.press("Escape");
  if (phone) return;
  await page.locator("header .actions button").nth(1).click();
  await page.locator("dialog").waitFor();
  await shoot("shortcuts");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "screenshots");
  rmSync(folder, { recursive: true, force: true });
  const [server, browser] = [await serve(), await launch()];
  try {
    await takePictures(browser, server.url, folder);
  } finally {
    await browser.close();
    await server.close();
  }
}

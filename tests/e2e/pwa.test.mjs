// The demo as an app: it can be installed, it answers in three languages, it holds many entries, and nothing of it is out
// of reach for those who do not see it or use no mouse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axeProblems } from "./support/axe.mjs";
import { BROWSER, notInWebKit } from "./support/browser.mjs";
import { loadSample, openView, say, settled, VIEWS } from "./support/demo-page.mjs";
import { DESKTOP, demoOfThisFile, PHONE } from "./support/demo-tabs.mjs";

const demo = demoOfThisFile();
const { tab } = demo;

/** The width and height that a PNG says it has. */
function sizeOf(png) {
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test("the app can be installed: manifest and icons", async () => {
  const page = await tab();
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await (await fetch(new URL(href, demo.url))).json();
  for (const field of ["name", "short_name", "start_url", "scope", "id", "theme_color", "background_color"]) {
    assert.ok(manifest[field], field);
  }
  assert.equal(manifest.display, "standalone");
  const icons = manifest.icons.map(({ sizes, type, purpose }) => `${sizes} ${type} ${purpose}`);
  for (const icon of ["192x192 image/png any", "512x512 image/png any", "512x512 image/png maskable"]) {
    assert.ok(icons.includes(icon), icon);
  }
  for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === "image/png")) {
    const response = await fetch(new URL(src, demo.url));
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(sizeOf(Buffer.from(await response.arrayBuffer())).join("x"), sizes);
  }
  // The browser's own judgement of it.
  if (BROWSER === "chromium") {
    const tools = await page.context().newCDPSession(page);
    const { errors } = await tools.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
  }
  await page.context().close();
});

test("without a network the app opens at its first page", {
  skip: notInWebKit("way to be without a network"),
}, async () => {
  const page = await tab();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await settled(page);
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.context().setOffline(true);
  await page.goto(demo.url);
  await settled(page);
  await page.locator(".status", { hasText: "offline" }).waitFor();
  await page.context().close();
});

const TONGUES = {
  en: {
    ask: "What is Noah allergic to?",
    knows: "sesame",
    how: "How do I close the shop?",
    step: "Step 1 of 4",
    no: "What is the capital of France?",
    unknown: "I don’t know.",
  },
  vi: {
    ask: "Nam dị ứng với gì?",
    knows: "mè",
    how: "Làm thế nào để đóng tiệm buổi tối?",
    step: "Bước 1/4",
    no: "Thủ đô của Pháp là gì?",
    unknown: "Tôi không biết.",
  },
  ja: {
    ask: "ノアは何のアレルギーですか？",
    knows: "ごま",
    how: "夜の店の閉め方は？",
    step: "手順 1/4",
    no: "フランスの首都はどこですか？",
    unknown: "わかりません。",
  },
};

for (const [locale, words] of Object.entries(TONGUES)) {
  const skip = locale !== "en" && notInWebKit("language to choose");
  test(`the page and its agent speak ${locale}: facts, skills, and what is not known`, { skip }, async () => {
    const page = await tab({ locale });
    assert.equal(await page.getAttribute("html", "lang"), locale);
    await loadSample(page);
    assert.match(await say(page, words.ask), new RegExp(words.knows));
    assert.match(await say(page, words.how), new RegExp(words.step));
    const no = await say(page, words.no);
    assert.ok(no.startsWith(words.unknown), no);
    await page.context().close();
  });
}

test("the language can be switched, and a preference that was told is followed", async () => {
  const page = await tab();
  await say(page, "Remember that the bus leaves at eight");
  await page.locator("header [data-tour=settings]").click();
  await page.getByLabel("Language", { exact: true }).selectOption("vi");
  await page.getByRole("heading", { name: "Cài đặt" }).waitFor();
  assert.equal(await page.getAttribute("html", "lang"), "vi");
  await page.keyboard.press("Escape");
  assert.match(await say(page, "When does the bus leave?"), /Đây là điều tôi nhớ/);
  assert.match(await say(page, "Please answer in English"), /I will answer in English/);
  assert.match(await say(page, "When does the bus leave?"), /This is what I remember/);
  await page.context().close();
});

test("a skill is taught, walked through, and its use is counted", async () => {
  const page = await tab();
  await say(page, "How to make tea: boil water; steep for two minutes; pour");
  assert.match(await say(page, "How do I make tea?"), /Step 1 of 3: boil water/);
  assert.match(await say(page, "next"), /Step 2 of 3/);
  assert.match(await say(page, "next"), /Step 3 of 3: pour/);
  assert.match(await say(page, "done"), /last step/);
  assert.match(await say(page, "forget the moon landing"), /nothing like that/);
  await page.context().close();
});

test("conversations are begun, renamed, forked and deleted; what was remembered stays if it is to", async () => {
  const page = await tab();
  await say(page, "Remember that the blue teapot leaks");
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.getByLabel("Name", { exact: true }).fill("Kitchen");
  await page.keyboard.press("Enter");
  await page.locator(".session", { hasText: "Kitchen" }).waitFor();
  await page.locator(".message").first().hover();
  await page
    .locator(".message")
    .first()
    .getByRole("button", { name: /new conversation/ })
    .click();
  await page.locator(".session[aria-current]", { hasText: "Kitchen (branch)" }).waitFor();
  // For a moment there is none: the old ones are gone before the new conversation was read.
  await page.waitForFunction(() => document.querySelectorAll(".message").length === 1);
  assert.match(await page.locator(".message .said").textContent(), /blue teapot/);
  await page.getByRole("button", { name: "Delete “Kitchen”" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.locator(".session", { hasText: /^Kitchen(?! \(branch\))/ }).waitFor({ state: "detached" });
  await page.keyboard.press("n");
  assert.match(await say(page, "What leaks?"), /blue teapot/);
  await page.context().close();
});

test("a reference opens what it names: a memory, the profile, a skill, a name, what was said", async () => {
  const page = await tab();
  await loadSample(page);
  const inside = page.locator("keepsake-inspector");
  const follow = (text) => page.locator(".references button", { hasText: text }).last().click();
  await say(page, "What is Noah allergic to?");
  await follow("EpiPen");
  await inside.locator("#tab-entries[aria-selected=true]").waitFor();
  await inside.locator(".content", { hasText: "carries an EpiPen" }).waitFor();
  await follow("is the son of");
  await inside.locator("#tab-graph[aria-selected=true]").waitFor();
  await inside.locator(".entities details[open]", { hasText: "Noah" }).waitFor();
  await say(page, "What do you know about me?");
  await follow("Da Nang");
  await inside.locator("#tab-profile[aria-selected=true]").waitFor();
  await inside.locator("tr", { hasText: "Da Nang" }).waitFor();
  // Twice the same: it opens again after the user went elsewhere.
  await inside.locator("#tab-skills").click();
  await follow("Da Nang");
  await inside.locator("#tab-profile[aria-selected=true]").waitFor();
  await say(page, "How do I close the shop?");
  await follow("close the shop");
  await inside.locator("#tab-skills[aria-selected=true]").waitFor();
  await inside.locator(".card.on", { hasText: "close the shop" }).waitFor();
  await page.context().close();
});

const ABOUT_ME = "What do you know about me?";

/** The questions that a new conversation offers. */
async function offered(page) {
  await page.locator(".begin").click();
  await page.locator(".suggestions button", { hasText: ABOUT_ME }).waitFor();
  return page.locator(".suggestions button").allTextContents();
}

test("questions about the sample are offered to those who have loaded it, and to nobody else", async () => {
  const page = await tab();
  await say(page, "Remember that the blue teapot leaks");
  assert.deepEqual(await offered(page), [ABOUT_ME, "What can you do?"]);
  await page.locator("header [data-tour=settings]").click();
  await page.getByRole("button", { name: "Load a sample memory" }).click();
  await page.locator(".message", { hasText: "black tahini" }).waitFor();
  await page.locator(".begin").click();
  await page.locator(".suggestions button", { hasText: "What is Noah allergic to?" }).waitFor();
  await page.context().close();
});

test("a conversation of today has a time in the list, and each message of another day its day", async () => {
  const page = await tab();
  await loadSample(page);
  const clock = /^\d\d:\d\d [AP]M/;
  for (const text of await page.locator(".session .aside").allTextContents()) assert.match(text, clock);
  const [at, text] = await page
    .locator(".message time")
    .first()
    .evaluate((time) => [time.dateTime, time.textContent]);
  const day = {
    day: "numeric",
    month: "short",
    timeZone: await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
  };
  const year = new Date(at).getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  assert.equal(text, new Date(at).toLocaleDateString("en", { ...day, ...year }));
  await say(page, "What is Noah allergic to?");
  assert.match(await page.locator(".message time").last().textContent(), clock);
  await page.context().close();
});

test("a new name replaces the old one", async () => {
  const page = await tab();
  await say(page, "Remember that the blue teapot leaks");
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.keyboard.type("Kitchen");
  await page.keyboard.press("Enter");
  await page.locator(".session .title", { hasText: /^Kitchen$/ }).waitFor();
  await page.context().close();
});

test("a reply comes word by word, and can be stopped", async () => {
  const page = await tab({ reducedMotion: "no-preference" });
  await page.locator("#message").fill("What can you do?");
  await page.keyboard.press("Enter");
  await page.locator(".coming .said", { hasText: "I am a demo" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".message.assistant:not(.coming)", { hasText: "Stopped by you." }).waitFor();
  const said = await page.locator(".message.assistant .said").last().textContent();
  assert.ok(!said.includes("see the settings"), said);
  await page.context().close();
});

test("a file is imported up to the line that is none; an import can be cancelled and run again", async () => {
  const page = await tab(PHONE);
  await page.locator("header [data-tour=settings]").click();
  await page.getByRole("button", { name: "Import memories" }).click();
  const file = async (text) => {
    const bytes = { name: "memories.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) };
    await page.locator("input[type=file]").setInputFiles(bytes);
  };
  const result = (text) => page.locator(".result", { hasText: text }).waitFor();
  await file("");
  await result("The file is empty.");
  await file(
    '{"content":"One"}\n{"kind":"entry","entry":{"content":"Two","tags":["x",5]}}\n[1]\n{"content":"Three"}\n',
  );
  await result("Line 3 is not a memory.");
  await result("2 memories imported");
  await page.getByRole("button", { name: "Generate 5,000 memories" }).click();
  await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
  await page.locator(".progress").getByRole("button", { name: "Cancel" }).click();
  await result("Cancelled.");
  await page.context().close();
});

/** Notes every bar that the page shows: its value, or `null` while the duration is unknown. Runs on the page. */
function watchBars() {
  globalThis.bars = [];
  const look = () => {
    const bar = document.querySelector("dialog progress");
    if (bar) globalThis.bars.push(bar.hasAttribute("value") ? bar.value : null);
  };
  new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
}

/** Notes the title of the last dialog. Runs on the page. */
function watchTitles() {
  globalThis.titles = new Set();
  const look = () => {
    const title = [...document.querySelectorAll("dialog h2")].at(-1)?.textContent;
    if (title && document.querySelector("dialog progress")) globalThis.titles.add(title);
  };
  new MutationObserver(look).observe(document.body, { attributes: true, childList: true, subtree: true });
}

test("erasing shows that it is under way until it is done", async () => {
  const page = await tab();
  await loadSample(page);
  await page.locator("header [data-tour=settings]").click();
  await page.getByRole("button", { name: "Erase everything" }).click();
  await page.evaluate(watchBars);
  const dialog = page.getByRole("dialog", { name: "Erase everything?" });
  await page.evaluate(watchTitles);
  await dialog.getByRole("button", { name: "Erase", exact: true }).click();
  await page.locator(".status", { hasText: "0 memories" }).waitFor();
  await page.locator("dialog").first().waitFor({ state: "detached" });
  const titles = await page.evaluate(() => [...globalThis.titles]);
  assert.equal(titles.at(-1), "Erasing everything…", "by then nothing is asked any more");
  const bars = await page.evaluate(() => globalThis.bars);
  const values = bars.filter((value) => value !== null);
  assert.ok(new Set(values).size >= 3, `${bars}`);
  assert.deepEqual(
    values,
    [...values].sort((one, other) => one - other),
  );
  // The last write says nothing of its progress: the bar shows that too, instead of standing still at its end.
  assert.equal(bars.at(-1), null, `${bars}`);
  await page.context().close();
});

test("by the keyboard alone: shortcuts, focus that comes back, the divider", async () => {
  const page = await tab();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.waitForFunction(() => document.activeElement?.id === "message");
  await page.keyboard.type("n? i,d");
  assert.equal(await page.locator("#message").inputValue(), "n? i,d");
  await page.locator("header [data-tour=settings]").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-tour") === "settings");
  const divider = page.getByRole("separator");
  const before = Number(await divider.getAttribute("aria-valuenow"));
  await divider.focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator(`[role=separator][aria-valuenow="${before + 5}"]`).waitFor();
  await page.keyboard.press("i");
  await divider.waitFor({ state: "detached" });
  const theme = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.keyboard.press("d");
  await page.waitForFunction(
    (was) => getComputedStyle(document.documentElement).backgroundColor !== was,
    theme,
  );
  await page.context().close();
});

test("on a tablet the memory is a drawer over the chat, which Escape closes", async () => {
  const page = await tab({ viewport: { width: 834, height: 1112 } });
  await loadSample(page);
  const drawer = page.getByRole("complementary", { name: "Memory" });
  assert.equal(await drawer.count(), 0);
  await page.getByRole("button", { name: "Show the memory" }).click();
  await drawer.getByRole("tab").first().waitFor();
  assert.deepEqual(await axeProblems(page), []);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.context().close();
});

test("the tour goes through its steps without locking the page, and can be left", async () => {
  const page = await tab();
  await page.getByRole("button", { name: "Two-minute tour" }).click();
  const card = page.locator(".tour");
  await card.getByText("1 of 7").waitFor();
  await say(page, "I'm allergic to peanuts.");
  for (let step = 2; step <= 7; step++) {
    await card.getByRole("button", { name: "Next" }).click();
    await card.getByText(`${step} of 7`).waitFor();
  }
  await card.getByRole("button", { name: "Done" }).click();
  await card.waitFor({ state: "detached" });
  await page.context().close();
});

test("of a long conversation only the rows that are seen are there, and all can be reached", async () => {
  const page = await tab();
  const count = 30;
  for (let turn = 0; turn < count; turn++)
    await say(page, `Remember that parcel ${turn} is on shelf ${turn}`);
  const rows = () => page.locator(".message").count();
  assert.ok((await rows()) < count * 2, `${await rows()} rows`);
  await page.locator(".log").evaluate((log) => {
    log.scrollTop = 0;
  });
  await page.waitForFunction(() => {
    const log = document.querySelector(".log");
    if (log.scrollTop > 0) log.scrollTop = 0;
    return log.textContent.includes("parcel 0 is on shelf 0");
  });
  assert.ok((await rows()) < count * 2, `${await rows()} rows`);
  await page.getByRole("button", { name: "Go to the newest message" }).click();
  await page
    .locator(".message", { hasText: `parcel ${count - 1} is` })
    .first()
    .waitFor();
  await page.context().close();
});

test("the list follows when it gets lower, and goes to the end for what is said", async () => {
  const page = await tab();
  for (let turn = 0; turn < 8; turn++) await say(page, `Remember that parcel ${turn} is on shelf ${turn}`);
  const log = page.locator(".log");
  const isAtEnd = () =>
    page.waitForFunction(() => {
      const { scrollHeight, scrollTop, clientHeight } = document.querySelector(".log");
      return scrollHeight - scrollTop - clientHeight <= 1;
    });
  // A scroll event that was on its way when the field below grew: it comes before the list hears that it is lower.
  await log.evaluate((log) => {
    log.style.maxHeight = "200px";
    log.dispatchEvent(new Event("scroll"));
  });
  await isAtEnd();
  // One who went up is left there, until something is said.
  await page.waitForFunction(() => {
    document.querySelector(".log").scrollTop = 0;
    return document.querySelector(".to-end");
  });
  await say(page, "Remember that parcel 8 is on shelf 8");
  await isAtEnd();
  await page.context().close();
});

test("a conversation whose messages are of all heights opens again", async () => {
  const page = await tab();
  for (let turn = 0; turn < 16; turn++) {
    await say(page, `Remember that parcel ${turn} is${" very".repeat(turn % 2 ? 600 : 1)} heavy`);
  }
  for (const height of [500, 800, 1100]) {
    await page.setViewportSize({ width: 1280, height });
    await page.reload();
    await settled(page);
    await page.locator(".message", { hasText: "parcel 15" }).first().waitFor();
    assert.match(await say(page, "Hello"), /./);
  }
  await page.context().close();
});

test("with 5,000 entries few rows are on the page, and it answers as before", async () => {
  const page = await tab(PHONE);
  await page.locator("header [data-tour=settings]").click();
  await page.getByRole("button", { name: "Import memories" }).click();
  const lines = Array.from({ length: 4_999 }, (_, n) =>
    JSON.stringify({ content: `Parcel ${n} went to shelf ${n % 97}` }),
  );
  lines.push(JSON.stringify({ content: "The lighthouse keeper plays the accordion" }));
  const file = { name: "many.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator(".result", { hasText: "5,000 memories imported" }).waitFor({ timeout: 300_000 });
  await page.keyboard.press("Escape");
  assert.match(await say(page, "What does the lighthouse keeper play?"), /accordion/);
  await page.locator(".tabs button").last().click();
  const panel = await openView(page, "knowledge");
  await panel.getByText("lighthouse keeper").first().waitFor();
  const rows = () => panel.getByRole("listitem").count();
  assert.ok((await rows()) < 200, `${await rows()} rows`);
  await panel
    .locator(".scroll")
    .first()
    .evaluate((box) => {
      box.scrollTop = box.scrollHeight;
    });
  await panel.getByText("Parcel 0 went").waitFor();
  assert.ok((await rows()) < 200, `${await rows()} rows`);
  await page.context().close();
});

test("a long title does not push the conversations off a phone's screen", async () => {
  const page = await tab(PHONE);
  await say(page, "I live in Porto with my sister Inês and her two children, and I am allergic to peanuts.");
  await page.locator("header [data-tour=sessions]").click();
  const list = page.getByRole("dialog");
  await list.waitFor();
  const sideways = await list.evaluate(({ scrollWidth, clientWidth, scrollLeft }) => [
    scrollWidth - clientWidth,
    scrollLeft,
  ]);
  assert.deepEqual(sideways, [0, 0]);
  await page.context().close();
});

for (const [screen, options] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing wrong: ${screen}, ${colorScheme}`, async () => {
      const page = await tab({ ...options, colorScheme });
      const clean = async (what) => assert.deepEqual(await axeProblems(page), [], what);
      // Only Chromium can be told what the user likes.
      if (colorScheme === "dark" && BROWSER !== "chromium") await page.keyboard.press("d");
      /** Looks at a dialog that is opening, and closes it. */
      const dialog = async (name) => {
        await page.getByRole("dialog", { name }).waitFor();
        await clean(name);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog", { name }).waitFor({ state: "detached" });
      };
      await clean("empty");
      await page.getByRole("button", { name: "Two-minute tour" }).click();
      await page.locator(".tour").waitFor();
      await clean("tour");
      await page.keyboard.press("Escape");
      await loadSample(page);
      await say(page, "What is Noah allergic to?");
      await clean("chat");
      if (screen === "phone") {
        await page.locator("header [data-tour=sessions]").click();
        await page.getByRole("dialog").waitFor();
        await clean("sessions");
        await page.keyboard.press("Escape");
      }
      await page.locator("header [data-tour=settings]").click();
      await page.getByRole("dialog").waitFor();
      await page.getByLabel("OpenAI-compatible endpoint").check();
      await clean("settings");
      await page.getByRole("button", { name: "Import memories" }).click();
      await dialog("Import memories");
      await page.locator("header [data-tour=settings]").click();
      await page.getByRole("button", { name: "Erase everything" }).click();
      await dialog("Erase everything?");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await dialog("Keyboard shortcuts");
      if (screen === "desktop") {
        await page
          .getByRole("button", { name: /^Delete/ })
          .first()
          .click();
        await dialog("Delete this conversation?");
      }
      if (screen === "phone") await page.locator(".tabs button").last().click();
      for (const view of VIEWS) {
        const panel = await openView(page, view);
        await panel.locator("*").first().waitFor();
        await clean(`inspector: ${view}`);
      }
      await page.context().close();
    });
  }
}

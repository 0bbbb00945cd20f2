// What holds in every view of the inspector: stored text stays text, nobody is left out, and size does not matter.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axeProblems } from "./support/axe.mjs";
import { fill, looked, tab, VIEWS, view } from "./support/inspector-tabs.mjs";

/** What runs if anything stored is ever taken for markup. */
const HOSTILE = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>"'&lt;`;
const PANES = ["entries", "profile", "skills", "graph"];

/** Opens everything that can be opened in a view. */
async function openAll(page, name) {
  await view(page, name);
  if (name === "search") {
    await page.locator("input[type=search]").fill("deploy keys");
    await page.locator(".hits li").first().waitFor();
    await page.locator(".whynot input").fill("fact-3");
    await page.locator(".whynot dd").first().waitFor();
  }
  if (name === "time") {
    await page.locator(".bracket summary").first().click();
    await page.locator(".bracket .said").first().waitFor();
    await page.locator(".track-scroll").focus();
    await page.keyboard.press("End");
    await page.locator(".opened .said").waitFor();
  }
  if (name === "experience") await page.locator("details.step").first().locator("summary").first().click();
  if (name === "files") {
    await page.locator(".leaf").first().click();
    await page.getByText("Earlier versions").click();
  }
  if (name === "storage") await page.getByRole("button", { name: "Choose what to erase" }).click();
  if (name === "now") await page.locator(".figures").waitFor();
}

async function openPane(page, pane) {
  await page.locator(`#tab-${pane}`).click();
  if (pane === "entries") {
    await page.locator(".row", { hasText: "green tea" }).click();
    await page.locator(".content").waitFor();
    await page.locator("summary", { hasText: "earlier" }).click();
  }
  if (pane === "graph") await page.locator(".entities summary").first().click();
  if (pane === "profile") await page.locator("tbody tr").first().waitFor();
  if (pane === "skills") await page.locator(".cards .card").first().waitFor();
}

test("S9 nothing stored is ever taken for markup, whichever field it is in", async () => {
  const page = await tab("inspector-hostile", { session: "chat-1" });
  await fill(page, HOSTILE);
  const shown = new Set();
  const look = async (name) => {
    const state = await page.evaluate((hostile) => {
      const { shadowRoot } = globalThis.element;
      const attributes = [...shadowRoot.querySelectorAll("*")].flatMap((one) => [...one.attributes]);
      return {
        hacked: globalThis.hacked,
        images: shadowRoot.querySelectorAll("img, script, iframe, a[href^=javascript]").length,
        handlers: attributes.filter(({ name }) => name.startsWith("on")).length,
        styles: shadowRoot.querySelectorAll("style, link").length,
        says: shadowRoot.textContent.includes(hostile),
      };
    }, "<img src=x onerror=");
    assert.deepEqual(state, { ...state, hacked: undefined, images: 0, handlers: 0, styles: 0 }, name);
    if (state.says) shown.add(name);
  };
  for (const name of VIEWS) {
    await openAll(page, name);
    for (const pane of name === "knowledge" ? PANES : []) {
      await openPane(page, pane);
      await look(pane);
    }
    await look(name);
  }
  // The markup was there to be seen, as text.
  for (const name of ["now", "search", "time", ...PANES, "experience", "files"])
    assert.ok(shown.has(name), name);
  assert.deepEqual(await page.evaluate(() => globalThis.violations), []);
  await page.close();
});

test("no view has anything that axe finds, light and dark, narrow and wide", async () => {
  const page = await looked();
  const all = [];
  for (const theme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((theme) => {
        // Said plainly, for what is around the inspector: axe takes white for granted.
        Object.assign(document.documentElement.style, { colorScheme: theme, background: "Canvas" });
        globalThis.element = globalThis.helper.show(globalThis.memory, { theme, session: "chat-1" });
      }, theme);
      const look = async (name) => {
        const found = await axeProblems(page);
        all.push(...found.map((what) => `${name} ${theme} ${width}: ${what}`));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) all.push(`${name} is ${wide} pixels too wide at ${width}`);
      };
      for (const name of VIEWS) {
        await openAll(page, name);
        for (const pane of name === "knowledge" ? PANES : []) {
          await openPane(page, pane);
          await look(pane);
        }
        await look(name);
      }
    }
  }
  assert.deepEqual(all, []);
  await page.close();
});

test("it speaks Vietnamese and Japanese, by its own language or the page's, and says every word", async () => {
  const page = await looked({ lang: "vi-VN" });
  const words = { vi: ["Hiện tại", "Kiến thức"], ja: ["現在", "知識"] };
  for (const lang of ["vi", "ja"]) {
    await page.evaluate((lang) => {
      globalThis.element.lang = "";
      globalThis.element.removeAttribute("lang");
      document.documentElement.lang = lang;
      globalThis.element = globalThis.helper.show(globalThis.memory, { session: "chat-1" });
    }, lang);
    for (const word of words[lang]) await page.getByRole("tab", { name: word }).waitFor();
    for (const name of VIEWS) {
      await view(page, name);
      await page.locator(".card, .empty, form").first().waitFor();
      const all = await page.evaluate(() => globalThis.element.shadowRoot.textContent);
      assert.ok(
        !/\{\w+\}|undefined|NaN|\[object/.test(all),
        all.match(/.{20}(\{\w+\}|undefined|NaN|\[object).{20}/)?.[0],
      );
    }
  }
  await page.evaluate(() => globalThis.element.setAttribute("lang", "en"));
  await page.getByRole("tab", { name: "Knowledge" }).waitFor();
  await page.close();
});

test("the parts of a score and the groups have names in each language", async () => {
  const page = await looked({ view: "search" });
  const legends = {};
  for (const lang of ["en", "vi", "ja"]) {
    await page.evaluate((lang) => {
      globalThis.element = globalThis.helper.show(globalThis.memory, { lang, view: "search" });
    }, lang);
    // English is shown until the words of another language are loaded.
    await page.locator(`.app[lang=${lang}]`).waitFor();
    await page.locator("input[type=search]").fill("deploy keys");
    await page.locator("[data-ranking=formula] .hits li").first().waitFor();
    legends[lang] = await page.locator(".legend li").allTextContents();
    const label = await page.locator(".hits .bar").first().getAttribute("aria-label");
    for (const [name, words] of Object.entries({ vi: /từ “deploy”/, ja: /単語「deploy」/ }))
      if (name === lang) assert.match(label, words);
    const facts = await page.locator(".hits .facts").allTextContents();
    assert.ok(lang === "en" || facts.every((text) => !/long-term|short-term/.test(text)), facts.join(" "));
  }
  assert.equal(legends.vi.length, legends.en.length);
  for (const lang of ["vi", "ja"]) {
    assert.deepEqual(
      legends[lang].filter((name) => legends.en.includes(name) || /^[a-z ]+$/.test(name)),
      [],
    );
  }
  await page.close();
});

test("of 20,000 entries fewer than 200 rows are there, wherever one looks", async () => {
  const page = await tab("inspector-many", { view: "knowledge" });
  await page.evaluate(() => globalThis.helper.fillMany(globalThis.memory, 20_000));
  await page.locator("option", { hasText: "bulk (20,000)" }).waitFor({ state: "attached" });
  await page.locator(".row", { hasText: "Entry number 19999 " }).waitFor();
  const count = () => page.locator("[role=listitem]").count();
  assert.ok((await count()) < 200);
  await page.locator(".scroll").evaluate((box) => {
    box.scrollTop = box.scrollHeight;
  });
  await page.locator(".row", { hasText: "Entry number 0 " }).waitFor();
  assert.ok((await count()) < 200);
  await page.locator(".row", { hasText: "Entry number 0 " }).focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() =>
    globalThis.element.shadowRoot.activeElement?.textContent.includes("number 19999 "),
  );
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() =>
    globalThis.element.shadowRoot.activeElement?.textContent.includes("number 19998 "),
  );
  // What is written far away leaves the place where one reads alone.
  await page.locator(".scroll").evaluate((box) => {
    box.scrollTop = 4800;
  });
  await page.locator(".row", { hasText: "Entry number 19890 " }).waitFor();
  await page.evaluate(() => globalThis.memory.add("The newest", { namespace: "long-term" }));
  await page.locator(".row", { hasText: "Entry number 19891 " }).waitFor();
  assert.equal(await page.locator(".scroll").evaluate((box) => box.scrollTop), 4800);
  await page.close();
});

// What the inspector calls things: conversations by their titles, the library's words in the language of the page, and
// results where they were asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { says, tab, view } from "./support/inspector-tabs.mjs";

const UUID = "0b8f7c9e-53a1-4a6e-9d55-0c1f2e3d4a5b";

/** A memory with a titled session, a fork of it, a skill for the user, and an entry of a session that is gone. */
async function talked(name, properties) {
  const page = await tab(name, properties);
  await page.evaluate(async (id) => {
    const { memory } = globalThis;
    const session = memory.session(id, { compression: false });
    const { id: at } = await session.append({ role: "user", content: "The parcel is on shelf 4" });
    await session.setTitle("Where the parcel is");
    await session.fork({ at, to: `${id}-fork` });
    await memory.session(`${id}-fork`).setTitle("A branch");
    const draft = { namespace: "long-term", speaker: "user", tags: ["instruction", "shop"] };
    await memory.add("The parcel is on shelf 4", { ...draft, id: "parcel", session: id });
    await memory.add("The parcel weighs nine kilos", { ...draft, id: "weight", session: `${id}-gone` });
    await memory.procedural.addSkill({
      use_when: "fetch a parcel",
      tool_sops: [{ tool: "you", action: "look on shelf 4" }],
    });
  }, UUID);
  return page;
}

const all = (page) => page.evaluate(() => globalThis.element.shadowRoot.textContent);

test("a conversation is called by its title, never by its id", async () => {
  const page = await talked("inspector-titles", { view: "search", hints: false, session: UUID });
  await page.locator("input[type=search]").fill("parcel");
  await page.locator("[data-ranking=best] .facts", { hasText: "Where the parcel is" }).first().waitFor();
  await page.locator("[data-ranking=best] .facts", { hasText: "another conversation" }).first().waitFor();
  assert.ok(!(await all(page)).includes(UUID));
  await page.locator(".facts button", { hasText: "Where the parcel is" }).first().click();
  await page.locator("#tab-time[aria-selected=true]").waitFor();
  await page.locator(".choices button", { hasText: "A branch" }).click();
  await says(page, "branched from Where the parcel is");
  assert.ok(!(await all(page)).includes(UUID));
  await view(page, "knowledge");
  await page.locator(".row", { hasText: "shelf 4" }).click();
  await page.locator(".pairs", { hasText: "Where the parcel is" }).waitFor();
  assert.ok(!(await all(page)).includes(UUID));
  await page.close();
});

const SPOKEN = {
  en: { speaker: "user", tag: "instruction", you: "you", score: "word “parcel”" },
  vi: { speaker: "người dùng", tag: "chỉ dẫn", you: "bạn", score: "từ “parcel”" },
  ja: { speaker: "ユーザー", tag: "指示", you: "あなた", score: "単語「parcel」" },
};

test("roles, tags of the library and the user's own steps are in the language of the page", async () => {
  const page = await talked("inspector-spoken");
  for (const [lang, words] of Object.entries(SPOKEN)) {
    await page.evaluate((lang) => {
      globalThis.element = globalThis.helper.show(globalThis.memory, { lang, view: "search" });
    }, lang);
    await page.locator(`.app[lang=${lang}]`).waitFor();
    await page.locator("input[type=search]").fill("parcel");
    const facts = page.locator("[data-ranking=best] .hits .facts").first();
    await facts.waitFor();
    const spans = await facts.locator("span").allTextContents();
    for (const word of [words.speaker, words.tag, "shop"])
      assert.ok(spans.includes(word), `${lang}: ${spans}`);
    const score = await page.locator("[data-ranking=best] .hits .bar").first().getAttribute("aria-label");
    assert.ok(score.includes(words.score), score);
    await view(page, "knowledge");
    await page.locator(".row", { hasText: "shelf 4" }).click();
    await page.locator(".pairs dd", { hasText: words.speaker }).waitFor();
    await page.locator(".tag", { hasText: words.tag }).first().waitFor();
    await page.locator("#tab-skills").click();
    await page.locator(".steps code", { hasText: words.you }).waitFor();
  }
  await page.close();
});

test("what was erased is said where it was asked for, and not beside the export", async () => {
  const page = await talked("inspector-erased", { view: "storage" });
  await page.getByRole("button", { name: "Choose what to erase" }).click();
  await page.locator(".confirm input:not([type=checkbox])").fill("ERASE");
  await page.getByRole("button", { name: "Erase for good" }).click();
  await page.locator(".erase .result", { hasText: "Erased." }).waitFor();
  assert.equal(await page.locator(".transfer .result").count(), 0);
  await page.getByRole("button", { name: "Export as JSONL" }).click();
  await page.locator(".transfer .result", { hasText: "exported" }).waitFor();
  await page.close();
});

test("each part of a prompt has a colour of its own, which is seen on the card", async () => {
  const page = await talked("inspector-tones", { view: "now", session: UUID });
  await page.locator(".legend li").first().waitFor();
  for (const theme of ["light", "dark"]) {
    const found = await page.evaluate((theme) => {
      const { element } = globalThis;
      element.setAttribute("theme", theme);
      const card = element.shadowRoot.querySelector(".card");
      const colour = (name) => {
        const dot = document.createElement("span");
        dot.className = name;
        card.append(dot);
        const { backgroundColor } = getComputedStyle(dot);
        dot.remove();
        return backgroundColor;
      };
      const legend = [...element.shadowRoot.querySelectorAll(".legend .dot")].map(
        ({ className }) => className,
      );
      return {
        tones: Array.from({ length: 9 }, (_, n) => colour(`tone-${n}`)),
        legend,
        ground: getComputedStyle(card).backgroundColor,
      };
    }, theme);
    assert.equal(new Set(found.tones).size, 9, `${found.tones}`);
    assert.equal(new Set(found.legend).size, found.legend.length, `${found.legend}`);
    for (const tone of found.tones) assert.ok(contrast(tone, found.ground) >= 3, `${theme} ${tone}`);
  }
  await page.close();
});

/** The contrast of two colours as `rgb(r, g, b)`. */
function contrast(one, other) {
  const [light, dark] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("on a phone no header of a table is broken inside a word", async () => {
  const page = await tab("inspector-narrow", { view: "experience" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(async () => {
    const { memory } = globalThis;
    await memory.experience.logStep({
      taskType: "order",
      toolName: "book_courier",
      success: true,
      latencyMs: 5,
      cost: 1,
    });
    await memory.profile.update({ name: "Hue" }, { source: "settings" });
  });
  for (const lang of ["en", "vi", "ja"]) {
    for (const name of ["experience", "profile", "storage"]) {
      await page.evaluate(
        ([lang, view]) => {
          globalThis.element = globalThis.helper.show(globalThis.memory, { lang, view });
        },
        [lang, name === "profile" ? "knowledge" : name],
      );
      await page.locator(`.app[lang=${lang}]`).waitFor();
      if (name === "profile") await page.locator("#tab-profile").click();
      await page.locator("thead th").first().waitFor();
      assert.deepEqual(await page.evaluate(brokenHeaders), [], `${lang} ${name}`);
    }
  }
  await page.close();
});

/** The words of headers, and of names of tools, that are on two lines. Runs on the page. */
function brokenHeaders() {
  const cells = globalThis.element.shadowRoot.querySelectorAll("thead th, tbody th code");
  return [...cells].flatMap((cell) => {
    const text = cell.firstChild;
    return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return lines.size > 1 ? [word] : [];
    });
  });
}

test("a time is a clock today, a day this year, and has its year otherwise", async () => {
  const page = await tab("inspector-dates", { view: "time" });
  const texts = await page.evaluate(async () => {
    const { memory } = globalThis;
    const now = new Date();
    const earlier = new Date(now.getFullYear(), now.getMonth() === 0 ? 1 : 0, 5, 8, 21);
    const times = { today: now, "this year": earlier, before: new Date(now.getFullYear() - 2, 4, 6, 8, 21) };
    for (const [id, at] of Object.entries(times)) {
      await memory
        .session(id, { compression: false })
        .append({ role: "user", content: "x", at: at.getTime() });
      await memory.add(id, { id, namespace: "long-term", at: at.getTime() });
    }
    const written = (at, options) => at.toLocaleString("en", options);
    return {
      today: /^\d\d:\d\d [AP]M$/.source,
      "this year": `^${written(earlier, { day: "numeric", month: "short" })}$`,
      before: `^${written(times.before, { day: "numeric", month: "short", year: "numeric" })}$`,
    };
  });
  for (const [id, wanted] of Object.entries(texts)) {
    await page.locator(".choices button", { has: page.getByText(id, { exact: true }) }).click();
    await page.locator(".track-scroll").focus();
    await page.keyboard.press("End");
    await page.locator(".opened time").waitFor();
    await page.waitForFunction(
      (wanted) =>
        new RegExp(wanted).test(globalThis.element.shadowRoot.querySelector(".opened time")?.textContent),
      wanted,
    );
  }
  await page.close();
});

test("heads of edges are above the names, at the rim of their node, in the colour of their edge", async () => {
  const page = await tab("inspector-heads", { view: "knowledge" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() =>
    globalThis.memory.semantic.graph.add({
      entities: ["Mai", "Noah", "Aiko"].map((name) => ({ name, type: "person" })),
      relations: [
        { from: "Noah", to: "Mai", type: "is the son of" },
        { from: "Aiko", to: "Mai", type: "is married to" },
      ],
    }),
  );
  await page.locator("#tab-graph").click();
  await page.locator("svg .node", { hasText: "Noah" }).locator("circle").click();
  await page.locator("svg .relation.on").waitFor();
  const found = await page.evaluate(() => {
    const svg = globalThis.element.shadowRoot.querySelector("svg.graph");
    const circle = [...svg.querySelectorAll(".node")].find(
      (one) => one.textContent === "Mai",
    ).firstElementChild;
    const box = circle.getBoundingClientRect();
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const radius = circle.r.baseVal.value * scale;
    const lines = [...svg.querySelectorAll(".relation line")];
    return [...svg.querySelectorAll(".head")].map((head, n) => {
      const tip = new DOMPoint(0, 0).matrixTransform(head.getScreenCTM());
      const far = Math.hypot(tip.x - (box.x + box.width / 2), tip.y - (box.y + box.height / 2));
      const after = [...svg.querySelectorAll("text")].every(
        (text) => text.compareDocumentPosition(head) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
      const same = getComputedStyle(head).stroke === getComputedStyle(lines[n]).stroke;
      return { atRim: Math.abs(far - radius) < 1, after, same };
    });
  });
  assert.deepEqual(found, Array(2).fill({ atRim: true, after: true, same: true }));
  await page.close();
});

test("what stands above and below the forms of a memory has a gap", async () => {
  const page = await talked("inspector-gaps", { view: "knowledge" });
  await page.locator(".row", { hasText: "shelf 4" }).click();
  /** The pixels between two elements. */
  const gap = (above, below) =>
    page.evaluate(
      (names) => {
        const [one, other] = names.map((name) =>
          globalThis.element.shadowRoot.querySelector(name).getBoundingClientRect(),
        );
        return other.top - one.bottom;
      },
      [above, below],
    );
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.locator(".confirm").waitFor();
  assert.equal(await gap(".content", ".confirm"), 10);
  assert.equal(await gap(".confirm", ".confirm + .facts"), 10);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.locator(".confirm textarea").waitFor();
  assert.equal(await gap(".confirm", ".confirm + .facts"), 10);
  const weight = await page
    .locator(".confirm textarea")
    .evaluate((area) => getComputedStyle(area).fontWeight);
  assert.equal(weight, "400");
  await page.close();
});

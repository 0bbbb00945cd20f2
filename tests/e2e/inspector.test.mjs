// The views of the inspector, on a memory with some of everything in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, looked, says, tab, VIEWS, view } from "./support/inspector-tabs.mjs";

test("without a memory it says what to do; one that is set is shown, and another takes its place", async () => {
  const page = await tab("inspector-empty");
  await says(page, /No conversations yet/);
  for (const [name, words] of [
    ["search", /Type something to find/],
    ["time", /No conversations yet/],
    ["knowledge", /Nothing is remembered yet/],
    ["experience", /No tool has been used yet/],
    ["files", /No files yet/],
    ["storage", /Contents/],
  ]) {
    await view(page, name);
    await says(page, words);
  }
  await page.evaluate(() => {
    globalThis.element.memory = null;
  });
  await says(page, /No memory is open/);
  await page.evaluate(async () => {
    await globalThis.memory.add("still open");
    const other = await globalThis.helper.open("inspector-other");
    await other.session("s-9").append({ role: "user", content: "From the other one" });
    globalThis.element.view = "now";
    globalThis.element.memory = other;
  });
  await says(page, "From the other one");
  assert.equal(await page.evaluate(() => globalThis.element.getAttribute("view")), "now");
  await page.close();
});

test("the calls that fill an empty view are for developers: an app can hide them", async () => {
  const page = await tab("inspector-hints");
  const calls = async () => {
    const found = [];
    for (const name of VIEWS) {
      await view(page, name);
      await page.locator(`#panel-${name}`).waitFor();
      for (const pane of name === "knowledge" ? ["entries", "profile", "skills", "graph"] : [undefined]) {
        if (pane) await page.locator(`#tab-${pane}`).click();
        await page.locator(".empty, .card").first().waitFor();
        await page.getByText("Loading…").waitFor({ state: "detached" });
        const text = await page.evaluate(() => globalThis.element.shadowRoot.textContent);
        if (/memory\.\w+/.test(text)) found.push(pane ?? name);
      }
    }
    return found;
  };
  const filled = ["now", "time", "entries", "profile", "skills", "graph", "experience", "files"];
  assert.deepEqual(await calls(), filled);
  await page.evaluate(() => {
    globalThis.element.hints = false;
  });
  assert.deepEqual(await calls(), []);
  await page.close();
});

test("a property that is set before the element is known counts, and so do two names for it", async () => {
  const page = await tab("inspector-upgrade");
  const found = await page.evaluate(async () => {
    const { defineInspector } = await import("/pkg/dist/inspector/inspector.js");
    const early = document.createElement("other-inspector");
    early.memory = globalThis.memory;
    early.view = "storage";
    document.querySelector("main").replaceChildren(early);
    const made = defineInspector("other-inspector");
    const refused = (() => {
      try {
        defineInspector("NoName");
      } catch (error) {
        return error.name;
      }
    })();
    return [made === defineInspector("other-inspector"), early instanceof made, early.view, refused];
  });
  assert.deepEqual(found, [true, true, "storage", "SyntaxError"]);
  await says(page, "Contents");
  await page.evaluate(() => document.querySelector("other-inspector").setAttribute("view", "no-such-view"));
  await says(page, /No conversations yet/);
  await page.close();
});

test("tabs go by the keyboard", async () => {
  const page = await looked();
  await page.locator("#tab-now").focus();
  const open = () => page.evaluate(() => globalThis.element.shadowRoot.activeElement?.id);
  for (const [key, wanted] of [
    ["ArrowRight", "tab-search"],
    ["End", "tab-storage"],
    ["ArrowRight", "tab-now"],
    ["ArrowLeft", "tab-storage"],
    ["Home", "tab-now"],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await open(), wanted, key);
    await page.locator(`#${wanted}[aria-selected=true]`).waitFor();
  }
  await page.close();
});

test("now: the prompt by parts, a budget that recompiles it, and the way to where a part lives", async () => {
  const page = await looked();
  await view(page, "now");
  const figures = page.locator(".figures");
  await figures.waitFor();
  const prompt = await page.evaluate(() => globalThis.memory.session("chat-1").context({ budget: 8000 }));
  assert.equal(Number(await figures.getAttribute("data-tokens")), prompt.tokens);
  assert.equal(await page.locator("pre.prompt").textContent(), prompt.prompt);
  assert.equal(await page.locator(".items li").count(), prompt.used.length + prompt.left.length);
  for (const part of ["Profile", "Messages", "Skills", "Memories", "Summary"]) {
    await page.locator(".legend").getByText(part).first().waitFor();
  }

  await page.locator("input[type=range]").fill("700");
  await page.locator('.figures[data-budget="700"]').waitFor();
  const smaller = await page.evaluate(() => globalThis.memory.session("chat-1").context({ budget: 700 }));
  assert.equal(Number(await figures.getAttribute("data-tokens")), smaller.tokens);
  assert.ok(smaller.tokens < prompt.tokens && smaller.left.length > 0);
  await page.getByText("no room").first().waitFor();

  // Another question brings other memories.
  await page.locator("input[type=range]").fill("8000");
  await page.locator("input[type=search]").fill("what does Hue drink?");
  await page.locator(".items button", { hasText: "green tea" }).first().click();
  await page.locator("#tab-knowledge[aria-selected=true]").waitFor();
  await page.locator(".content", { hasText: "Hue prefers green tea to coffee" }).waitFor();

  await view(page, "now");
  const [history] = await page.evaluate(() => globalThis.memory.session("chat-1").histories());
  const summary = history.text.replace(/\s+/g, " ").slice(0, 60);
  await page.locator(".items button", { hasText: summary }).click();
  await page.locator("#tab-time[aria-selected=true]").waitFor();
  await page.locator(".bracket[open] .said", { hasText: "step 0 of the deploy" }).waitFor();
  await page.close();
});

test("now: each part is named by its own words, not by an id", async () => {
  const page = await tab("inspector-words", { session: "chat-now" });
  await page.evaluate(async () => {
    const { memory } = globalThis;
    await memory.profile.update({ name: "Hue Nguyen", style: { tone: "short" } });
    await memory.add("The harbour lighthouse was painted red in spring", { namespace: "long-term" });
    const old = memory.session("chat-old", { compression: false });
    await old.append([
      { id: "18-0c4e5b", role: "user", content: "The lighthouse keeper plays the accordion on Sundays." },
    ]);
    const now = memory.session("chat-now", { compression: false });
    await now.append({ role: "user", content: "What does the lighthouse keeper play?" });
  });
  await page.locator(".items button", { hasText: "accordion on Sundays" }).waitFor();
  const prompt = await page.evaluate(() => globalThis.memory.session("chat-now").context({ budget: 8000 }));
  assert.ok(
    prompt.used.some(({ ref }) => ref === "18-0c4e5b"),
    JSON.stringify(prompt.used),
  );
  const labels = await page.locator(".items .grow").allTextContents();
  const refs = prompt.used.map(({ ref }) => ref);
  assert.deepEqual(
    labels.filter((label) => refs.includes(label)),
    [],
  );
  assert.ok(labels.includes("Hue Nguyen, short"), labels.join("\n"));
  await page.locator(".items button", { hasText: "accordion on Sundays" }).click();
  await page.locator("#tab-time[aria-selected=true]").waitFor();
  await page.locator(".opened", { hasText: "accordion on Sundays" }).waitFor();
  await page.close();
});

/** Parts of a score whose labels are no words for a person. */
const PLAIN = { tells: "a statement", part: "part of a word", recency: "how recent" };

test("search: both rankings with their receipts, and why not", async () => {
  const page = await looked();
  await view(page, "search");
  await page.locator("input[type=search]").fill("deploy keys");
  await page.locator("[data-ranking=best] .hits li").first().waitFor();
  const wanted = await page.evaluate(async () => ({
    best: await globalThis.memory.search("deploy keys", { limit: 20, explain: true }),
    formula: await globalThis.memory.search("deploy keys", { limit: 20, explain: true, ranking: "formula" }),
  }));
  for (const [ranking, hits] of Object.entries(wanted)) {
    const shown = page.locator(`[data-ranking=${ranking}] .hits li`);
    assert.equal(await shown.count(), hits.length);
    const parts = hits[0].receipt.filter(({ value }) => value > 0);
    assert.equal(await shown.first().locator(".bar span").count(), parts.length);
    const said = await shown.first().locator(".bar").getAttribute("aria-label");
    for (const { label } of parts) assert.ok(said.includes(PLAIN[label] ?? label), `${said}: ${label}`);
  }
  await page
    .locator(".unseen[role=status]", { hasText: `${wanted.best.length} result` })
    .waitFor({ state: "attached" });

  await page.locator(".whynot input").fill("fact-3");
  await page
    .locator(".whynot dd", { hasText: /none of these words|too low|ranks? higher/ })
    .first()
    .waitFor();
  await page.locator(".whynot input").fill("nobody");
  await page.locator(".whynot dd", { hasText: "No memory has this id." }).first().waitFor();
  await page.close();
});

test("time: lanes, compressions that open, a chain that is verified, and a broken link that is named", async () => {
  const page = await tab("inspector-time", { view: "time", session: "chat-1" });
  await fill(page);
  const lane = async (name) =>
    Number(await page.locator(".lanes div", { hasText: name }).locator("dd").textContent());
  await page.locator(".lanes").waitFor();
  await page.locator(".bracket").first().waitFor();
  const view = await page.evaluate(() => globalThis.memory.session("chat-1").view());
  const hot = view.filter(({ kind }) => kind === "message").length;
  assert.equal(await lane("Full text"), hot);
  assert.equal(await lane("Summarised"), 51 - hot);
  assert.equal(await lane("Start only"), 0);
  assert.equal(await lane("In the log"), 51);
  await page.locator(".bracket summary").first().click();
  await page.locator(".bracket .said", { hasText: "step 3 of the deploy" }).waitFor();

  // Arrows go through the messages.
  await page.locator(".track-scroll").focus();
  await page.keyboard.press("End");
  await page.locator(".opened", { hasText: "who tells the channel" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".opened", { hasText: "The rotation is at nine." }).waitFor();
  const told = page.evaluate(
    () =>
      new Promise((resolve) => {
        globalThis.element.addEventListener("keepsake-open", ({ detail }) => resolve(detail), { once: true });
      }),
  );
  await page.locator(".opened button.out").click();
  assert.deepEqual(await told, { kind: "message", ref: "result-1", session: "chat-1" });

  await page.getByRole("button", { name: "Check the log" }).click();
  const { links } = await page.evaluate(() => globalThis.memory.log.verify());
  await page
    .locator(".result", { hasText: `The log is complete and unchanged: ${links} changes.` })
    .waitFor();

  const broken = await page.evaluate(tamper);
  assert.equal(broken.ok, false);
  await page.getByRole("button", { name: "Check the log" }).click();
  await page.locator("[role=alert]", { hasText: `Change ${broken.seq} does not match` }).waitFor();
  await page.close();
});

/** Changes bytes of the log behind the memory's back until it notices; answers what it says. Runs on the page. */
async function tamper() {
  const name = (await indexedDB.databases())
    .map((one) => one.name)
    .find((one) => one.includes("inspector-time"));
  const asked = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await asked(indexedDB.open(name));
  const store = () => database.transaction("log", "readwrite").objectStore("log");
  const keys = await asked(store().getAllKeys());
  const key = keys[Math.floor(keys.length / 2)];
  const value = await asked(store().get(key));
  // A page, or one that carries a record.
  const bytes = value.page ?? value;
  bytes[bytes.length - 3] ^= 1;
  await asked(store().put(value, key));
  database.close();
  return globalThis.memory.log.verify();
}

test("knowledge: entries with expiry and importance, the profile with sources, skills, the graph", async () => {
  const page = await looked({ view: "knowledge" });
  await page.locator(".row").first().waitFor();
  const { total } = await page.evaluate(() => globalThis.memory.stats());
  assert.equal(await page.locator(".row").count(), total);
  await page.locator(".row", { hasText: "staging database" }).getByText("importance 90%").waitFor();
  await page.locator(".row", { hasText: "Draft of the talk" }).getByText(/until/).waitFor();
  await page.locator(".row", { hasText: "green tea" }).click();
  await page.locator(".content", { hasText: "Hue prefers green tea to coffee" }).waitFor();
  await page.getByText("1 earlier version").click();
  await page.locator(".quote", { hasText: "never drinks either after noon" }).waitFor();
  await page.locator("select").selectOption({ label: "notes (1)" });
  await page.waitForFunction(() => globalThis.element.shadowRoot.querySelectorAll(".row").length === 1);

  await page.locator("#tab-profile").click();
  await page.locator("tr", { hasText: "style › tone" }).getByText("short and friendly").waitFor();
  await page.locator("tr", { hasText: "languages" }).getByText("settings").waitFor();

  await page.locator("#tab-skills").click();
  await page
    .locator(".cards .card", { hasText: "deploy keys have to be rotated" })
    .getByText("75%")
    .first()
    .waitFor();

  await page.locator("#tab-graph").click();
  await page.getByText("People and things: 6. Connections: 5.").waitFor();
  assert.equal(await page.locator("svg .node").count(), 6);
  assert.equal(await page.locator("svg .relation").count(), 5);
  await page.locator(".entities summary", { hasText: "Minh" }).click();
  await page.locator(".entities li", { hasText: "owns the budget" }).first().waitFor();
  await page.close();
});

test("knowledge: a memory is edited, set back to an earlier version, and deleted after a warning", async () => {
  const page = await tab("inspector-edit", { view: "knowledge" });
  await page.evaluate(() =>
    globalThis.memory.add("The parcel is on shelf 4", {
      id: "parcel",
      namespace: "long-term",
      tags: ["shop"],
      importance: 0.5,
      metadata: { kept: true },
    }),
  );
  const stored = () => page.evaluate(() => globalThis.memory.get("parcel"));
  const button = (name) => page.getByRole("button", { name, exact: true });
  await page.locator(".row", { hasText: "shelf 4" }).click();
  await button("Edit").click();
  assert.ok(await button("Save").isDisabled());
  await page.getByLabel("Text").fill("The parcel is on shelf 7");
  await page.getByLabel(/^Tags/).fill("shop, urgent");
  await button("Save").click();
  await page.locator(".content", { hasText: "shelf 7" }).waitFor();
  const { content, tags, importance, metadata } = await stored();
  assert.deepEqual(
    { content, tags, importance, metadata },
    {
      content: "The parcel is on shelf 7",
      tags: ["shop", "urgent"],
      importance: 0.5,
      metadata: { kept: true },
    },
  );
  await page.waitForFunction(() => globalThis.element.shadowRoot.activeElement?.textContent === "Edit");

  // What somebody else writes meanwhile is said, and not lost.
  await button("Edit").click();
  await page.getByLabel("Text").fill("The parcel is on shelf 8");
  await page.evaluate(() => globalThis.memory.update("parcel", { content: "The parcel was sent back" }));
  await page.locator("[role=alert]", { hasText: "changed elsewhere" }).waitFor();
  assert.equal(await page.getByLabel("Text").inputValue(), "The parcel is on shelf 8");
  await button("Save").click();
  await page.locator(".content", { hasText: "shelf 8" }).waitFor();
  await page.getByText("3 earlier versions").click();
  await page.locator(".quote", { hasText: "sent back" }).getByRole("button").click();
  await page.locator(".content", { hasText: "sent back" }).waitFor();

  // An error stays beside the form.
  await button("Edit").click();
  await page.getByLabel(/^Tags/).fill(`shop, ${"x".repeat(300)}`);
  await button("Save").click();
  await page.locator("[role=alert]", { hasText: "`tags[1]`" }).waitFor();
  await button("Cancel").click();

  await button("Delete…").click();
  await page.getByText("This cannot be undone.").waitFor();
  await button("Back").click();
  await page.waitForFunction(() => globalThis.element.shadowRoot.activeElement?.textContent === "Edit");
  assert.ok(await stored());
  await button("Delete…").click();
  await button("Delete for good").click();
  await page.getByText("Select a memory to read").waitFor();
  assert.equal(await stored(), null);
  await page.locator(".unseen[role=status]", { hasText: "Deleted." }).waitFor({ state: "attached" });
  await page.close();
});

test("Markdown is shown as such, and its marks do not stand in a list", async () => {
  const page = await tab("inspector-markdown", { view: "knowledge" });
  const content =
    "## Allergens\n\nEvery **bread** with `nuts` or 2*3*4 seeds.\n\n- left bench\n2. hot water\n> see [rules](https://example.com)\n\n```\n# code **stays**\n```\nsnake_case_name <b>not bold</b>";
  await page.evaluate((content) => globalThis.memory.add(content, { namespace: "long-term" }), content);
  const row = page.locator(".row", { hasText: "Allergens" });
  assert.match(await row.locator(".name").textContent(), /^Allergens Every bread with nuts or 2\*3\*4 seeds/);
  await row.click();
  const text = page.locator(".content .markdown");
  await text.waitFor();
  const found = await text.evaluate((box) => ({
    heading: box.querySelector(".heading").textContent,
    bold: [...box.querySelectorAll("b")].map((one) => one.textContent),
    code: [...box.querySelectorAll("code")].map((one) => one.textContent),
    items: [...box.querySelectorAll(".item")].map((one) => one.textContent),
    quoted: box.querySelector(".quoted").textContent,
    fenced: box.querySelector("pre").textContent,
    links: box.querySelectorAll("a").length,
    last: box.lastChild.textContent,
  }));
  assert.deepEqual(found, {
    heading: "Allergens",
    bold: ["bread"],
    code: ["nuts"],
    items: ["• left bench", "2. hot water"],
    quoted: "see rules",
    fenced: "# code **stays**",
    links: 0,
    last: "snake_case_name <b>not bold</b>",
  });
  await page.close();
});

test("at the demo's width no figure is cut off, and a relation has a direction", async () => {
  const page = await looked({ view: "experience" });
  for (const width of [650, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.locator("table.tools").waitFor();
    const over = await page.locator(".card.table").evaluate((card) => card.scrollWidth - card.clientWidth);
    assert.ok(over <= 0, `${over} pixels are cut off at ${width}`);
  }
  await view(page, "knowledge");
  await page.locator("#tab-graph").click();
  await page.locator(".entities summary", { hasText: "Ops bot" }).click();
  const line = page.locator(".relation.on line");
  await line.waitFor();
  const to = await line.evaluate((line) => [line.getAttribute("x2"), line.getAttribute("y2")]);
  const vault = page.locator(".node", { hasText: "Vault" }).locator("circle");
  assert.deepEqual(to, [await vault.getAttribute("cx"), await vault.getAttribute("cy")]);
  const head = await page.locator(".head.on").evaluate((path) => path.style.transform);
  const [x, y] = head.match(/-?[\d.]+/g).map(Number);
  assert.ok(Math.hypot(x - to[0], y - to[1]) < 0.1, `${head}: ${to}`);
  await page.close();
});

test("experience: by task and tool, charts in words, learned rules with their runs", async () => {
  const page = await looked({ view: "experience" });
  const row = page.locator("tbody tr", { has: page.locator("code", { hasText: /^deploy$/ }) });
  await row.getByText("50%").first().waitFor();
  const latency = page.locator(".chart svg").first();
  assert.match(await latency.getAttribute("aria-label"), /login .* ms/);
  assert.ok((await latency.locator("rect.bad").count()) > 0);
  const rule = page.locator(".cards .card", { hasText: "not logged in" });
  await rule.getByText("seen in 8 runs").waitFor();
  await rule.getByRole("button", { name: "run-1", exact: true }).click();
  await page.locator("details.on[open] .text", { hasText: "not logged in" }).waitFor();
  const learned = page.locator(".cards .card", { hasText: "how-to" });
  await learned.getByRole("button", { name: "run-0", exact: true }).click();
  await page.locator("details.on[open] summary", { hasText: "run-0" }).waitFor();
  await page.close();
});

test("files: a tree, advice while typing, saving, what it was, and a conflict that is said", async () => {
  const page = await tab("inspector-files", { view: "files" });
  await fill(page);
  await page.locator(".leaf", { hasText: "decisions.md" }).click();
  await page.locator(".lint .tag", { hasText: "undated" }).waitFor();
  const area = page.locator("textarea");
  await area.fill("# Decisions\n\n## 2026-03-01: Use the vault\n\n**Decision:** keys stay there\n");
  await page.locator(".lint .tag", { hasText: "undated" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("version 3").first().waitFor();
  await page.getByText("Earlier versions").click();
  await page
    .locator(".version", { hasText: "version 3" })
    .locator(".minus", { hasText: "## Something vague" })
    .waitFor();

  // Somebody else writes while this one types.
  const path = "agents/planner/memory/decisions.md";
  await area.fill("# Decisions\n\nMine.\n");
  await page.evaluate((path) => globalThis.memory.files.append(path, "Theirs."), path);
  await page.locator("[role=alert]", { hasText: "changed elsewhere" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const stored = () => page.evaluate(async (path) => (await globalThis.memory.files.read(path)).text, path);
  await page.locator("[role=alert]", { hasText: "Nothing was overwritten" }).waitFor();
  assert.ok((await stored()).includes("Theirs."));
  await page.getByRole("button", { name: "Merge both" }).click();
  await page.locator("[role=alert]", { hasText: "changed elsewhere" }).waitFor({ state: "detached" });
  const merged = await stored();
  assert.ok(merged.includes("Mine.") && merged.includes("Theirs."), merged);
  assert.equal(await area.inputValue(), merged);

  await page.locator(".new-file input").fill("deep/er/new.md");
  await page.getByRole("button", { name: "Create" }).click();
  await area.fill("# New\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".leaf", { hasText: "new.md" }).waitFor();
  await page.locator(".new-file input").fill("../out.md");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("[role=alert]", { hasText: "invalid-input" }).first().waitFor();
  await page.close();
});

test("what fails is said in the view: a budget that is too small, a memory that was closed", async () => {
  const page = await tab("inspector-failing");
  await page.evaluate(() =>
    globalThis.memory.session("long").append({ role: "user", content: "a word and another ".repeat(200) }),
  );
  await page.locator(".figures").waitFor();
  await page.locator("input[type=range]").fill("100");
  await page.locator("[role=alert]", { hasText: "`budget` is too small" }).waitFor();
  await page.locator("input[type=range]").fill("4000");
  await page.locator('.figures[data-budget="4000"]').waitFor();
  assert.equal(await page.locator("[role=alert]").count(), 0);
  await page.evaluate(() => globalThis.memory.close());
  // What was read before stays; whatever is asked for from now on is refused.
  for (const name of [...VIEWS.filter((one) => one !== "now" && one !== "search"), "now"]) {
    await view(page, name);
    await page.locator("[role=alert]", { hasText: "closed" }).first().waitFor();
  }
  await view(page, "search");
  await page.locator("input[type=search]").fill("anything");
  await page.locator("[role=alert]", { hasText: "closed" }).first().waitFor();
  await page.close();
});

test("what another tab writes appears, and the focus stays where it is", async () => {
  const page = await tab("inspector-live", { view: "knowledge" });
  await page.getByText("Nothing is remembered yet").waitFor();
  const other = await tab("inspector-live", { view: "search" });
  await other.evaluate(() => globalThis.memory.add("Written in another tab", { namespace: "long-term" }));
  await page.locator(".row", { hasText: "Written in another tab" }).waitFor();
  await page.locator(".row").focus();
  await other.evaluate(() => globalThis.memory.add("And one more", { namespace: "long-term" }));
  await page.locator(".row", { hasText: "And one more" }).waitFor();
  assert.ok(await page.evaluate(() => globalThis.element.shadowRoot.activeElement.classList.contains("row")));
  await page.close();
  await other.close();
});

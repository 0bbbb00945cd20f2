// The inspector in a real browser, under the strictest policy that an app can have, on a memory with some of everything.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../www/serve.mjs";
import { launch } from "./browser.mjs";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What runs if anything stored is ever taken for markup. */
const HOSTILE = `<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>"'&lt;`;
const VIEWS = ["now", "search", "time", "knowledge", "experience", "files", "storage"];
const PANES = ["entries", "profile", "skills", "graph"];

let server;
let browser;
let context;
const problems = [];

before(async () => {
  server = await serve({
    folder: fileURLToPath(new URL("../..", import.meta.url)),
    headers: { "Content-Security-Policy": POLICY },
  });
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
});

after(async () => {
  await browser?.close();
  await server?.close();
  assert.deepEqual(problems, []);
});

/** A tab with a memory of this name and an inspector of it. What breaks the policy, or throws, is kept. */
async function tab(name, properties = {}) {
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  await page.addInitScript(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      // The browser itself asks for an icon.
      if (!blockedURI.endsWith("/favicon.ico")) globalThis.violations.push(violatedDirective);
    });
  });
  await page.goto(new URL("/tests/e2e/inspector.html", server.url).href);
  await page.evaluate(
    async ([name, properties]) => {
      globalThis.helper = await import("/tests/e2e/inspector-page.mjs");
      globalThis.memory = await globalThis.helper.open(name);
      globalThis.element = globalThis.helper.show(globalThis.memory, properties);
    },
    [name, properties],
  );
  return page;
}

const fill = (page, mark) => page.evaluate((mark) => globalThis.helper.fill(globalThis.memory, mark), mark);
const view = (page, name) => page.locator(`#tab-${name}`).click();
const text = (page, selector) => page.locator(selector).first().textContent();

/** Waits until something of the panel says so. */
const says = (page, words) => page.locator("[role=tabpanel]").getByText(words).first().waitFor();

let filled;
/** One memory for all tests that only look. */
async function looked(properties) {
  const page = await tab("inspector-looked", { session: "chat-1", ...properties });
  filled ??= fill(page);
  await filled;
  return page;
}

test("without a memory it says what to do; one that is set is shown, and another takes its place", async () => {
  const page = await tab("inspector-empty");
  await says(page, /No conversation yet/);
  for (const [name, words] of [
    ["search", /Type what to look for/],
    ["time", /No conversation yet/],
    ["knowledge", /Nothing is remembered here yet/],
    ["experience", /Nothing was tried yet/],
    ["files", /No file yet/],
    ["storage", /What there is/],
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
  await says(page, "What there is");
  await page.evaluate(() => document.querySelector("other-inspector").setAttribute("view", "no-such-view"));
  await says(page, /No conversation yet/);
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
  assert.equal(await text(page, "pre.prompt"), prompt.prompt);
  assert.equal(await page.locator(".items li").count(), prompt.used.length + prompt.left.length);
  for (const part of ["Profile", "Dialog", "Skills", "Memories", "Summary"]) {
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
  await page.locator(".items button", { hasText: "history-001" }).click();
  await page.locator("#tab-time[aria-selected=true]").waitFor();
  await page.locator(".bracket[open] .said", { hasText: "step 0 of the deploy" }).waitFor();
  await page.close();
});

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
    for (const { label } of parts) assert.ok(said.includes(label), `${said}: ${label}`);
  }
  await page
    .locator(".unseen[role=status]", { hasText: `${wanted.best.length} hit` })
    .waitFor({ state: "attached" });

  await page.locator(".whynot input").fill("fact-3");
  await page
    .locator(".whynot dd", { hasText: /none of these words|too low|fit better/ })
    .first()
    .waitFor();
  await page.locator(".whynot input").fill("nobody");
  await page.locator(".whynot dd", { hasText: "There is no entry with this id." }).first().waitFor();
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
  assert.equal(await lane("Hot"), hot);
  assert.equal(await lane("Cold"), 51 - hot);
  assert.equal(await lane("Frozen"), 51);
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

  await page.getByRole("button", { name: "Verify the chain" }).click();
  const { links } = await page.evaluate(() => globalThis.memory.log.verify());
  await page.locator(".result", { hasText: `The chain is whole: ${links} links.` }).waitFor();

  const broken = await page.evaluate(tamper);
  assert.equal(broken.ok, false);
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await page.locator("[role=alert]", { hasText: `Link ${broken.seq} is broken` }).waitFor();
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
  const bytes = new Uint8Array(value);
  bytes[bytes.length - 3] ^= 1;
  await asked(store().put(value instanceof ArrayBuffer ? bytes.buffer : bytes, key));
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
  await page.getByText("Entities: 6, relations: 5.").waitFor();
  assert.equal(await page.locator("svg .node").count(), 6);
  assert.equal(await page.locator("svg .relation").count(), 5);
  await page.locator(".entities summary", { hasText: "Minh" }).click();
  await page.locator(".entities li", { hasText: "owns the budget" }).first().waitFor();
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
  await rule.getByText("shown by 8 runs").waitFor();
  const learned = page.locator(".cards .card", { hasText: "procedure" });
  await learned.getByRole("button", { name: "run-0" }).click();
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
  await page.getByText("What it was before").click();
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
  for (const name of VIEWS.filter((one) => one !== "search")) {
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
  await page.getByText("Nothing is remembered here yet").waitFor();
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

test("storage: what there is, and an export that another memory takes in", async () => {
  const page = await tab("inspector-out", { view: "storage" });
  await fill(page);
  await page.locator("tr", { hasText: "Messages" }).getByText("52").waitFor();
  await page.getByRole("button", { name: "Measure" }).click();
  await page
    .locator("tr", { hasText: "long-term" })
    .getByText(/\d characters/)
    .waitFor();

  const zipped = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export files as ZIP" }).click();
  const zip = await readFile(await (await zipped).path());
  assert.equal(zip.subarray(0, 2).toString(), "PK");
  const downloaded = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as JSONL" }).click();
  const lines = (await readFile(await (await downloaded).path(), "utf8")).trimEnd().split("\n");
  await page.locator(".result", { hasText: `${lines.length} lines exported.` }).waitFor();

  const other = await tab("inspector-in", { view: "storage" });
  const put = (name, text) =>
    other
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await put("memory.jsonl", lines.join("\n"));
  await other.locator(".result", { hasText: `Taken in: ${lines.length - 1}.` }).waitFor();
  const all = (where) =>
    where.evaluate(async () => [
      (await globalThis.memory.stats()).total,
      (await globalThis.memory.sessions()).map(({ title, messages }) => [title, messages]).sort(),
      await globalThis.memory.profile.get(),
      (await globalThis.memory.procedural.list()).length,
      (await globalThis.memory.files.list()).map(({ path, hash }) => [path, hash]),
      await globalThis.memory.semantic.graph.read(),
    ]);
  assert.deepEqual(await all(other), await all(page));
  const steps = lines.filter((line) => JSON.parse(line).kind === "step").length;
  assert.equal(await other.evaluate(async () => (await globalThis.memory.experience.stats()).steps), steps);
  await put("memory.jsonl", lines.join("\n"));
  await other.locator(".result", { hasText: "Taken in: 0." }).waitFor();
  await other
    .locator("input[type=file]")
    .setInputFiles({ name: "files.zip", mimeType: "application/zip", buffer: zip });
  await other.locator(".result", { hasText: "Files taken in: 0." }).waitFor();

  // What is no export is refused, and says which line is wrong.
  await put("wrong.jsonl", "hello");
  await other.locator("[role=alert]", { hasText: "line 1 is not JSON" }).waitFor();
  await put("wrong.jsonl", `${lines[0]}\n{"kind":"nothing"}`);
  await other.locator("[role=alert]", { hasText: "line 2 is of no known kind" }).waitFor();
  await put("empty.jsonl", "");
  await other.locator("[role=alert]", { hasText: "there is nothing to import" }).waitFor();
  await page.close();
  await other.close();
});

test("an import moves its bar, and ends where it is cancelled", async () => {
  const page = await tab("inspector-cancel", { view: "storage" });
  const many = 3000;
  const entry = (at) => ({
    kind: "entry",
    before: [],
    entry: {
      id: `e-${at}`,
      content: `Number ${at}`,
      namespace: "bulk",
      tags: [],
      importance: 0,
      metadata: {},
      trust: "normal",
      at: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      expiresAt: "2036-01-01T00:00:00.000Z",
    },
  });
  const header = { kind: "keepsake", version: 1, user: "u-1", namespaces: ["bulk"] };
  const lines = [header, ...Array.from({ length: many }, (_, at) => entry(at))].map((line) =>
    JSON.stringify(line),
  );
  await page.evaluate(() => {
    globalThis.seen = [];
    const look = () => {
      const bar = globalThis.element.shadowRoot.querySelector("progress[value]");
      if (bar && bar.value !== globalThis.seen.at(-1)) globalThis.seen.push(bar.value);
    };
    new MutationObserver(look).observe(globalThis.element.shadowRoot, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  });
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "m.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) });
  await page.waitForFunction(() => globalThis.seen.length >= 3);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".result", { hasText: "Cancelled." }).waitFor();
  const seen = await page.evaluate(() => globalThis.seen);
  assert.deepEqual(
    seen,
    [...seen].sort((one, other) => one - other),
  );
  const taken = await page.evaluate(() => globalThis.memory.count());
  assert.ok(taken > 0 && taken < many, `${taken}`);
  await page.locator(".result", { hasText: `Taken in: ${taken.toLocaleString("en")}.` }).waitFor();
  await page.close();
});

test("erasing shows what goes, wants a word, and takes away what was chosen and nothing else", async () => {
  const page = await tab("inspector-erase", { view: "storage" });
  await fill(page);
  await page.locator("tr", { hasText: "Messages" }).getByText("52").waitFor();
  await page.getByRole("button", { name: "Choose what to erase" }).click();
  for (const [name, count] of [
    ["Entries", 7],
    ["Sessions", 2],
    ["Profile", 4],
    ["Skills", 4],
    ["Graph", 6],
    ["Files", 3],
  ]) {
    await page.locator("label.check", { hasText: name }).getByText(String(count), { exact: true }).waitFor();
  }
  const erase = page.getByRole("button", { name: "Erase for good" });
  assert.ok(await erase.isDisabled());
  await page.locator(".confirm input:not([type=checkbox])").fill("erase");
  assert.ok(await erase.isDisabled());
  await page.locator("label.check", { hasText: "Files" }).locator("input").uncheck();
  await page.locator(".confirm input:not([type=checkbox])").fill("ERASE");
  await erase.click();
  await page.locator(".result", { hasText: "Erased." }).waitFor();
  const left = await page.evaluate(async () => ({
    entries: (await globalThis.memory.stats()).total,
    sessions: (await globalThis.memory.sessions()).length,
    profile: await globalThis.memory.profile.get(),
    skills: (await globalThis.memory.procedural.list()).length,
    graph: (await globalThis.memory.semantic.graph.read()).entities.length,
    files: (await globalThis.memory.files.list()).length,
    log: (await globalThis.memory.log.verify()).ok,
  }));
  assert.deepEqual(left, { entries: 0, sessions: 0, profile: {}, skills: 0, graph: 0, files: 3, log: true });
  await page.locator("tr", { hasText: "Sessions" }).getByText("0", { exact: true }).waitFor();
  await page.close();
});

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
    await page.getByText("What it was before").click();
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

test("nothing stored is ever taken for markup, whichever field it is in", async () => {
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
  const axe = await readFile(
    fileURLToPath(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)),
    "utf8",
  );
  await page.evaluate(axe);
  const all = [];
  for (const theme of ["light", "dark"]) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((theme) => {
        document.documentElement.style.colorScheme = theme;
        globalThis.element = globalThis.helper.show(globalThis.memory, { theme, session: "chat-1" });
      }, theme);
      const look = async (name) => {
        const found = await page.evaluate(async () => {
          const { violations } = await globalThis.axe.run(document);
          return violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`,
          );
        });
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

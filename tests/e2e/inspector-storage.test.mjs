// The inspector takes a memory out, in and away: downloads, imports that can be cancelled, erasing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { downloaded } from "./support/downloads.mjs";
import { fill, tab } from "./support/inspector-tabs.mjs";

test("storage: what there is, and an export that another memory takes in", async () => {
  const page = await tab("inspector-out", { view: "storage" });
  await fill(page);
  await page.locator("tr", { hasText: "Messages" }).getByText("52").waitFor();
  await page.getByRole("button", { name: "Measure" }).click();
  await page
    .locator("tr", { hasText: "long-term" })
    .getByText(/\d characters/)
    .waitFor();

  const exported = async (name) => {
    const { bytes } = await downloaded(page, () => page.getByRole("button", { name }).click());
    return bytes;
  };
  const zip = await exported("Export files as ZIP");
  assert.equal(zip.subarray(0, 2).toString(), "PK");
  const lines = (await exported("Export as JSONL")).toString().trimEnd().split("\n");
  await page.locator(".result", { hasText: `${lines.length} lines exported.` }).waitFor();

  const other = await tab("inspector-in", { view: "storage" });
  const put = (name, text) =>
    other
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await put("memory.jsonl", lines.join("\n"));
  // All but the header and the end.
  await other.locator(".result", { hasText: `Imported: ${lines.length - 2}.` }).waitFor();
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
  await other.locator(".result", { hasText: "Imported: 0." }).waitFor();
  await other
    .locator("input[type=file]")
    .setInputFiles({ name: "files.zip", mimeType: "application/zip", buffer: zip });
  await other.locator(".result", { hasText: "Files imported: 0." }).waitFor();

  // What is no export is refused, and says which line is wrong.
  await put("wrong.jsonl", "hello");
  await other.locator("[role=alert]", { hasText: "line 1 is not JSON" }).waitFor();
  // The first version has no end to be missed before the lines are read.
  const header = lines[0].replace('"version":2', '"version":1');
  await put("wrong.jsonl", `${header}\n{"kind":"nothing"}`);
  await other.locator("[role=alert]", { hasText: "line 2 has an unknown kind" }).waitFor();
  await put("empty.jsonl", "");
  await other.locator("[role=alert]", { hasText: "there is nothing to import" }).waitFor();
  await page.close();
  await other.close();
});

test("F43 an import moves its bar, and ends where it is cancelled", async () => {
  const page = await tab("inspector-cancel", { view: "storage" });
  const many = 20_000;
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
  await page.locator(".result", { hasText: `Imported: ${taken.toLocaleString("en")}.` }).waitFor();
  await page.close();
});

test("erasing shows what goes, wants a word, and takes away what was chosen and nothing else", async () => {
  const page = await tab("inspector-erase", { view: "storage" });
  await fill(page);
  await page.locator("tr", { hasText: "Messages" }).getByText("52").waitFor();
  await page.getByRole("button", { name: "Choose what to erase" }).click();
  for (const [name, count] of [
    ["Memories", 7],
    ["Conversations", 2],
    ["Profile", 4],
    ["Skills", 4],
    ["People and things", 6],
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
  await page.locator("tr", { hasText: "Conversations" }).getByText("0", { exact: true }).waitFor();
  await page.close();
});

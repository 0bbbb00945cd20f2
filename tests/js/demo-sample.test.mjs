// The sample memory of the demo: what it shows is in one language, and says something.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { openMemory } from "keepsake";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Inside the project, so that imports of the package are found. */
await mkdir(at("target"), { recursive: true });
const folder = await mkdtemp(at("target/demo-sample-"));
after(() => rm(folder, { recursive: true }));
await build({
  entryPoints: [at("www/src/sample/load.ts")],
  bundle: true,
  splitting: true,
  format: "esm",
  packages: "external",
  outExtension: { ".js": ".mjs" },
  outdir: folder,
});
const { loadSample } = await import(pathToFileURL(`${folder}/load.mjs`).href);

const CONTEXT = "agents/demo/memory/context.md";
const DECISIONS = "agents/demo/memory/decisions.md";
const HEADINGS = {
  en: ["## Active Focus", "## Notes", "| Aspect | Status | Notes |", "> Last updated: "],
  vi: ["## Đang tập trung", "## Ghi chú", "| Khía cạnh | Trạng thái | Ghi chú |", "> Cập nhật lần cuối: "],
  ja: ["## 取り組み中", "## メモ", "| 項目 | 状態 | メモ |", "> 最終更新: "],
};
const LABELS = { en: "**Reason**:", vi: "**Lý do**:", ja: "**理由**:" };

for (const [language, headings] of Object.entries(HEADINGS)) {
  test(`the files, tags and summaries of the sample are ${language}`, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    // Another language before it leaves nothing.
    await loadSample(memory, language === "en" ? "vi" : "en");
    await loadSample(memory, language);
    const { text } = await memory.files.read(CONTEXT);
    for (const heading of headings) assert.ok(text.includes(`\n${heading}`), `${heading}: ${text}`);
    assert.doesNotMatch(text, /^#.* \| /m);
    const decisions = (await memory.files.read(DECISIONS)).text;
    assert.equal(decisions.split(LABELS[language]).length, 3, decisions);
    assert.equal(decisions.match(/^## \d/gm).length, 2, decisions);
    for (const path of [CONTEXT, DECISIONS]) assert.deepEqual(await memory.files.lint(path), []);

    const [{ text: summary }] = await memory.session("sample-planning").histories();
    for (const line of summary.split("\n")) assert.ok([...line].length > 30, `it says nothing: ${line}`);

    const tags = new Set((await memory.list()).flatMap((entry) => entry.tags));
    assert.equal(tags.has("bakery"), language === "en", `${[...tags]}`);
    const { tools } = await memory.experience.stats();
    const tasks = new Set(tools.map(({ taskType }) => taskType));
    assert.equal(tasks.size, 1);
    for (const task of tasks) assert.doesNotMatch(task, /_/);
    await memory.close();
  });
}

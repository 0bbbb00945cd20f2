// The sample memory of the demo: its words are in one language, and say something.

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

for (const language of ["en", "vi", "ja"]) {
  test(`the tags, the task and the summaries of the sample are ${language}`, async () => {
    const memory = await openMemory({ user: "u-1", storage: "memory" });
    // Another language before it leaves nothing.
    await loadSample(memory, language === "en" ? "vi" : "en");
    await loadSample(memory, language);

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

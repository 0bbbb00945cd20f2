// The file of word meanings in a real browser: fetched from beside the package's scripts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { WANTED } from "../js/support/meaning-suite.mjs";
import { pagesOfThisFile } from "./support/pages.mjs";

const browser = pagesOfThisFile();

test("a page loads the file and finds what words alone do not; wrong files are refused by name", async () => {
  const page = await browser.tab();
  const seen = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake");
    const { loadMeaning } = await import("/pkg/dist/entry/meaning-browser.js");
    const { tryMeaning } = await import("/tests/js/support/meaning-suite.mjs");
    return tryMeaning(openMemory, await loadMeaning());
  });
  assert.deepEqual(seen, WANTED);
});

test("a file that is not served is told by name", async () => {
  const page = await browser.tab();
  const error = await page.evaluate(async () => {
    const { loadMeaning } = await import("/pkg/dist/entry/meaning-browser.js");
    const { code, field } = await loadMeaning("/nowhere/meaning-en.bin").catch((error) => error);
    return { code, field };
  });
  assert.deepEqual(error, { code: "unavailable", field: "meaning" });
});

test("a memory in a worker takes the file, and hands its hits to the page's reranker", async () => {
  const page = await browser.tab();
  const found = await page.evaluate(async () => {
    const { openMemory } = await import("keepsake/worker");
    const { loadMeaning } = await import("/pkg/dist/entry/meaning-browser.js");
    const worker = new Worker("/tests/e2e/support/host.mjs", { type: "module" });
    const asked = [];
    const memory = await openMemory({
      worker,
      user: "ann",
      storage: "memory",
      meaning: await loadMeaning(),
      rerank: (query, hits) => {
        asked.push(query);
        return hits.map((_, at) => at);
      },
    });
    await memory.add("Last weekend we watched football.", { session: "s-1", speaker: "Ben" });
    await memory.add("I play tennis on Mondays.", { session: "s-2", speaker: "Ben" });
    const own = await memory.queryMemory("Which sports are there?");
    const { prompt } = await memory.session("s").context({ query: "Which sports are there?" });
    const inPrompt = own.map(({ text }) => prompt.indexOf(text));
    await memory.close();
    worker.terminate();
    return { count: own.length, inOrder: inPrompt[0] >= 0 && inPrompt[0] < inPrompt[1], asked };
  });
  const query = "Which sports are there?";
  assert.deepEqual(found, { count: 2, inOrder: true, asked: [query, query] });
});

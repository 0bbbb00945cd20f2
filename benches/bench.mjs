// How fast search is in a real browser, beside MiniSearch and FlexSearch, what a long conversation costs, beside
// IndexedDB alone, and what learning does: `node benches/bench.mjs [--json] [--full] [--dialog]`.
// Nothing is asserted: figures are printed, and beside them what they should be.

import { parseArgs } from "node:util";
import { SPREAD } from "./bench/corpus.mjs";
import { median } from "./bench/measure.mjs";
import {
  judge,
  judgeDialog,
  judgeLearning,
  print,
  printDialog,
  printLearning,
  printVerdicts,
} from "./bench/report.mjs";
import { tabs } from "./bench/tabs.mjs";

const COLD_RUNS = 5;
const MESSAGES = 10_000;

/** Opens `COLD_RUNS` new pages for each of the modules in turn; answers the medians by module. */
async function coldOpens(browser, modules) {
  const runs = Object.fromEntries(modules.map((module) => [module, []]));
  for (let run = 0; run < COLD_RUNS; run += 1) {
    for (const module of modules) {
      const tab = await browser.tab();
      runs[module].push(await tab.call(module, "coldOpen", run));
      await tab.close();
    }
  }
  return Object.fromEntries(
    modules.map((module) => [
      module,
      {
        opened: median(runs[module].map(({ opened }) => opened)),
        firstHit: median(runs[module].map(({ firstHit }) => firstHit)),
      },
    ]),
  );
}

/** Grows one memory step by step; at the size of the comparison the others have their turn in the same page. */
async function measure(browser, sizes) {
  const results = { growth: [] };
  let filled = 0;
  for (const size of sizes) {
    console.error(`${size} entries`);
    const tab = await browser.tab();
    const add = await tab.call("keepsake", "fill", filled, size);
    filled = size;
    const search = await tab.call("keepsake", "searches");
    if (size === SPREAD) {
      results.wasmAfterAdding = await tab.call("keepsake", "wasmMemory");
      results.search = { keepsake: search, ...(await tab.call("rivals", "searches", size)) };
    }
    await tab.call("keepsake", "close");
    await tab.close();
    const cold = await coldOpens(browser, size === SPREAD ? ["keepsake", "rivals"] : ["keepsake"]);
    if (size === SPREAD) {
      results.coldOpen = { keepsake: cold.keepsake, MiniSearch: cold.rivals };
      results.wasmAfterOpening = await wasmAfterOpening(browser);
    }
    results.growth.push({ entries: size, add, search, open: cold.keepsake });
  }
  return results;
}

async function wasmAfterOpening(browser) {
  const tab = await browser.tab();
  await tab.call("keepsake", "coldOpen", 0);
  await tab.call("keepsake", "searches");
  const bytes = await tab.call("keepsake", "wasmMemory");
  await tab.close();
  return bytes;
}

/** One conversation, message by message, then its prompts, then its window in a page that knows nothing. */
async function measureDialog(browser) {
  console.error(`${MESSAGES} messages`);
  const talking = await browser.tab();
  const filled = await talking.call("dialog", "fill", MESSAGES);
  const prompts = await talking.call("dialog", "contexts", MESSAGES);
  await talking.call("dialog", "close");
  await talking.close();
  const fresh = await browser.tab();
  const reopened = await fresh.call("dialog", "reopen");
  await fresh.close();
  return { ...filled, ...prompts, reopened };
}

/** Learning from a few hundred runs, twice: the first time the browser still compiles. */
async function measureLearning(browser) {
  console.error("learning");
  const tab = await browser.tab();
  const first = await tab.call("learning", "learn");
  const warm = await tab.call("learning", "learn");
  await tab.close();
  return { ...warm, first: first.time };
}

async function main() {
  const flag = { type: "boolean", default: false };
  const { values } = parseArgs({ options: { json: flag, full: flag, dialog: flag } });
  const browser = await tabs();
  try {
    const sizes = [2_000, SPREAD, ...(values.full ? [200_000] : [])];
    const search = values.dialog ? undefined : await measure(browser, sizes);
    const dialog = await measureDialog(browser);
    const learning = await measureLearning(browser);
    const verdicts = [...(search ? judge(search) : []), ...judgeDialog(dialog), ...judgeLearning(learning)];
    if (values.json) {
      console.log(JSON.stringify({ ...search, dialog, learning, required: verdicts }, null, 2));
    } else {
      if (search) print(search);
      printDialog(dialog);
      printLearning(learning);
      printVerdicts(verdicts);
    }
  } finally {
    await browser.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

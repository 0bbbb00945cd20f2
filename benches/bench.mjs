// How fast search is in a real browser, beside MiniSearch and FlexSearch: `node benches/bench.mjs [--json] [--full]`.
// Nothing is asserted: figures are printed, and beside them what they should be.

import { parseArgs } from "node:util";
import { SPREAD } from "./bench/corpus.mjs";
import { median } from "./bench/measure.mjs";
import { judge, print } from "./bench/report.mjs";
import { tabs } from "./bench/tabs.mjs";

const COLD_RUNS = 5;

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

async function main() {
  const { values } = parseArgs({
    options: { json: { type: "boolean", default: false }, full: { type: "boolean", default: false } },
  });
  const browser = await tabs();
  try {
    const results = await measure(browser, [2_000, SPREAD, ...(values.full ? [200_000] : [])]);
    const verdicts = judge(results);
    if (values.json) console.log(JSON.stringify({ ...results, required: verdicts }, null, 2));
    else print(results, verdicts);
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

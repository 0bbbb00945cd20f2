// Whether memory stays flat over a million adds and searches in one page: `node benches/flat.mjs [calls] [storage]`. On
// IndexedDB, which is the default, that takes long; in memory it is quicker, and the page then holds the log as well.
// Nothing is asserted: figures are printed.

import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const MEGABYTE = 1024 * 1024;
const STEPS = 10;

const [calls = 1_000_000, storage = "indexeddb"] = process.argv.slice(2);
const browser = await tabs();
try {
  const tab = await browser.tab();
  const rows = [];
  for (let step = 1; step <= STEPS; step += 1) {
    const until = Math.round((Number(calls) * step) / STEPS);
    const { entries, wasm, page } = await tab.call("flat", "callUntil", until, storage);
    rows.push([until, entries, (wasm / MEGABYTE).toFixed(1), (page / MEGABYTE).toFixed(1)]);
    console.error(rows.at(-1).join("  "));
  }
  const heading = ["calls", "entries", "wasm MB", "page MB"];
  console.log(table([heading, ...rows.map((row) => row.map(String))]));
} finally {
  await browser.close();
}

// Whether memory stays flat over a million adds and searches in one page: `node benches/flat.mjs [calls]`. Takes long.
// Nothing is asserted: figures are printed.

import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const MEGABYTE = 1024 * 1024;
const STEPS = 20;

const calls = Number(process.argv[2] ?? 1_000_000);
const browser = await tabs();
try {
  const tab = await browser.tab();
  const rows = [];
  for (let step = 1; step <= STEPS; step += 1) {
    const until = Math.round((calls * step) / STEPS);
    const { entries, wasm, page } = await tab.call("flat", "callUntil", until);
    rows.push([until, entries, (wasm / MEGABYTE).toFixed(1), (page / MEGABYTE).toFixed(1)]);
    console.error(rows.at(-1).join("  "));
  }
  const heading = ["calls", "entries", "wasm MB", "page MB"];
  console.log(table([heading, ...rows.map((row) => row.map(String))]));
} finally {
  await browser.close();
}

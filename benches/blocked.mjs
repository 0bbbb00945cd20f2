// How long calls over many things block the page: `node benches/blocked.mjs [scale]`, where scale 1 (the default) is 20,000
// chunks and a conversation of 50,000 messages. Figures, no verdict.

import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const scale = Number(process.argv[2] ?? 1);
const browser = await tabs();
try {
  const rows = await (await browser.tab()).call("blocked", "blocked", scale);
  await (await browser.tab()).call("blocked", "fill", "blocked-first", 20_000 * scale);
  rows.push(...(await (await browser.tab()).call("blocked", "opened", "blocked-first")));
  const heading = ["call", "seconds", "longest block, ms", "blocks over 50 ms"];
  const cells = rows.map(({ name, took, longest, over }) => [
    name,
    (took / 1000).toFixed(2),
    longest.toFixed(0),
    over,
  ]);
  console.log(table([heading, ...cells.map((row) => row.map(String))]));
} finally {
  await browser.close();
}

// How long calls over many things block the page: `node benches/blocked.mjs [scale] [--node]`, where scale 1 (the default) is
// 20,000 chunks and a conversation of 50,000 messages. With `--node` in Node, on the storage in memory, in processor time of
// the thread (Linux), which other programs do not move. Figures, no verdict.

import { openSync, readSync } from "node:fs";
import { blocked, setClock } from "./bench/blocked.mjs";
import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const given = process.argv.slice(2).filter((argument) => argument !== "--node");
const scale = Number(given[0] ?? 1);

async function inBrowser() {
  const browser = await tabs();
  try {
    const rows = await (await browser.tab()).call("blocked", "blocked", scale);
    await (await browser.tab()).call("blocked", "fill", "blocked-first", 20_000 * scale);
    return [...rows, ...(await (await browser.tab()).call("blocked", "opened", "blocked-first"))];
  } finally {
    await browser.close();
  }
}

/** Processor time of this thread so far, in milliseconds; the kernel counts it in steps of a few. */
function processorTime() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const bytes = Buffer.alloc(64);
  return () => Number.parseInt(bytes.latin1Slice(0, readSync(file, bytes, 0, 64, 0)), 10) / 1e6;
}

async function inNode() {
  setClock(processorTime());
  return blocked(scale);
}

const rows = process.argv.includes("--node") ? await inNode() : await inBrowser();
const heading = ["call", "seconds", "longest block, ms", "blocks over 50 ms"];
const cells = rows.map(({ name, took, longest, over }) => [
  name,
  (took / 1000).toFixed(2),
  longest.toFixed(0),
  over,
]);
console.log(table([heading, ...cells.map((row) => row.map(String))]));

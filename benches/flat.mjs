// Whether memory stays flat over a million operations in one page: `node benches/flat.mjs [--calls 1000000] [--samples 50]
// [--minutes N] [--storage indexeddb|memory] [--plot file.svg]`. Adds, updates, reads, searches, deletes, appended messages,
// prompts and values, on a bounded number of things. With `--minutes` it stops after that time. Prints a table and draws a
// plot; nothing is asserted.

import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { plot } from "./bench/plot.mjs";
import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const MEGABYTE = 1024 * 1024;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000000" },
    samples: { type: "string", default: "50" },
    minutes: { type: "string", default: "Infinity" },
    storage: { type: "string", default: "indexeddb" },
    plot: { type: "string" },
  },
});
const [calls, count, minutes] = [values.calls, values.samples, values.minutes].map(Number);

const COLUMNS = {
  calls: ({ calls }) => `${calls}`,
  seconds: ({ seconds }) => seconds.toFixed(0),
  entries: ({ entries }) => `${entries}`,
  messages: ({ messages }) => `${messages}`,
  "wasm MB": ({ wasm }) => megabytes(wasm),
  "heap MB": ({ heap }) => megabytes(heap),
  "stored MB": ({ stored }) => megabytes(stored),
};

function megabytes(bytes) {
  return (bytes / MEGABYTE).toFixed(1);
}

async function measured() {
  const browser = await tabs();
  try {
    const tab = await browser.tab();
    const begun = performance.now();
    const samples = [];
    for (let at = 0; at <= count; at += 1) {
      const until = Math.round((calls * at) / count);
      const found = await tab.call("flat", "callUntil", until, values.storage);
      const seconds = (performance.now() - begun) / 1000;
      samples.push({ calls: until, seconds, heap: await tab.heap(), ...found });
      console.error(
        Object.values(COLUMNS)
          .map((cell) => cell(samples.at(-1)))
          .join("  "),
      );
      // Each time, so that a long run can be looked at.
      if (values.plot) await draw(samples);
      if (seconds > minutes * 60) break;
    }
    return samples;
  } finally {
    await browser.close();
  }
}

async function draw(samples) {
  const names = { wasm: "wasm memory", heap: "JavaScript heap", stored: "storage" };
  const charts = Object.entries(names).map(([field, name]) => ({
    title: `${name}, MB`,
    ys: samples.map((sample) => sample[field] / MEGABYTE),
  }));
  const title = "Memory and storage of one page, by the number of operations";
  const xs = samples.map(({ calls }) => calls);
  await writeFile(values.plot, plot({ title, xTitle: "operations", xs, charts }));
}

const samples = await measured();
const rows = samples.map((sample) => Object.values(COLUMNS).map((cell) => cell(sample)));
console.log(table([Object.keys(COLUMNS), ...rows]));

// How large a memory in one tab may be: `node benches/scale.mjs [--entries 1000000] [--messages 10000]`. Grows one memory
// to so many entries, and one conversation to so many messages of about 1,000 tokens. At each size: search, prompts, a cold
// open in a new page, and wasm memory. 0 leaves one of them out. Figures, no verdict.

import { parseArgs } from "node:util";
import { median } from "./bench/measure.mjs";
import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "1000000" },
    messages: { type: "string", default: "10000" },
  },
});

const STEPS = [0.02, 0.1, 0.2, 0.5, 1];
const OPENS = 3;
const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(0);
const ms = (time) => time.toFixed(time < 10 ? 2 : 0);
const sizes = (most) => STEPS.map((share) => Math.round(most * share)).filter((size) => size > 0);

function print(rows, columns) {
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  console.log(table([Object.keys(columns), ...cells]));
}

async function inTab(browser, work) {
  const tab = await browser.tab();
  try {
    const answer = await work((...call) => tab.call("scale", ...call));
    await tab.call("scale", "close");
    return answer;
  } finally {
    await tab.close();
  }
}

async function entries(browser, most) {
  const rows = [];
  let filled = 0;
  for (const size of sizes(most)) {
    const added = await inTab(browser, async (call) => {
      return { ms: await call("grow", "scale", filled, size), wasm: await call("wasmMemory") };
    });
    const opens = [];
    for (let run = 0; run < OPENS; run += 1) {
      opens.push(await inTab(browser, (call) => call("coldOpen", "scale", run)));
    }
    const found = await inTab(browser, async (call) => {
      await call("coldOpen", "scale", 0);
      return { ...(await call("searches")), wasm: await call("wasmMemory") };
    });
    rows.push({ size, each: added.ms / (size - filled), added, opens, found });
    console.error(`${size} entries`);
    filled = size;
  }
  const of = (opens, name) => ms(median(opens.map((open) => open[name])));
  const columns = {
    entries: ({ size }) => `${size}`,
    "add ms each": ({ each }) => ms(each),
    "search p50 ms": ({ found }) => ms(found.p50),
    "p95 ms": ({ found }) => ms(found.p95),
    "opened ms": ({ opens }) => of(opens, "opened"),
    "first hit ms": ({ opens }) => of(opens, "firstHit"),
    "wasm MB, filling": ({ added }) => megabytes(added.wasm),
    searching: ({ found }) => megabytes(found.wasm),
  };
  print(rows, columns);
}

async function messages(browser, most) {
  const rows = [];
  let said = 0;
  for (const size of sizes(most)) {
    const { append } = await inTab(browser, (call) => call("talk", "long", said, size));
    const asked = await inTab(browser, async (call) => {
      return { ...(await call("prompts", "long")), wasm: await call("wasmMemory") };
    });
    rows.push({ size, append, ...asked });
    console.error(`${size} messages`);
    said = size;
  }
  const columns = {
    messages: ({ size }) => `${size}`,
    "append p50 ms": ({ append }) => ms(append.p50),
    "prompt p50 ms": ({ prompt }) => ms(prompt.p50),
    "p95 ms": ({ prompt }) => ms(prompt.p95),
    "first prompt ms": ({ first }) => ms(first),
    "wasm MB": ({ wasm }) => megabytes(wasm),
  };
  print(rows, columns);
}

const browser = await tabs();
try {
  if (Number(values.messages) > 0) await messages(browser, Number(values.messages));
  if (Number(values.entries) > 0) await entries(browser, Number(values.entries));
} finally {
  await browser.close();
}

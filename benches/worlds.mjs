// Append and search in Rust beside TypeScript, in Chromium, in one run:
// `cargo xtask build --rust-page --release`, then `node benches/worlds.mjs [--entries 2000] [--messages 200] [--rounds 5]`.

import { parseArgs } from "node:util";
import { tabs } from "./bench/tabs.mjs";
import { table } from "./table.mjs";

const { values } = parseArgs({
  options: {
    entries: { type: "string", default: "2000" },
    messages: { type: "string", default: "200" },
    rounds: { type: "string", default: "5" },
  },
});
const [entries, messages, rounds] = [values.entries, values.messages, values.rounds].map(Number);

const browser = await tabs();
const pages = {};
const medians = { typescript: [], rust: [] };
try {
  for (const world of Object.keys(medians)) {
    pages[world] = await browser.tab();
    await pages[world].call("worlds", "prepare", world, `bench-${world}`, entries);
  }
  // In turns, so that whatever else the machine does meets both.
  for (let round = 0; round < rounds; round += 1) {
    for (const [world, seen] of Object.entries(medians)) {
      seen.push(await pages[world].call("worlds", "round", round, { messages, searches: 100 }));
    }
  }
} finally {
  await browser.close();
}

const median = (numbers) => numbers.sort((one, other) => one - other)[numbers.length >> 1];
const ms = (time) => `${time.toFixed(2)} ms`;
const row = (what) => {
  const { typescript, rust } = medians;
  const [first, second] = [typescript, rust].map((seen) => median(seen.map((round) => round[what])));
  // The first round of each warms up.
  const ratios = rust.slice(1).map((round, at) => round[what] / typescript[at + 1][what]);
  return [what, ms(first), ms(second), `${median(ratios).toFixed(2)} ×`];
};
console.log(table([[`${entries} entries`, "TypeScript", "Rust", "ratio"], row("append"), row("search")]));

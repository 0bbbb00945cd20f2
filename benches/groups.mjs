// Kills in the middle of groups: `node benches/groups.mjs [--rounds 50] [--seed N]`. In each round a page of Chromium adds
// many entries at once, in overlapping calls and by `addMany`, and appends messages; the browser is killed with SIGKILL at a
// random moment, and a new one reads everything back. Each acknowledged call must be there, each other one as a whole or not
// at all, and what is there must be the beginning of each series. Exits with 1 if that does not hold.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launchPersistent } from "../tests/e2e/support/browser.mjs";
import { serve } from "../www/serve.mjs";
import { isAlive, leaderOf } from "./kills/browser.mjs";
import { table } from "./table.mjs";

/** How many calls of each kind overlap, and how many drafts an `addMany` has. */
const CALLS = 600;
const DRAFTS = 3_000;

/** The latest moment of a kill, in milliseconds after the first answer. */
const LATEST = 2_500;

const HEADERS = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" };

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});

/** Numbers from 0 up to 1 from the seed (mulberry32). */
let state = Number(values.seed) | 0;
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const server = await serve({
  folder: fileURLToPath(new URL("..", import.meta.url)),
  port: 0,
  headers: HEADERS,
});
const url = new URL("tests/e2e/support/page.html", server.url).href;

/** Runs in the page: begins everything, and tells of each answer. */
async function write({ round, calls, drafts }) {
  const { openMemory } = await import("keepsake");
  const memory = await openMemory({
    name: "groups",
    user: "u-1",
    storage: "indexeddb",
    config: { namespaces: { "long-term": { maxEntries: 1_000_000 } } },
  });
  const text = (n) => `round ${round} number ${n} `.repeat(20);
  const draft = (kind, n) => ({ id: `${kind}-${round}-${n}`, namespace: "long-term" });
  const session = memory.session(`s-${round}`, { compression: false });
  const told = (kind, n) => () => globalThis.acknowledged([kind, n]);
  for (let n = 0; n < calls; n += 1) {
    memory.add(text(n), draft("add", n)).then(told("add", n));
    session.append({ role: "user", content: text(n) }).then(told("message", n));
  }
  const many = Array.from({ length: drafts }, (_, n) => ({ ...draft("many", n), content: text(n) }));
  memory.addMany(many).then(told("many", drafts - 1));
}

/** Runs in another browser: what is there of a round, in order, and whether all of it is whole. */
async function read({ round }) {
  const { openMemory } = await import("keepsake");
  const memory = await openMemory({ name: "groups", user: "u-1", storage: "indexeddb" });
  const numbers = { add: [], many: [], message: [] };
  const wrong = [];
  const there = [];
  for await (const entry of memory.entries()) there.push(entry.id);
  for (const id of there.reverse()) {
    const [kind, of, n] = id.split("-");
    if (Number(of) !== round) continue;
    numbers[kind].push(Number(n));
    const { content } = await memory.get(id);
    if (content !== `round ${round} number ${n} `.repeat(20)) wrong.push(id);
  }
  for await (const { content } of memory.session(`s-${round}`).all()) {
    const text = typeof content === "string" ? content : content[0].text;
    numbers.message.push(Number(text.split(" ")[3]));
  }
  const { ok, problems } = await memory.verify();
  if (!ok) wrong.push(...problems.map(({ problem }) => problem));
  await memory.close();
  return { numbers, wrong };
}

const profile = await mkdtemp(join(tmpdir(), "keepsake-groups-"));
const totals = { acknowledged: 0, found: 0, part: 0 };
const faults = [];
try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const heard = { add: new Set(), message: new Set(), many: new Set() };
    const context = await launchPersistent(profile, { timeout: 300_000 });
    const group = await leaderOf(profile);
    const page = await context.newPage();
    const begun = new Promise((resolve) => {
      void page.exposeFunction("acknowledged", ([kind, n]) => {
        heard[kind].add(n);
        resolve();
      });
    });
    await page.goto(url);
    page.evaluate(write, { round, calls: CALLS, drafts: DRAFTS }).catch(() => {});
    await begun;
    await wait(chance() * LATEST);
    process.kill(-group, "SIGKILL");
    while (await isAlive(group)) await wait(5);
    await context.close().catch(() => {});

    const again = await launchPersistent(profile, { timeout: 300_000 });
    const reader = await again.newPage();
    await reader.goto(url);
    const { numbers, wrong } = await reader.evaluate(read, { round });
    await again.close();
    for (const what of wrong) faults.push(`round ${round}: ${what}`);
    for (const [kind, found] of Object.entries(numbers)) {
      totals.found += found.length;
      if (found.some((n, at) => n !== at)) faults.push(`round ${round}: ${kind} is no beginning: ${found}`);
      for (const n of heard[kind]) {
        totals.acknowledged += 1;
        if (n >= found.length) faults.push(`round ${round}: ${kind} ${n} was acknowledged and is lost`);
      }
    }
    const counts = Object.entries(numbers).map(
      ([kind, { length }]) => `${kind} ${heard[kind].size}/${length}`,
    );
    if (numbers.add.length < CALLS || numbers.many.length < DRAFTS) totals.part += 1;
    console.error(`round ${round}: ${counts.join(", ")}`);
  }
} finally {
  await server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}
console.log(
  table([
    ["rounds", values.rounds],
    ["seed", values.seed],
    ["killed before the end", `${totals.part}`],
    ["acknowledged", `${totals.acknowledged}`],
    ["found", `${totals.found}`],
    ["lost, half or out of order", `${faults.length}`],
  ]),
);
for (const fault of faults) console.log(fault.slice(0, 200));
process.exitCode = faults.length > 0 ? 1 : 0;

// Tabs that write to one memory at once: `node benches/tabs.mjs [--tabs 8] [--writes 500] [--at-once 1] [--kill]`. With
// `--kill`, tabs crash or are closed at random, and others take their places. Prints what was acknowledged, found and lost,
// what a write took, and whether all tabs and an index that is built again see the same.

import { parseArgs } from "node:util";
import { pages } from "../tests/e2e/support/pages.mjs";
import { table } from "./table.mjs";

const NAME = "many-tabs";
const { values } = parseArgs({
  options: {
    tabs: { type: "string", default: "8" },
    writes: { type: "string", default: "500" },
    "at-once": { type: "string", default: "1" },
    kill: { type: "boolean", default: false },
  },
});
const [tabs, writes, atOnce] = [values.tabs, values.writes, values["at-once"]].map(Number);

/** Between two kills, in milliseconds. */
const PAUSE = () => 500 + Math.random() * 1500;

const browser = await pages();
const answered = new Map();
const refused = {};
let kills = 0;

/** Each writer: the tab that it is in, and how many it has been in before. */
const writers = Array.from({ length: tabs }, (_, at) => ({ who: `tab-${at}`, lives: 0, page: undefined }));

function heard({ id, ms, error }) {
  if (error) refused[error] = (refused[error] ?? 0) + 1;
  else answered.set(id, ms);
}

/** Lets a writer do its writes, in a new tab whenever the old one was killed; each life has ids of its own. */
async function run(writer) {
  let left = writes;
  while (left > 0) {
    const page = await browser.tabWith(NAME);
    const who = `${writer.who}.${writer.lives++}`;
    let heardOf = 0;
    await page.exposeFunction("heard", (call) => {
      heardOf += 1;
      heard(call);
    });
    const ended = new Promise((resolve) => {
      for (const end of ["crash", "close"]) {
        page.on(end, () => {
          if (writer.page === page) writer.page = undefined;
          resolve();
        });
      }
    });
    writer.page = page;
    const job = { who, to: left, atOnce };
    const done = page.evaluate(async (job) => {
      const { write } = await import("/tests/e2e/support/writers-page.mjs");
      await write(globalThis.memory, job, (call) => globalThis.heard(call));
    }, job);
    await Promise.race([done.catch(() => ended), ended]);
    left -= heardOf;
    if (left > 0) await page.close().catch(() => {});
  }
}

async function killSome(isOver) {
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE()));
    const { page } = writers[Math.floor(Math.random() * writers.length)];
    if (!page || isOver()) continue;
    kills += 1;
    if (Math.random() < 0.5) await page.close({ runBeforeUnload: false }).catch(() => {});
    else {
      const session = await browser.context.newCDPSession(page).catch(() => undefined);
      session?.send("Page.crash").catch(() => {});
    }
  }
}

const viewOf = (page) =>
  page.evaluate(async () => {
    const { view } = await import("/tests/e2e/support/writers-page.mjs");
    return view(globalThis.memory);
  });

try {
  let over = false;
  const begun = performance.now();
  const killing = values.kill ? killSome(() => over) : undefined;
  await Promise.all(writers.map(run));
  over = true;
  const seconds = (performance.now() - begun) / 1000;
  await killing;
  const fresh = await browser.tabWith(NAME);
  const expected = await viewOf(fresh);
  let same = 0;
  const alive = writers.flatMap(({ page }) => page ?? []);
  for (const page of alive) {
    if (JSON.stringify(await viewOf(page)) === JSON.stringify(expected)) same += 1;
  }
  await Promise.all(alive.map((page) => page.close()));
  const rebuilt = await fresh.evaluate(async (name) => {
    const { rebuiltView } = await import("/tests/e2e/support/writers-page.mjs");
    await globalThis.memory.close();
    return rebuiltView(globalThis.keepsake, name);
  }, NAME);
  const found = new Set(expected.ids.map((id) => id.split("@")[0]));
  const times = [...answered.values()].sort((one, other) => one - other);
  const at = (part) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(0);
  const lost = [...answered.keys()].filter((id) => !found.has(id));
  const rows = [
    ["tabs × writes, at once", `${tabs} × ${writes}, ${atOnce}`],
    ["kills", `${kills}`],
    ["seconds", seconds.toFixed(1)],
    ["acknowledged", `${answered.size}`],
    ["refused", JSON.stringify(refused)],
    ["found", `${found.size}`],
    ["lost", `${lost.length}`],
    ["found, acknowledgement not heard", `${[...found].filter((id) => !answered.has(id)).length}`],
    ["p50, p99, max (ms)", `${at(0.5)}, ${at(0.99)}, ${at(1)}`],
    ["tabs that see the same", `${same} of ${alive.length}`],
    ["rebuilt index sees the same", `${JSON.stringify(rebuilt) === JSON.stringify(expected)}`],
  ];
  console.log(table(rows));
} finally {
  await browser.close();
}

// How fast search is in a real browser, beside MiniSearch and FlexSearch, what a long conversation costs, beside
// IndexedDB alone, and what learning does: `node benches/bench.mjs [--json] [--full] [--dialog | --search] [--chats FILE]`.
// `--chats` also measures search in chats with an assistant; FILE is in the neutral form that eval/chats.mjs reads.
// Nothing is asserted: figures are printed, and beside them what they should be.

import { parseArgs } from "node:util";
import { SPREAD } from "./bench/corpus.mjs";
import { median } from "./bench/measure.mjs";
import {
  judge,
  judgeChats,
  judgeDialog,
  judgeLearning,
  print,
  printChats,
  printDialog,
  printLearning,
  printVerdicts,
} from "./bench/report.mjs";
import { tabs } from "./bench/tabs.mjs";
import { chatSet } from "./eval/chats.mjs";

const COLD_RUNS = 5;
const MESSAGES = 10_000;
const CHAT_TOKENS = 500_000;

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

/** Chats with an assistant: search beside the peers, and what opening a long one costs more than opening none. */
async function measureChats(browser, file) {
  const { memories } = await chatSet("chats", file);
  // A page takes no Set.
  const chats = memories.map(({ user, entries, questions }) => {
    return { user, entries, questions: questions.map((one) => ({ ...one, gold: [...one.gold] })) };
  });
  console.error(`${SPREAD} entries of chats`);
  const searching = await browser.tab();
  const results = await searching.call("chats", "searches", chats, SPREAD);
  await searching.close();

  const filling = await browser.tab();
  await filling.call("chats", "fillChat", "chat-none", chats, 0);
  const filled = await filling.call("chats", "fillChat", "chat-long", chats, CHAT_TOKENS);
  await filling.close();
  const runs = { "chat-none": [], "chat-long": [] };
  for (let run = 0; run < COLD_RUNS; run += 1) {
    for (const [name, times] of Object.entries(runs)) {
      const tab = await browser.tab();
      times.push(await tab.call("chats", "coldOpen", name, chats[0].questions[run].query));
      await tab.close();
    }
  }
  const first = (name) => median(runs[name].map(({ firstHit }) => firstHit));
  return {
    ...results,
    entries: SPREAD,
    open: { ...filled, empty: first("chat-none"), long: first("chat-long") },
  };
}

/** One conversation, message by message, then its prompts, then its window in a page that knows nothing. */
async function measureDialog(browser) {
  console.error(`${MESSAGES} messages`);
  const talking = await browser.tab();
  const filled = await talking.call("dialog", "fill", MESSAGES);
  const prompts = await talking.call("dialog", "contexts", MESSAGES);
  await talking.call("dialog", "close");
  await talking.close();
  const fresh = await browser.tab();
  const reopened = await fresh.call("dialog", "reopen");
  await fresh.close();
  return { ...filled, ...prompts, reopened };
}

/** Learning from a few hundred runs, twice: the first time the browser still compiles. */
async function measureLearning(browser) {
  console.error("learning");
  const tab = await browser.tab();
  const first = await tab.call("learning", "learn");
  const warm = await tab.call("learning", "learn");
  await tab.close();
  return { ...warm, first: first.time };
}

async function main() {
  const flag = { type: "boolean", default: false };
  const { values } = parseArgs({
    options: { json: flag, full: flag, dialog: flag, search: flag, chats: { type: "string" } },
  });
  if (values.dialog && values.search) throw new Error("`--dialog` and `--search` exclude each other");
  const browser = await tabs();
  try {
    const sizes = [2_000, SPREAD, ...(values.full ? [200_000] : [])];
    const search = values.dialog ? undefined : await measure(browser, sizes);
    const chats = values.chats === undefined ? undefined : await measureChats(browser, values.chats);
    const dialog = values.search ? undefined : await measureDialog(browser);
    const learning = values.search ? undefined : await measureLearning(browser);
    const verdicts = [
      ...(search ? judge(search) : []),
      ...(chats ? judgeChats(chats) : []),
      ...(dialog ? judgeDialog(dialog) : []),
      ...(learning ? judgeLearning(learning) : []),
    ];
    if (values.json) {
      console.log(JSON.stringify({ ...search, chats, dialog, learning, required: verdicts }, null, 2));
    } else {
      if (search) print(search);
      if (chats) printChats(chats);
      if (dialog) printDialog(dialog);
      if (learning) printLearning(learning);
      printVerdicts(verdicts);
    }
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

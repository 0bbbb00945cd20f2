// What the figures say: the comparisons that were asked for, and the tables.

import { table } from "../table.mjs";

const MEGABYTE = 1024 * 1024;

/** Timings differ from run to run: a cost that "does not grow" may look this much larger. */
const NOISE = 1.5;

/** Each demand with the figure that was seen. */
export function judge({ search, coldOpen, wasmAfterAdding, wasmAfterOpening, growth }) {
  const { keepsake, MiniSearch, FlexSearch } = search;
  const rows = [
    ...judgeSearch("search", search),
    above("R@5, points above MiniSearch", keepsake.r5 - MiniSearch.r5),
    above("R@5, points above FlexSearch", keepsake.r5 - FlexSearch.r5),
    atLeast(
      "cold open to first hit, times faster than MiniSearch",
      coldOpen.MiniSearch.firstHit / coldOpen.keepsake.firstHit,
      3,
    ),
    atMost("wasm memory after adding, MB", wasmAfterAdding / MEGABYTE, 40),
    atMost("wasm memory after opening, MB", wasmAfterOpening / MEGABYTE, 40),
  ];
  for (let at = 1; at < growth.length; at += 1) {
    const [before, after] = [growth[at - 1], growth[at]];
    const factor = after.entries / before.entries;
    const step = `${before.entries} → ${after.entries}`;
    rows.push(
      atMost(`one add, ${step}`, after.add.p50 / before.add.p50, NOISE),
      atMost(`search, ${step}`, after.search.p50 / before.search.p50, factor),
      atMost(`open to first hit, ${step}`, after.open.firstHit / before.open.firstHit, factor),
    );
  }
  return rows;
}

/** How fast search is beside the peers of the same run, and how even. */
function judgeSearch(what, { keepsake, ...peers }) {
  const wanted = { MiniSearch: 20, FlexSearch: 3, "FlexSearch, English": 1 };
  return [
    ...Object.entries(wanted).map(([peer, times]) => {
      return atLeast(`${what} p50, times faster than ${peer}`, peers[peer].p50 / keepsake.p50, times);
    }),
    atMost(`${what} p95 / p50`, keepsake.p95 / keepsake.p50, 5),
  ];
}

/** The same of chats with an assistant. */
export function judgeChats({ search, open }) {
  return [
    ...judgeSearch("search in chats", search),
    atMost("a chat of 500,000 tokens, open to first hit, ms more than empty", open.long - open.empty, 150),
  ];
}

/** The same of a conversation. */
export function judgeDialog({ append, put, context, reopened }) {
  const { reads, window } = reopened;
  const { records, bodies, index } = { ...NOTHING_READ, ...reads };
  return [
    atMost("one append p50 / a raw put of the same bytes", append.p50 / put.p50, 2),
    atMost("a prompt of 4,000 tokens, p50 ms", context.p50, 10),
    // The session's own record says about where its messages end; it is read again with the up to seven after it.
    atMost("records read for a window, beside those in it", records.values - window, 9),
    atMost("contents and pieces of the index read for a window", bodies.values + index.values, 0),
  ];
}

/** The same of learning. */
export function judgeLearning({ time, found, planted, others }) {
  return [
    atMost("learning from 500 runs, ms", time, 200),
    atLeast("procedures found that were planted", found, planted),
    atMost("procedures found that were not", others, 1),
  ];
}

const NOTHING_READ = Object.fromEntries(
  ["records", "bodies", "index"].map((store) => [store, { values: 0 }]),
);

const atLeast = (what, seen, wanted) => ({ what, seen, wanted: `≥ ${wanted}`, ok: seen >= wanted });
const atMost = (what, seen, wanted) => ({ what, seen, wanted: `≤ ${wanted}`, ok: seen <= wanted });
const above = (what, seen) => ({ what, seen, wanted: "> 0", ok: seen > 0 });

const ms = (time) => (time < 10 ? time.toFixed(3) : time.toFixed(1));

export function print({ search, coldOpen, growth }) {
  printSearch("Search", search);

  const cold = Object.entries(coldOpen).map(([name, { opened, firstHit }]) => {
    return [name, ms(opened), ms(firstHit), ""];
  });
  section("Cold open, from IndexedDB", [["", "opened ms", "first hit ms", ""], ...cold]);

  const steps = growth.map(({ entries, add, search, open }) => {
    return [String(entries), ms(add.p50), ms(add.p95), ms(search.p50), ms(open.firstHit), ""];
  });
  const head = ["entries", "add p50 ms", "add p95 ms", "search p50 ms", "open to first hit ms", ""];
  section("Growth", [head, ...steps]);
}

function printSearch(title, search) {
  const compared = Object.entries(search).map(([name, { p50, p95, r5 }]) => {
    const ratio = `${(p50 / search.keepsake.p50).toFixed(1)} ×`;
    return [name, ms(p50), ms(p95), r5.toFixed(1), ratio, ""];
  });
  section(title, [["", "p50 ms", "p95 ms", "R@5", "p50 / keepsake's", ""], ...compared]);
}

export function printChats({ entries, characters, search, open }) {
  const mean = (characters / entries).toFixed(0);
  printSearch(`Search in chats with an assistant, ${entries} entries of ${mean} characters`, search);
  section("Opening a chat, to the first hit", [
    ["", "ms", ""],
    ["empty", ms(open.empty), ""],
    [`${open.entries} entries of ${open.tokens} tokens`, ms(open.long), ""],
  ]);
}

export function printDialog({ messages, bytes, append, put, first, context, read, reopened }) {
  const beside = (time, other) => `${(time.p50 / other.p50).toFixed(1)} ×`;
  const costs = [
    ["append", ms(append.p50), ms(append.p95), beside(append, put), "of the raw put"],
    [`raw put of ${bytes.toFixed(0)} bytes`, ms(put.p50), ms(put.p95), "", ""],
    ["prompt of 4,000 tokens", ms(context.p50), ms(context.p95), beside(context, read), "of the raw read"],
    ["raw read of 30 messages", ms(read.p50), ms(read.p95), "", ""],
    ["first prompt, with the index", ms(first), "", "", ""],
  ];
  section(`Conversation of ${messages} messages`, [["", "p50 ms", "p95 ms", "", ""], ...costs]);

  const reads = Object.entries(reopened.reads).map(([store, { requests, values }]) => {
    return [store, String(requests), String(values), ""];
  });
  const title = `Its window of ${reopened.window} in a new page, ${ms(reopened.shown)} ms from nothing loaded`;
  section(title, [["", "requests", "values", ""], ...reads]);
}

export function printLearning({ runs, time, first, found, planted, others }) {
  const rows = [
    ["", "first ms", "warm ms", "found", "of", "others", ""],
    ["learn", ms(first), ms(time), String(found), String(planted), String(others), ""],
  ];
  section(`Learning from ${runs} runs`, rows);
}

export function printVerdicts(verdicts) {
  const demands = verdicts.map(({ what, seen, wanted, ok }) => {
    return [what, seen.toFixed(1), wanted, ok ? "ok" : "short"];
  });
  section("Required", [["", "seen", "wanted", ""], ...demands]);
}

function section(title, rows) {
  console.log(`\n${title}\n${table(rows)}`);
}

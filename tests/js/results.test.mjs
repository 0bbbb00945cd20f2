// `node benches/results.mjs`, as `cargo xtask results` runs it: the guard, who is first, the plots and the recorded tables.

import assert from "node:assert/strict";
import { test } from "node:test";
import { figures } from "../../benches/results/figures.mjs";
import { check, ratios, recordedRatios } from "../../benches/results/guard.mjs";
import { recorded } from "../../benches/results/recorded.mjs";
import { comparisons, duels, verdict } from "../../benches/results/report/compare.mjs";
import { plots } from "../../benches/results/report/plots.mjs";
import { quantity, range } from "../../benches/results/report/words.mjs";

const SYSTEMS = [
  { name: "Keepsake", stores: true },
  { name: "MiniSearch" },
  { name: "IndexedDB", stores: true },
  { name: "Lister", lists: true },
];

const key = (what, system, entries = 2_000) => {
  return { what, system, where: "chromium", entries, unit: "ms", better: "less" };
};

/** Figures of rounds: `[what, system, samples, entries?]`. */
function taken(...rows) {
  const all = figures();
  for (const [what, system, samples, entries] of rows) all.rounds(key(what, system, entries), samples);
  return all.taken;
}

test("a figure is the median of its rounds, with the least and the most", () => {
  const [{ median, low, high, n }] = taken(["search", "Keepsake", [3, 1, 2]]);
  assert.deepEqual([median, low, high, n], [2, 1, 3, 3]);
});

test("the reason of a failure has one line and no path", () => {
  const all = figures();
  const error = new Error("page.evaluate: Error: no module /home/someone/project/a.js\n  at line 1");
  all.fail(key("search", "Lister"), error);
  assert.equal(all.missing[0].reason, "no module a.js");
});

test("the guard compares rounds with each other, so that a busy moment disturbs nothing", () => {
  const whats = ["search", "open", "batch", "add", "append"];
  const rows = whats.flatMap((what) => [
    [what, "Keepsake", [1, 10, 1]],
    [what, "MiniSearch", [2, 20, 2]],
    [what, "IndexedDB", [4, 40, 4]],
  ]);
  const found = ratios(taken(...rows));
  assert.equal(found["search, Keepsake ÷ MiniSearch"], 0.5);
  assert.equal(found["add, Keepsake ÷ IndexedDB"], 0.25);
  assert.throws(() => ratios(taken(["search", "Keepsake", [1]])), /no figure for search of MiniSearch/);
});

test("a ratio fails above twice the recorded one, and so does one that is missing", () => {
  const failed = (found, known) => check(found, known).flatMap(({ name, ok }) => (ok ? [] : [name]));
  assert.deepEqual(failed({ a: 2, b: 2.1 }, { a: 1, b: 1 }), ["b"]);
  assert.deepEqual(failed({ a: 1 }, { b: 1 }), ["b", "a"]);
});

test("what is recorded is what the guard compares", async () => {
  const known = await recordedRatios();
  assert.ok(Object.keys(known).length >= 5);
  for (const ratio of Object.values(known)) assert.ok(ratio > 0);
});

test("Keepsake is first, even or behind, and a system that cannot be compared is left out", () => {
  const verdicts = (...rows) =>
    comparisons({ figures: taken(...rows), systems: SYSTEMS }).map(({ title, verdict, other }) => {
      return [title, verdict, other.system];
    });
  assert.deepEqual(
    verdicts(["search", "Keepsake", [1, 2]], ["search", "Lister", [0.1]], ["search", "MiniSearch", [3, 4]]),
    [["Search", "first", "MiniSearch"]],
  );
  assert.deepEqual(
    verdicts(["add", "Keepsake", [5, 6]], ["add", "MiniSearch", [1, 2]], ["add", "IndexedDB", [3, 4]]),
    [
      ["One add, stored", "behind", "IndexedDB"],
      ["One add, beside adds that are not stored", "behind", "MiniSearch"],
    ],
  );
});

test("four of five rounds must agree", () => {
  const [own, other] = taken(["open", "Keepsake", [1, 1, 1, 1, 9]], ["open", "MiniSearch", [2, 2, 2, 2, 2]]);
  assert.equal(verdict(own, other), "first");
  assert.equal(verdict(other, own), "behind");
  const [third, fourth] = taken(
    ["open", "Keepsake", [1, 1, 1, 9, 9]],
    ["open", "MiniSearch", [2, 2, 2, 2, 2]],
  );
  assert.equal(verdict(third, fourth), "even");
});

test("a range of single calls makes nothing even", () => {
  const all = figures();
  all.calls(key("append", "Keepsake"), { n: 9, p25: 1, p50: 2, p75: 4 });
  all.calls(key("append", "IndexedDB"), { n: 9, p25: 0.5, p50: 1, p75: 3 });
  assert.equal(comparisons({ figures: all.taken, systems: SYSTEMS })[0].verdict, "behind");
});

test("each rival has its own comparisons, won and lost", () => {
  const rows = [
    ["search", "Keepsake", [1]],
    ["search", "MiniSearch", [2]],
    ["search", "IndexedDB", [0.5]],
  ];
  const all = duels({ figures: taken(...rows), systems: SYSTEMS });
  assert.deepEqual([...all.keys()], ["MiniSearch", "IndexedDB"]);
  assert.equal(all.get("MiniSearch").first.length, 1);
  assert.equal(all.get("IndexedDB").behind.length, 1);
});

test("a plot names every system and is drawn only if there is growth", () => {
  const rows = [
    ["search", "Keepsake", [0.1]],
    ["search", "Keepsake", [0.3], 20_000],
    ["search", "MiniSearch", [2]],
    ["open", "Keepsake", [80]],
  ];
  const drawn = plots({ figures: taken(...rows), systems: SYSTEMS });
  assert.deepEqual(Object.keys(drawn), ["search"]);
  for (const text of ["Keepsake", "MiniSearch", "20,000", "0.1 ms", "prefers-color-scheme: dark"]) {
    assert.ok(drawn.search.svg.includes(text), text);
  }
  assert.doesNotMatch(drawn.search.svg, /NaN|Infinity|undefined/);
});

test("the recorded tables are where they are looked for", async () => {
  for (const { title, head, rows } of await recorded()) {
    assert.ok(rows.length > 3, title);
    for (const row of rows) assert.equal(row.length, head.length, `${title}: ${row[0]}`);
  }
});

test("quantities have three digits and a unit", () => {
  assert.deepEqual(
    [quantity(0.0724, "ms"), quantity(1234, "ms"), quantity(12_345, "ms"), quantity(171_000, "bytes")],
    ["0.072 ms", "1,234 ms", "12.3 s", "171 KB"],
  );
  assert.equal(range({ low: 1, high: 2, n: 2, unit: "ms" }), "1.00 – 2.00 ms");
});

// Retrieval in sentences: against whom, in how many categories Keepsake is ahead, and where it is behind.

import { PROSE } from "./prose.mjs";
import { htmlTable, retrievalTable } from "./tables.mjs";
import { escaped } from "./words.mjs";

const OWN = "Keepsake";

const MEASURES = { "R@5": "r5", "R@10": "r10" };

/** Where Keepsake is ahead, even and behind against one rival; the largest losses first. Compared as they are shown. */
export function against(rows, rival) {
  const gaps = rows.flatMap(({ set, category, systems }) =>
    Object.entries(MEASURES).map(([word, measure]) => {
      const [own, other] = [OWN, rival].map((name) => Number(systems[name][measure].toFixed(1)));
      return { name: `${set} ${category}, ${word}`, gap: own - other };
    }),
  );
  return {
    ahead: gaps.filter(({ gap }) => gap > 0),
    even: gaps.filter(({ gap }) => gap === 0),
    behind: gaps.filter(({ gap }) => gap < 0).sort((one, other) => one.gap - other.gap),
  };
}

export const rivalsOf = ([{ systems }]) => Object.keys(systems).filter((name) => name !== OWN);

function summaryOf(rows, rival) {
  const { ahead, even, behind } = against(rows, rival);
  const losses = behind.map(({ name, gap }) => `<small>${escaped(name)} <b>${(-gap).toFixed(1)}</b></small>`);
  const counts = [
    ["first", ahead.length, ""],
    ["even", even.length, ""],
    ["behind", behind.length, losses.join("")],
  ];
  const cells = counts.map(
    ([verdict, number, more]) => `<span class="verdict ${verdict}">${number}</span>${more}`,
  );
  return { cells: [escaped(rival), ...cells] };
}

export function retrievalSection(rows) {
  if (rows.length === 0) {
    return "<p>Not part of this run: name a folder of data with <code>--data</code>.</p>";
  }
  const sets = bySet(rows);
  const tables = [...sets].map(([set, own]) => `<h3>${escaped(set)}</h3>${retrievalTable(own)}`);
  const columns = [
    { title: "" },
    { title: "Keepsake is better" },
    { title: "even" },
    { title: "the other is better" },
  ];
  const summary = htmlTable(
    columns,
    rivalsOf(rows).map((rival) => summaryOf(rows, rival)),
    "duels",
  );
  return `<p>${escaped(PROSE.retrieval(rows.length))}</p>
${summary}
${tables.join("\n")}`;
}

/** The categories of each set. */
export function bySet(rows) {
  const sets = new Map();
  for (const row of rows) sets.set(row.set, [...(sets.get(row.set) ?? []), row]);
  return sets;
}

// Retrieval in sentences: against whom, in how many categories Keepsake is ahead, and where it is behind.

import { htmlTable, retrievalTable } from "./tables.mjs";
import { escaped } from "./words.mjs";

const OWN = "Keepsake";

const MEASURES = { "R@5": "r5", "R@10": "r10" };

/** Ahead, equal and behind against one rival, and by how much where it is behind. Compared as they are shown. */
function against(rows, rival) {
  const gaps = rows.flatMap(({ set, category, systems }) =>
    Object.entries(MEASURES).map(([word, measure]) => {
      const [own, other] = [OWN, rival].map((name) => Number(systems[name][measure].toFixed(1)));
      return { name: `${set} ${category}, ${word}`, gap: own - other };
    }),
  );
  const behind = gaps.filter(({ gap }) => gap < 0).sort((one, other) => one.gap - other.gap);
  const ahead = gaps.filter(({ gap }) => gap > 0).length;
  const losses = behind.map(({ name, gap }) => `<small>${escaped(name)} <b>${(-gap).toFixed(1)}</b></small>`);
  const counts = [
    ["first", ahead, ""],
    ["even", gaps.length - ahead - behind.length, ""],
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
  const rivals = Object.keys(rows[0].systems).filter((name) => name !== OWN);
  const sets = grouped(rows);
  const tables = [...sets].map(([set, own]) => `<h3>${escaped(set)}</h3>${retrievalTable(own)}`);
  const columns = [
    { title: "" },
    { title: "Keepsake is better" },
    { title: "even" },
    { title: "the other is better" },
  ];
  const summary = htmlTable(
    columns,
    rivals.map((rival) => against(rows, rival)),
    "duels",
  );
  return `<p>R@5 and R@10 in per cent over ${rows.length} categories of the sets in the folder; the gaps are points. Peers index the
texts alone; Keepsake also gets sessions, speakers and dates where a set has them, as an app would pass them.</p>
${summary}
${tables.join("\n")}`;
}

function grouped(rows) {
  const sets = new Map();
  for (const row of rows) sets.set(row.set, [...(sets.get(row.set) ?? []), row]);
  return sets;
}

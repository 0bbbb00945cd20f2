// Retrieval in sentences: against whom, in how many categories Keepsake is ahead, and where it is behind.

import { retrievalTable } from "./tables.mjs";
import { escape } from "./words.mjs";

const OWN = "Keepsake";

/** One line for each rival: ahead, equal, behind, and by how much in each category where it is behind. */
function against(rows, rival) {
  const gaps = rows.map(({ set, category, systems }) => ({
    name: `${set} ${category}`,
    gap: systems[OWN].r5 - systems[rival].r5,
  }));
  const behind = gaps.filter(({ gap }) => gap < 0).sort((one, other) => one.gap - other.gap);
  const ahead = gaps.filter(({ gap }) => gap > 0).length;
  const even = gaps.length - ahead - behind.length;
  const losses = behind.map(({ name, gap }) => `${escape(name)} (${(-gap).toFixed(1)})`).join(", ");
  const where = behind.length === 0 ? "" : `: ${losses}`;
  return `<li><b>${escape(rival)}</b>: ahead in ${ahead}, equal in ${even}, behind in ${behind.length}${where}.</li>`;
}

export function retrievalSection(rows) {
  if (rows.length === 0) {
    return "<p>Not part of this run: name a folder of data with <code>--data</code>.</p>";
  }
  const rivals = Object.keys(rows[0].systems).filter((name) => name !== OWN);
  const sets = grouped(rows);
  const tables = [...sets].map(([set, own]) => `<h3>${escape(set)}</h3>${retrievalTable(own)}`);
  return `<p>R@5 over ${rows.length} categories; points behind are in brackets.</p>
<ul>${rivals.map((rival) => against(rows, rival)).join("\n")}</ul>
${tables.join("\n")}`;
}

function grouped(rows) {
  const sets = new Map();
  for (const row of rows) sets.set(row.set, [...(sets.get(row.set) ?? []), row]);
  return sets;
}

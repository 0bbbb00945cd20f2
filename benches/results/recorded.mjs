// Tables that other commands measured and the documentation records. They are read from there, never typed here.

import { readFile } from "node:fs/promises";

const ROOT = new URL("../../", import.meta.url);

/** `after`: the text that the table follows. `command`: what measures it, unless each row names its own. */
const TABLES = [
  {
    title: "Judgement: what is kept, replaced and hidden, in per cent",
    file: "docs/decisions/033-judgement-by-rules-and-packs.md",
    after: "**Figures**",
    command: "cargo test --test judgement -- --nocapture",
  },
  {
    title: "Reliability: the largest runs and what they found",
    file: "docs/reliability.md",
    after: "### Figures",
  },
];

/** Each table with its cells as Markdown. */
export async function recorded() {
  const read = TABLES.map(async ({ after, ...about }) => {
    const text = await readFile(new URL(about.file, ROOT), "utf8");
    const from = text.indexOf(after);
    if (from < 0) throw new Error(`${about.file} has no "${after}"`);
    const rows = firstTable(text.slice(from).split("\n"));
    if (rows.length < 2) throw new Error(`${about.file} has no table after "${after}"`);
    return { ...about, head: rows[0], rows: rows.slice(2) };
  });
  return Promise.all(read);
}

function firstTable(lines) {
  const start = lines.findIndex((line) => line.startsWith("|"));
  const rest = start < 0 ? [] : lines.slice(start);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end < 0 ? undefined : end).map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    return cells.map((cell) => cell.trim());
  });
}

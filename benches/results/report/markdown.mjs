// Tables of figures as Markdown.

import { isRelative, rowsBySystem } from "./by-system.mjs";
import { beside, count, factor, quantity, range } from "./words.mjs";

const OWN = "Keepsake";

/** A cell may have several lines. */
const BREAK = "<br>";

const cellOf = (text) =>
  String(text)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");

/** `columns` are `{ title, number? }`. */
export function markdownTable(columns, rows) {
  const line = (cells) => `| ${cells.map(cellOf).join(" | ")} |`;
  const rule = columns.map(({ number }) => (number ? "---:" : "---"));
  return [line(columns.map(({ title }) => title)), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}

const numbered = (title) => ({ title, number: true });

const strong = (text, is) => (is ? `**${text}**` : text);

/** Systems by numbers of entries, the best of a column in bold. `columns` are `{ what, entries, title }`. */
export function systemTable(results, where, columns) {
  const rows = rowsBySystem(results, where, columns).map(({ name, notes, cells }) => [
    `${strong(name, name === OWN)}${notes && `${BREAK}${notes}`}`,
    ...cells.map(({ figure, reference, best, missing }) => {
      if (figure === undefined) return missing ? "not measured" : "–";
      const more = isRelative(figure, reference) ? [beside(figure.median / reference.median)] : [];
      const shown = strong(quantity(figure.median, figure.unit), best);
      return [shown, ...more, ...(figure.n > 1 ? [range(figure)] : [])].join(BREAK);
    }),
  ]);
  return markdownTable([{ title: "" }, ...columns.map(({ title }) => numbered(title))], rows);
}

const BETTER = { ms: ["faster", "slower"], bytes: ["smaller", "larger"] };

/** How Keepsake's figure differs: `4.2 × faster`, `1.3 × larger`, `2.0 points less`. */
export function ratio(own, other, verdict) {
  if (own.median === other.median) return "even";
  const isBetter = own.better === "less" ? own.median < other.median : own.median > other.median;
  const by = factor(own, other);
  const words =
    own.unit === "%" ? `${by} ${isBetter ? "more" : "less"}` : `${by} ${BETTER[own.unit][isBetter ? 0 : 1]}`;
  return verdict === "even" ? `even (${words})` : words;
}

/** One line for each comparison: Keepsake, the best of the others, and who is first. */
export function verdictMarkdown(comparisons) {
  const rows = comparisons.map(({ title, size, own, other, verdict, place, of }) => [
    size ? `${title}, ${size}` : title,
    quantity(own.median, own.unit),
    `${other.system} ${quantity(other.median, other.unit)}`,
    ratio(own, other, verdict),
    `${place} of ${of}`,
  ]);
  const columns = [{ title: "" }, numbered("Keepsake"), numbered("best of the others")];
  return markdownTable([...columns, { title: "Keepsake is" }, numbered("place")], rows);
}

/** One line for each rival: where Keepsake is better, where they are even, and where the rival is better. */
export function duelMarkdown(duels, usual) {
  const sizeOf = ({ entries }) => entries ?? usual;
  const rows = [...duels].map(([rival, verdicts]) => {
    const cells = ["first", "even", "behind"].map((verdict) => {
      const all = verdicts[verdict].map(({ title, size, own, other }) => {
        const at = sizeOf(own) === usual ? "" : `, ${size}`;
        return `${title}${at}${verdict === "even" ? "" : `: ${factor(own, other)}`}`;
      });
      return [`**${all.length}**`, ...all].join(BREAK);
    });
    return [rival, ...cells];
  });
  return markdownTable(["", "Keepsake is better", "even", "the other is better"].map(titled), rows);
}

const titled = (title) => ({ title });

/** One line for each rival in retrieval. `gaps` are `{ ahead, even, behind }`, by rival. */
export function gapMarkdown(gaps) {
  const named = (all) => all.map(({ name, gap }) => `${name}: ${Math.abs(gap).toFixed(1)}`);
  const rows = gaps.map(([rival, { ahead, even, behind }]) => [
    rival,
    `**${ahead.length}**`,
    `**${even.length}**`,
    [`**${behind.length}**`, ...named(behind)].join(BREAK),
  ]);
  return markdownTable(["", "Keepsake is better", "even", "the other is better"].map(titled), rows);
}

const MEASURES = [
  ["r5", "R@5"],
  ["r10", "R@10"],
];

/** A set by category; the best of a line is bold. `goals` are the floors and goals of the set. */
export function retrievalMarkdown(rows, goals) {
  const names = Object.keys(rows[0].systems);
  const limits = goals.length > 0 ? ["floor", "goal"] : [];
  const lines = rows.flatMap(({ category, n, systems }) => {
    const set = goals.find((one) => one.category === category);
    return MEASURES.map(([measure, word]) => {
      // As they are shown, so that two equal ones are both bold.
      const values = names.map((name) => systems[name][measure].toFixed(1));
      const most = Math.max(...values);
      const limit = limits.map((name) => set?.[name === "floor" ? "least" : "goal"]?.[measure] ?? "–");
      return [
        `${category}, ${word}`,
        count(n),
        ...values.map((value) => strong(value, Number(value) === most)),
        ...limit.map((value) => (typeof value === "number" ? value.toFixed(1) : value)),
      ];
    });
  });
  return markdownTable([{ title: "" }, numbered("n"), ...[...names, ...limits].map(numbered)], lines);
}

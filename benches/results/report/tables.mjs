// Tables of figures as HTML.

import { isRelative, rowsBySystem } from "./by-system.mjs";
import { beside, count, escaped, factor, inline, quantity, range } from "./words.mjs";

const OWN = "Keepsake";

/** `columns` are `{ title, number? }`; a cell is a string of HTML, or `{ html, best }`. `look` is a class of the table. */
export function htmlTable(columns, rows, look = "") {
  const kind = (at) => (columns[at].number ? "number" : "text");
  const head = columns.map(({ title }, at) => `<th class="${kind(at)}">${title}</th>`);
  const body = rows.map(({ own, cells }) => {
    const tds = cells.map((cell, at) => {
      const { html, best } = typeof cell === "string" ? { html: cell } : cell;
      return `<td class="${kind(at)}${best ? " best" : ""}">${html}</td>`;
    });
    return `<tr${own ? ' class="own"' : ""}>${tds.join("")}</tr>`;
  });
  return `<div class="scroll"><table class="${look}"><thead><tr>${head.join("")}</tr></thead><tbody>
${body.join("\n")}
</tbody></table></div>`;
}

/**
 * Systems by numbers of entries, fastest at the largest number first. `columns` are `{ what, entries, title }`; a figure
 * also says how many times Keepsake's it is.
 */
export function bySystem(results, where, columns) {
  const rows = rowsBySystem(results, where, columns).map(({ name, notes, cells }) => ({
    own: name === OWN,
    cells: [
      `${escaped(name)}${notes && `<small>${inline(notes)}</small>`}`,
      ...cells.map(({ figure, reference, best, missing }) => {
        if (figure === undefined) return missing ? "<small>not measured</small>" : "–";
        return { html: cell(figure, reference), best };
      }),
    ],
  }));
  return htmlTable([{ title: "" }, ...columns.map(({ title }) => ({ title, number: true }))], rows);
}

function cell(figure, reference) {
  const small = [];
  if (isRelative(figure, reference)) small.push(beside(figure.median / reference.median));
  if (figure.n > 1) small.push(range(figure));
  return `${quantity(figure.median, figure.unit)}${small.map((line) => `<small>${line}</small>`).join("")}`;
}

const WORDS = { first: "Keepsake", even: "even", behind: "another" };

/** One line for each comparison: Keepsake, the best of the others, and who is first. */
export function verdictTable(comparisons) {
  const columns = [
    { title: "" },
    { title: "Keepsake", number: true },
    { title: "best of the others", number: true },
    { title: "first" },
    { title: "place", number: true },
  ];
  const rows = comparisons.map(({ title, size, own, other, verdict, place, of }) => {
    const shown = (figure) => `${quantity(figure.median, figure.unit)}<small>${range(figure)}</small>`;
    const by = factor(own, other);
    const word = verdict === "behind" ? escaped(other.system) : WORDS[verdict];
    return {
      cells: [
        `${escaped(title)}<small>${size}</small>`,
        shown(own),
        `${quantity(other.median, other.unit)}<small>${escaped(other.system)}</small>`,
        `<span class="verdict ${verdict}">${word}</span>${verdict === "even" ? "" : `<small>by ${by}</small>`}`,
        `${place} of ${of}`,
      ],
    };
  });
  return htmlTable(columns, rows);
}

/** One line for each rival: where Keepsake is better, where they are even, and where the rival is better. */
export function duelTable(duels, usual) {
  // Only a size that is not the usual one is named.
  const sizeOf = ({ entries }) => entries ?? usual;
  const columns = [
    { title: "" },
    { title: "Keepsake is better" },
    { title: "even" },
    { title: "the other is better" },
  ];
  const rows = [...duels].map(([rival, verdicts]) => {
    const cells = ["first", "even", "behind"].map((verdict) => {
      const all = verdicts[verdict].map(({ title, size, own, other }) => {
        const by = verdict === "even" ? "" : ` <b>${factor(own, other)}</b>`;
        return `<small>${escaped(title)}${sizeOf(own) === usual ? "" : `, ${size}`}${by}</small>`;
      });
      return `<span class="verdict ${verdict}">${all.length}</span>${all.join("")}`;
    });
    return { cells: [escaped(rival), ...cells] };
  });
  return htmlTable(columns, rows, "duels");
}

const MEASURES = [
  ["r5", "R@5"],
  ["r10", "R@10"],
];

/** A set by category: R@5 and R@10 of each system; the best of a line is bold. */
export function retrievalTable(rows) {
  const names = Object.keys(rows[0].systems);
  const columns = [
    { title: "" },
    { title: "n", number: true },
    ...names.map((name) => ({ title: escaped(name), number: true })),
  ];
  const lines = rows.flatMap(({ category, n, systems }) =>
    MEASURES.map(([measure, word]) => {
      // As they are shown, so that two equal ones are both bold.
      const values = names.map((name) => systems[name][measure].toFixed(1));
      const most = Math.max(...values);
      return {
        cells: [
          `${escaped(category)}, ${word}`,
          count(n),
          ...values.map((value) => ({ html: value, best: Number(value) === most })),
        ],
      };
    }),
  );
  return htmlTable(columns, lines);
}

/** A table of the documentation. */
export const recordedTable = ({ head, rows }) =>
  htmlTable(
    head.map((title) => ({ title: inline(title) })),
    rows.map((cells) => ({ cells: cells.map(inline) })),
    head.length > 6 ? "dense" : "",
  );

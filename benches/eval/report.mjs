// The tables: what was measured, and beside it what has to be reached and what others reach on the same data.

import { table } from "../table.mjs";

/** What `best` has to reach, by set and category. */
const REQUIRED = {
  locomo: { "1-4": { r5: 75, r10: 81 } },
  jsquad: { all: { r5: 96.5 } },
  "xquad.vi": { all: { r5: 98.5 } },
  "xquad.zh": { all: { r5: 99 } },
  "xquad.en": { all: { r5: 98.5 } },
};

/** What others reach: R@5, R@10, nDCG@10, MRR. LoCoMo: categories 1-4 of all ten conversations. */
const OTHERS = {
  locomo: [
    ["the formula (all ten)", 37.6, 45.5, 33.9, 33.4],
    ["MiniSearch 7.2 (all ten)", 44.8, 53.0, undefined, 39.4],
    ["FlexSearch 0.8 (all ten)", 38.6, 44.5, undefined, 33.2],
    ["BM25, stemming (all ten)", 46.9, 55.3, 41.9, 40.7],
    ["BM25, neighbours (all ten)", 62.6, 71.4, 53.3, 50.7],
    ["BM25, neighbours (dev half)", 63.8, 73.0],
    ["DRAGON (all ten, 1-5)", 56.7, 66.2],
  ],
  jsquad: [
    ["the formula", 27.4],
    ["BM25, CJK uni+bigrams", 96.7],
  ],
  "xquad.vi": [
    ["the formula", 58.0],
    ["BM25, stemming", 98.6],
  ],
  "xquad.zh": [
    ["the formula", 13.4],
    ["BM25, CJK uni+bigrams", 99.1],
  ],
  "xquad.en": [
    ["the formula", 91.7],
    ["BM25, stemming", 98.7],
  ],
};

const HEAD = ["", "n", "R@5", "R@10", "nDCG@10", "MRR", "required"];
const show = (figure) => (figure === undefined ? "-" : figure.toFixed(1));

/** Prints one table a set; `results` are the averages by ranking, set and category. */
export function print(results) {
  const sets = Object.keys(Object.values(results)[0]);
  for (const set of sets) {
    console.log(`\n${set}`);
    const rows = Object.entries(results).flatMap(([ranking, bySet]) => measured(ranking, set, bySet[set]));
    const others = (OTHERS[set] ?? []).map(([name, r5, r10, ndcg10, mrr]) => {
      return [name, "", show(r5), show(r10), show(ndcg10), show(mrr), ""];
    });
    console.log(table([HEAD, ...rows, ...others]));
  }
}

function measured(ranking, set, categories) {
  return Object.entries(categories).map(([category, row]) => {
    const required = ranking === "best" ? REQUIRED[set]?.[category] : undefined;
    const figures = [row.r5, row.r10, row.ndcg10, row.mrr].map(show);
    return [`${ranking} ${category}`, String(row.n), ...figures, verdict(row, required)];
  });
}

/** `R@5 75 ok, R@10 81 short by 0.4`. */
function verdict(row, required = {}) {
  const parts = Object.entries(required).map(([measure, wanted]) => {
    const missing = wanted - row[measure];
    return `${measure.replace("r", "R@")} ${wanted} ${missing > 0 ? `short by ${missing.toFixed(1)}` : "ok"}`;
  });
  return parts.join(", ");
}

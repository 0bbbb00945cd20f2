// The tables: the package beside its peers, category by category.

import { table } from "../table.mjs";
import { FLOORS } from "./floors.mjs";

/** Published figures of systems that are not run here: R@5, R@10. */
const PUBLISHED = {
  locomo: [
    ["BM25 with neighbours, development half, 1-4", 63.8, 73.0],
    ["DRAGON, all ten conversations, 1-5", 56.7, 66.2],
  ],
};

/** The peer that no category may be below. */
const YARDSTICK = "MiniSearch";

const HEAD = ["", "n", "R@5", "R@10", "nDCG@10", "MRR", ""];
const MEASURES = ["r5", "r10", "ndcg10", "mrr"];
const show = (figure) => (figure === undefined ? "-" : figure.toFixed(1));
const figures = (row) => MEASURES.map((measure) => show(row[measure]));

/** Prints one table a set, then the categories in which the package is below the yardstick. */
export function print(results) {
  const { best, formula, variants, peers } = results;
  const below = [];
  for (const set of Object.keys(best ?? formula)) {
    const systems = {
      ...(best && { best: best[set] }),
      ...Object.fromEntries(
        Object.entries(variants[set] ?? {}).map(([name, rows]) => [`best, ${name}`, rows]),
      ),
      ...(formula && { formula: formula[set] }),
      ...Object.fromEntries(Object.entries(peers).map(([name, bySet]) => [name, bySet[set]])),
    };
    const rows = Object.keys((best ?? formula)[set]).flatMap((category) => {
      const behind = best ? shortfall(best[set][category], peers[YARDSTICK]?.[set][category]) : "";
      if (behind !== "") below.push(`${set} ${category}: ${behind}`);
      return Object.entries(systems).map(([system, byCategory]) => {
        const row = byCategory[category];
        const note =
          system === "best" ? [behind && `below ${YARDSTICK}: ${behind}`, floorOf(set, category)] : [];
        return [`${category} · ${system}`, String(row.n), ...figures(row), join(note)];
      });
    });
    const published = (PUBLISHED[set] ?? []).map(([name, r5, r10]) => {
      return [name, "", ...figures({ r5, r10 }), "published"];
    });
    console.log(`\n${set}\n${table([HEAD, ...rows, ...published])}`);
  }
  if (best && peers[YARDSTICK]) {
    console.log(`\nCategories below ${YARDSTICK}: ${below.length === 0 ? "none" : `\n${below.join("\n")}`}`);
  }
}

const join = (notes) => notes.filter((note) => note).join("; ");

/** By how much R@5 and R@10 are below the yardstick's: `R@5 by 1.4, R@10 by 0.3`. */
function shortfall(row, yardstick) {
  if (yardstick === undefined) return "";
  const parts = ["r5", "r10"].flatMap((measure) => {
    const missing = yardstick[measure] - row[measure];
    return missing > 0 ? [`${measure.replace("r", "R@")} by ${missing.toFixed(1)}`] : [];
  });
  return parts.join(", ");
}

/** `floor 74.5 / 80.5, goal 75 / 81`. */
function floorOf(set, category) {
  const floor = FLOORS.find(
    (one) => one.set === set && one.category === category && one.variant === undefined,
  );
  if (floor === undefined) return "";
  const both = ({ r5, r10 }) => [r5, r10].filter((figure) => figure !== undefined).join(" / ");
  return `floor ${both(floor.least)}${floor.goal ? `, goal ${both(floor.goal)}` : ""}`;
}

/** Each conversation alone, then what they have in common; `apart` is by set, ranking and conversation. */
export function printApart(apart) {
  for (const [set, byRanking] of Object.entries(apart)) {
    for (const [ranking, { conversations, ...summary }] of Object.entries(byRanking)) {
      const rows = Object.entries(conversations).map(([user, row]) => [
        user,
        String(row.n),
        ...figures(row),
        "",
      ]);
      const all = Object.entries(summary).map(([name, row]) => [name, "", ...figures(row), ""]);
      console.log(`\n${set}, ${ranking}, one conversation at a time\n${table([HEAD, ...rows, ...all])}`);
    }
  }
}

/** The conversations of one set and ranking by their figures alone, and the mean, least and most of them. */
export function summarise(conversations) {
  const asked = Object.values(conversations).filter(({ n }) => n > 0);
  const over = (pick) => {
    return Object.fromEntries(MEASURES.map((measure) => [measure, pick(asked.map((row) => row[measure]))]));
  };
  return {
    conversations,
    mean: over((all) => all.reduce((sum, one) => sum + one, 0) / all.length),
    min: over((all) => Math.min(...all)),
    max: over((all) => Math.max(...all)),
  };
}

export function printChecks(checks) {
  const rows = checks.map(({ what, outcome, detail }) => [outcome, what, detail]);
  const width = Math.max(...rows.map(([outcome]) => outcome.length));
  const lines = rows.map(([outcome, what, detail]) => `${outcome.padEnd(width)}  ${what}: ${detail}`);
  console.log(`\nChecks\n${lines.join("\n")}`);
}

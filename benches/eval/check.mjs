// `--check`: the measured figures against the floors. A check is `{ what, outcome, detail }`, where `outcome` is `ok`,
// `failed` or `not measured`.

import { FLOORS, FORMULA, SESSION_COST } from "./floors.mjs";
import { SESSION_PAIRS } from "./variants.mjs";

const MEASURES = { r5: "R@5", r10: "R@10", ndcg10: "nDCG@10", mrr: "MRR" };

const NO_FIGURES = "no such figures in this run";

/** Every check of these results; `chats` are the categories that stand for each chat set, by its name. */
export function check(results, chats) {
  return [
    ...FLOORS.flatMap((floor) => compare("best", floor, rowOf(results, floor))),
    ...FORMULA.flatMap((floor) => compare("formula", floor, results.formula?.[floor.set]?.[floor.category])),
    ...Object.entries(chats).flatMap(([set, category]) => sessionCost(results, set, category)),
  ];
}

function rowOf({ best, variants }, { set, variant, category }) {
  return (variant === undefined ? best?.[set] : variants?.[set]?.[variant])?.[category];
}

function compare(ranking, { set, variant, category, n, least, exactly }, row) {
  const what = `${ranking} ${set} ${category}${variant === undefined ? "" : `, ${variant}`}`;
  if (row === undefined) return [{ what, outcome: "not measured", detail: NO_FIGURES }];
  if (row.n !== n) {
    const detail = `the floor is for ${n} questions, the set has ${row.n}`;
    return [{ what, outcome: "not measured", detail }];
  }
  return Object.entries(least ?? exactly).map(([measure, wanted]) => {
    const seen = row[measure];
    const ok = least ? seen >= wanted : seen.toFixed(4) === wanted.toFixed(4);
    const detail = least
      ? `${seen.toFixed(2)}, at least ${wanted}`
      : `${seen.toFixed(4)}, exactly ${wanted.toFixed(4)}`;
    return { what: `${what}: ${MEASURES[measure]}`, outcome: ok ? "ok" : "failed", detail };
  });
}

/** That `session` costs at most `SESSION_COST`, for each pair of variants that was measured. */
function sessionCost({ best, variants }, set, category) {
  const rowsOf = (variant) => (variant === undefined ? best : variants?.[set])?.[variant ?? set]?.[category];
  return SESSION_PAIRS.flatMap(([passed, left]) => {
    const what = `session costs ${set} ${category}${passed === undefined ? "" : `, ${passed}`}`;
    const [row, other] = [rowsOf(passed), rowsOf(left)];
    if (row === undefined || other === undefined) {
      // Chats of people have no roles to leave out.
      return passed === undefined ? [{ what, outcome: "not measured", detail: NO_FIGURES }] : [];
    }
    return ["r5", "r10"].map((measure) => {
      const cost = other[measure] - row[measure];
      return {
        what: `${what}: ${MEASURES[measure]}`,
        outcome: cost <= SESSION_COST ? "ok" : "failed",
        detail: `${cost.toFixed(2)}, at most ${SESSION_COST}`,
      };
    });
  });
}

/** The failures, one line each. A run that checked nothing has failed, too. */
export function failures(checks) {
  if (checks.every(({ outcome }) => outcome === "not measured")) return ["nothing was checked"];
  return checks
    .filter(({ outcome }) => outcome === "failed")
    .map(({ what, detail }) => `${what} is ${detail}`);
}

// Performance figures in a text: each must be one of the published results, or have a reason.

import { comparisons, duels } from "./report/compare.mjs";
import { factor, quantity } from "./report/words.mjs";

const UNITS = [
  "×|%|µs|us|[mn]s|s|sec|(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|years?",
  "B|bytes?|[KMG]i?B|times|fold|points|percent|per cent|entries|messages|operations",
].join("|");

const WORDS = "two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand";

/** `12 ms`, `12-fold`, `1,200 KB`, `3x`, `ten times`, `twice as fast`. */
const CLAIM = new RegExp(
  [
    `(?<![\\w.,])\\d[\\d,]*(?:\\.\\d+)?[ \\u00a0\\u202f-]?(?:${UNITS}|x)(?![\\w])`,
    `\\b(?:${WORDS})[ -](?:times|fold)\\b`,
    "\\b(?:twice|thrice|half) as \\w+",
  ].join("|"),
  "giu",
);

/** One spelling of `3x`, `3 times`, `3-fold` and `3 ×`, and of spaces. */
const plain = (text) =>
  text.replace(/^([\d.,]+)[\s-]?/, "$1 ").replace(/^([\d.,]+) (?:x|times|fold)$/i, "$1 ×");

/** Each figure of a text with its line. */
export const claims = (text) =>
  [...text.matchAll(CLAIM)].map(({ 0: found, index }) => ({
    text: plain(found),
    line: text.slice(0, index).split("\n").length,
  }));

/** What the published results say: medians, ratios and retrieval, as they are printed. `results` are expanded. */
export function printed(results) {
  const medians = results.figures.map(({ median, unit }) => quantity(median, unit));
  const pairs = [
    ...comparisons(results),
    ...[...duels(results).values()].flatMap(({ first, even, behind }) => [...first, ...even, ...behind]),
  ];
  const ratios = pairs.map(({ own, other }) => factor(own, other));
  const found = results.retrieval.flatMap(({ systems }) =>
    Object.values(systems).flatMap(({ r5, r10 }) => [quantity(r5, "%"), quantity(r10, "%")]),
  );
  return new Set([...medians, ...ratios, ...found].map(plain));
}

/**
 * The figures of a text that are neither printed nor allowed, and the reasons that allow nothing. `allowed` are
 * `{ text, reason }`.
 */
export function problems(text, known, allowed) {
  const found = claims(text);
  const reasons = new Map(allowed.map((one) => [one.text, one.reason]));
  const unknown = found.filter((claim) => !known.has(claim.text) && !reasons.has(claim.text));
  const unused = allowed.filter((one) => !found.some((claim) => claim.text === one.text));
  return [
    ...unknown.map(
      (claim) => `line ${claim.line}: "${claim.text}" is no figure of docs/results/results.json`,
    ),
    ...unused.map((one) => `"${one.text}" is allowed, and not in the text`),
    ...allowed.flatMap((one) => (one.reason ? [] : [`"${one.text}" is allowed without a reason`])),
  ];
}

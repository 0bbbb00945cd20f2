// The floors of `--check`. All figures are percentages; `n` is the number of questions that a figure was measured on, so
// that a file with the same name and other questions is not compared.

/** `best` must reach `least`; `goal` is printed only. A `variant` is one of variants.mjs. */
export const FLOORS = [
  { set: "locomo", category: "1-4", n: 759, least: { r5: 74.5, r10: 80.5 }, goal: { r5: 75, r10: 81 } },
  {
    set: "realtalk/realtalk-dev",
    category: "all",
    n: 359,
    least: { r5: 56, r10: 64.5 },
    goal: { r5: 57, r10: 65 },
  },
  {
    set: "beam/beam-100k-dev",
    category: "all",
    n: 179,
    least: { r5: 52, r10: 60.5 },
    goal: { r5: 54, r10: 62 },
  },
  {
    set: "beam/beam-100k-dev",
    variant: "roles unknown",
    category: "all",
    n: 179,
    least: { r5: 48, r10: 58 },
  },
  { set: "xquad.ru", category: "all", n: 1190, least: { r5: 98 }, goal: { r5: 98.5 } },
  { set: "xquad.de", category: "all", n: 1190, least: { r5: 98 }, goal: { r5: 98.5 } },
  // Reached before the look-alike groups came, less .2: 96.6457, 98.8235, 98.5714, 99.0756.
  { set: "jsquad", category: "all", n: 4442, least: { r5: 96.4457 } },
  { set: "xquad.en", category: "all", n: 1190, least: { r5: 98.6235 } },
  { set: "xquad.vi", category: "all", n: 1190, least: { r5: 98.3714 } },
  { set: "xquad.zh", category: "all", n: 1190, least: { r5: 98.8756 } },
];

/** `formula` is a published score: its figures never change, not even by a rounding. */
export const FORMULA = [
  {
    set: "locomo",
    category: "1-5",
    n: 996,
    exactly: { r5: 37.813, r10: 44.7108, ndcg10: 33.1102, mrr: 31.7629 },
  },
  {
    set: "realtalk/realtalk-dev",
    category: "all",
    n: 359,
    exactly: { r5: 36.8948, r10: 45.7912, ndcg10: 34.1059, mrr: 34.8119 },
  },
  {
    set: "beam/beam-100k-dev",
    category: "all",
    n: 179,
    exactly: { r5: 27.1216, r10: 31.1818, ndcg10: 24.4518, mrr: 29.2273 },
  },
  {
    set: "jsquad",
    category: "all",
    n: 4442,
    exactly: { r5: 94.2368, r10: 95.6101, ndcg10: 92.171, mrr: 91.1898 },
  },
  {
    set: "xquad.de",
    category: "all",
    n: 1190,
    exactly: { r5: 83.6134, r10: 87.395, ndcg10: 78.3817, mrr: 75.9185 },
  },
  {
    set: "xquad.en",
    category: "all",
    n: 1190,
    exactly: { r5: 91.0924, r10: 94.7899, ndcg10: 85.438, mrr: 82.6523 },
  },
  {
    set: "xquad.ru",
    category: "all",
    n: 1190,
    exactly: { r5: 83.6975, r10: 87.479, ndcg10: 78.3763, mrr: 75.8228 },
  },
  {
    set: "xquad.vi",
    category: "all",
    n: 1190,
    exactly: { r5: 91.4286, r10: 94.5378, ndcg10: 86.7253, mrr: 84.458 },
  },
  {
    set: "xquad.zh",
    category: "all",
    n: 1190,
    exactly: { r5: 97.2269, r10: 98.4874, ndcg10: 94.0913, mrr: 92.7135 },
  },
];

/** Passing `session` may cost so much R@5 and R@10 on any chat, and no more. */
export const SESSION_COST = 1;

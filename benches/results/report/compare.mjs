// Who is first: Keepsake beside the best of the others in every comparison of a run.

import { count } from "./words.mjs";

const OWN = "Keepsake";

/** What is compared, in the order of the page. `of` chooses the rivals that a comparison is fair to. */
const COMPARISONS = [
  { what: "search", title: "Search", of: ({ lists }) => !lists },
  { what: "r5", title: "R@5 of the questions" },
  { what: "open", title: "Open to the first hit" },
  { what: "add", title: "One add, stored", of: ({ stores }) => stores === true },
  { what: "add", title: "One add, beside adds that are not stored", of: ({ stores }) => !stores },
  { what: "batch", title: "Adds in a batch, stored", of: ({ background }) => !background },
  { what: "append", title: "One append, beside a raw put" },
  { what: "memory", title: "Memory after opening" },
  {
    what: "download to the first hit",
    title: "Download to the first hit",
    of: ({ bundle }) => bundle !== undefined,
  },
];

const PLACES = { chromium: "Chromium", node: "Node" };

/** How many of the rounds must agree. Systems take turns within a round, so one disturbed round decides nothing. */
const AGREEING = 0.8;

/** Each comparison with the best of the others: `{ title, size, own, other, verdict, place, of }`. */
export function comparisons(results) {
  return groups(results).map(({ own, others, ...about }) => {
    const sign = own.better === "less" ? 1 : -1;
    const [other] = others.toSorted((one, another) => sign * (one.median - another.median));
    const better = others.filter(({ median }) => sign * (median - own.median) < 0).length;
    return { ...about, own, other, verdict: verdict(own, other), place: better + 1, of: others.length + 1 };
  });
}

/** The same with each rival alone, in Chromium at the largest size that it has: by rival, the comparisons by verdict. */
export function duels(results) {
  const pairs = groups(results)
    .filter(({ own }) => own.where === "chromium")
    .flatMap(({ others, ...about }) => others.map((other) => ({ ...about, other })));
  const isLargest = ({ title, own, other }) =>
    pairs.every((one) => {
      const same = one.title === title && one.other.system === other.system;
      return !same || own.entries === undefined || one.own.entries <= own.entries;
    });
  const rivals = new Map();
  for (const pair of pairs.filter(isLargest)) {
    const all = rivals.get(pair.other.system) ?? { first: [], even: [], behind: [] };
    all[verdict(pair.own, pair.other)].push(pair);
    rivals.set(pair.other.system, all);
  }
  return rivals;
}

/** A system finds the same in Node as in Chromium. */
const isRepeated = ({ what, where }) => what === "r5" && where === "node";

function groups({ figures, systems }) {
  const known = new Map(systems.map((system) => [system.name, system]));
  return COMPARISONS.flatMap(({ what, title, of = () => true }) => {
    const own = figures.filter((one) => one.what === what && one.system === OWN && !isRepeated(one));
    return own.flatMap((mine) => {
      const others = figures.filter((one) => {
        const same = one.what === what && one.where === mine.where && one.entries === mine.entries;
        return same && one.system !== OWN && of(known.get(one.system));
      });
      const unit = what === "append" ? "messages" : "entries";
      const size = [mine.entries && `${count(mine.entries)} ${unit}`, PLACES[mine.where]]
        .filter(Boolean)
        .join(", ");
      return others.length === 0 ? [] : [{ title, size, own: mine, others }];
    });
  });
}

/** Keepsake is `first`, `behind`, or `even` if the rounds do not agree. Without rounds the medians decide. */
export function verdict(own, other) {
  const sign = own.better === "less" ? 1 : -1;
  const isBetter = (mine, theirs) => sign * (mine - theirs) < 0;
  if (own.median === other.median) return "even";
  const first = isBetter(own.median, other.median);
  if (own.samples && other.samples) {
    const rounds = own.samples.map((mine, round) => [mine, other.samples[round]]);
    const agreeing = rounds.filter(([mine, theirs]) =>
      first ? isBetter(mine, theirs) : isBetter(theirs, mine),
    );
    if (agreeing.length < AGREEING * rounds.length) return "even";
  }
  return first ? "first" : "behind";
}

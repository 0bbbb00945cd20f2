// Who is first: Keepsake beside the best of the others in every comparison of a run.

import { count } from "./words.mjs";

const OWN = "Keepsake";

/** What is compared, in the order of the page. `of` chooses the rivals that a comparison is fair to. */
const COMPARISONS = [
  { what: "search", title: "Search", of: ({ lists }) => !lists },
  { what: "r5", title: "R@5 of the questions" },
  { what: "open", title: "Open to the first hit" },
  { what: "add", title: "One add, stored", of: ({ stores }) => stores === true },
  { what: "add", title: "One add, beside indexes in memory", of: ({ stores }) => !stores },
  { what: "batch", title: "Adds in a batch, stored" },
  { what: "append", title: "One append, beside a raw put" },
  { what: "memory", title: "Memory after opening" },
  {
    what: "download to the first hit",
    title: "Download to the first hit",
    of: ({ bundle }) => bundle !== undefined,
  },
];

const PLACES = { chromium: "Chromium", node: "Node" };

/** Each comparison: `{ title, own, other, verdict, ratio, place, of }`; `verdict` is first, even or behind. */
export function comparisons({ figures, systems }) {
  const known = new Map(systems.map((system) => [system.name, system]));
  return COMPARISONS.flatMap(({ what, title, of = () => true }) => {
    const own = figures.filter((one) => one.what === what && one.system === OWN);
    return own.flatMap((mine) => {
      const others = figures.filter((one) => {
        const same = one.what === what && one.where === mine.where && one.entries === mine.entries;
        return same && one.system !== OWN && of(known.get(one.system));
      });
      if (others.length === 0) return [];
      const at =
        mine.entries === undefined
          ? ""
          : `, ${count(mine.entries)} ${what === "append" ? "messages" : "entries"}`;
      const where = PLACES[mine.where];
      return [{ title: `${title}${at}`, where, ...judged(mine, others) }];
    });
  });
}

function judged(own, others) {
  const sign = own.better === "less" ? 1 : -1;
  const sorted = others.toSorted((one, other) => sign * (one.median - other.median));
  const [other] = sorted;
  const better = others.filter(({ median }) => sign * (median - own.median) < 0).length;
  // Rounds that overlap decide nothing. The range of single calls says nothing about how sure a median is.
  const overlap = own.low <= other.high && other.low <= own.high;
  const even = own.samples ? overlap : own.median === other.median;
  const verdict = even ? "even" : better === 0 ? "first" : "behind";
  return { own, other, verdict, place: better + 1, of: others.length + 1 };
}

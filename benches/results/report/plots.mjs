// The plots of a run: how search, opening, one add and a batch grow with the number of entries.

import { logPlot } from "./plot.mjs";

const PLOTS = [
  { file: "search.svg", what: "search", title: "Search, median time" },
  { file: "open.svg", what: "open", title: "Open in a new page, to the first hit" },
  { file: "add.svg", what: "add", title: "One add of 500 characters" },
  { file: "batch.svg", what: "batch", title: "All adds in a batch, until they are stored" },
];

/** A power of ten of milliseconds. */
const label = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toLocaleString("en-US")} s`);

/** By what they show: `{ file, svg }`. Only figures of Chromium, which has all sizes. */
export function plots({ figures, systems }) {
  return Object.fromEntries(
    PLOTS.flatMap(({ file, what, title }) => {
      const lines = systems.flatMap(({ name }, colour) => {
        const own = figures.filter(
          (one) => one.what === what && one.system === name && one.where === "chromium",
        );
        const points = own.map(({ entries, median }) => [entries, median]).sort(([a], [b]) => a - b);
        return points.length === 0 ? [] : [{ name, own: name === "Keepsake", colour, points }];
      });
      // One number of entries is no growth.
      if (!lines.some(({ points }) => points.length > 1)) return [];
      // Keepsake's line is drawn last, above the others.
      lines.sort((one, other) => Number(one.own) - Number(other.own));
      return [[what, { file, svg: logPlot({ title, xTitle: "entries", lines, label }) }]];
    }),
  );
}

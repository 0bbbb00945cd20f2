// The figures of a run, in the form of results.json.
//
// A figure is `{ what, system, where, entries, unit, better, median, low, high, spread, n, samples?, note?, scale? }`.
// `spread` says what `low` and `high` are; `scale` marks a figure that is shown beside another and not compared with it. A
// figure that could not be taken is in `missing`, with the reason.

import { spread } from "../bench/measure.mjs";

export function figures() {
  const [taken, missing] = [[], []];
  return {
    taken,
    missing,
    /** One sample for each round: the median of the rounds, the least and the most. */
    rounds(key, samples) {
      if (samples.length === 0) return;
      const { p50 } = spread(samples);
      const [low, high] = [Math.min(...samples), Math.max(...samples)];
      taken.push({
        ...key,
        median: p50,
        low,
        high,
        spread: "min–max of the rounds",
        n: samples.length,
        samples,
      });
    },
    /** Many calls within one run, as `spread` sums them up. */
    calls(key, { n, p25, p50, p75 }) {
      taken.push({ ...key, median: p50, low: p25, high: p75, spread: "p25–p75 of the calls", n });
    },
    /** A figure that is the same each time, such as a size. */
    single(key, value) {
      taken.push({ ...key, median: value, low: value, high: value, spread: "counted once", n: 1 });
    },
    fail({ what, system, where, entries }, error) {
      missing.push({ what, system, where, entries, reason: firstLine(error) });
    },
  };
}

/** The message without a stack, and without paths of this machine. */
function firstLine({ message }) {
  const line = message.replace(/^page\.evaluate: (Error: )?/, "").split("\n")[0];
  return line.replace(/(file:\/\/)?(\/[\w.@-]+){2,}\//g, "").slice(0, 200);
}

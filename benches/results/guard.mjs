// The guard of `--quick`: what Keepsake costs beside a rival in the same run, compared with the recorded ratios. A ratio
// depends far less on the machine than a time does.

import { readFile, writeFile } from "node:fs/promises";
import { median } from "../bench/measure.mjs";

const FILE = new URL("guard.json", import.meta.url);

/** How much worse a ratio may be before the command fails. */
const ALLOWED = 2;

const COMPARED = [
  ["search", "MiniSearch"],
  ["open", "MiniSearch"],
  ["batch", "MiniSearch"],
  ["batch", "IndexedDB"],
  ["add", "IndexedDB"],
  ["append", "IndexedDB"],
];

/** Keepsake ÷ rival for each comparison, by name. Rounds are compared with each other, then the median is taken. */
export function ratios(taken) {
  const of = (what, system) => {
    const found = taken.find((one) => one.what === what && one.system === system && one.where === "chromium");
    if (found === undefined) throw new Error(`no figure for ${what} of ${system}: the guard needs it`);
    return found;
  };
  const pairs = COMPARED.map(([what, rival]) => {
    const [own, other] = [of(what, "Keepsake"), of(what, rival)];
    const ratio = own.samples
      ? median(own.samples.map((sample, round) => sample / other.samples[round]))
      : own.median / other.median;
    return [`${what}, Keepsake ÷ ${rival}`, Number(ratio.toPrecision(3))];
  });
  return Object.fromEntries(pairs);
}

export async function record(found) {
  await writeFile(FILE, `${JSON.stringify(found, null, 2)}\n`);
}

export const recordedRatios = async () => JSON.parse(await readFile(FILE, "utf8"));

/** Each comparison with its verdict. One that is missing on either side fails, so that none is dropped unnoticed. */
export function check(found, known) {
  const names = new Set([...Object.keys(known), ...Object.keys(found)]);
  return [...names].map((name) => {
    const [ratio, recorded] = [found[name], known[name]];
    if (recorded === undefined) return { name, ratio, ok: false, problem: "not recorded: run with --record" };
    if (ratio === undefined) return { name, recorded, ok: false, problem: "not measured" };
    const ok = ratio <= ALLOWED * recorded;
    return {
      name,
      ratio,
      recorded,
      ok,
      ...(!ok && { problem: `more than ${ALLOWED} times the recorded one` }),
    };
  });
}

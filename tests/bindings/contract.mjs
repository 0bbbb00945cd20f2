// The contract of wit/, as `cargo xtask generate` writes it for the hosts of other languages.

import { readFile } from "node:fs/promises";

/** Every function that the component exports, and every named type as `interface/name`. */
export const { functions, types } = JSON.parse(
  await readFile(new URL("contract.json", import.meta.url), "utf8"),
);

/** The shape of a named type. */
export const shape = (type) => (typeof type === "string" ? types[type] : undefined);

/** Whether two names differ in nothing but case and underscores. */
export const alike = (one, other) => letters(one) === letters(other);
const letters = (name) => name.replaceAll("_", "").toLowerCase();

/** A name of WIT as JavaScript writes it. */
export const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Whether a verb is one of the component. */
export const knows = (verb) => functions.some((one) => one.verb === verb);

/** The function of a verb that can express all of these arguments, or most of them. */
export function functionOf(verb, args) {
  const fits = ({ with: more = {} }) => Object.entries(more).every(([key, value]) => args[key] === value);
  const known = ({ keys = [] }) =>
    Object.keys(args).filter((name) => keys.some((key) => alike(key, name))).length;
  const rank = (one) => [Object.keys(one.with ?? {}).length, known(one)];
  const found = functions.filter((one) => one.verb === verb && fits(one));
  return found.reduce((best, one) => {
    const [[a, b], [c, d]] = [rank(best), rank(one)];
    return c > a || (c === a && d >= b) ? one : best;
  });
}

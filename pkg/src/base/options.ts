// Validates option objects: an unknown name is refused, with the nearest known name as a hint.

import { MemoryError, optionsIn } from "./errors.js";

/** The words of a string, separated by single spaces. */
type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** The names of all fields of all members of a union. */
type Names<T> = T extends unknown ? keyof T : never;

/** `S` if it names every field of `T` and nothing else, so that no option can be added and forgotten here. */
type Exactly<T, S extends string> = [Names<T>] extends [Words<S>]
  ? [Words<S>] extends [Names<T>]
    ? S
    : never
  : never;

/** Names of options in other libraries, in lower case without separators, and their names here. */
const ELSEWHERE = [
  ["userid", "user"],
  ["limit", "topK"],
] as const;

/**
 * Refuses options with a field that is not in `names`: all names of `T`, separated by spaces. `within` is the path of the
 * object, with a trailing dot, if it is nested in other options.
 */
export function known<T extends object, S extends string>(
  options: T | null | undefined,
  names: S & Exactly<T, S>,
  within = "",
): void {
  const all: string[] = names.split(" ");
  for (const [name, value] of Object.entries(optionsIn(options ?? {}))) {
    if (value === undefined || all.includes(name)) continue;
    const near = all.map((other) => [distance(plain(name), plain(other)), other] as const);
    const [[off, nearest]] = near.sort(([one], [other]) => one - other) as [[number, string]];
    const [, same] = ELSEWHERE.find(([theirs, ours]) => theirs === plain(name) && all.includes(ours)) ?? [];
    const meant = same ?? (off * 5 <= nearest.length * 2 ? nearest : undefined);
    const hint = meant ? `did you mean \`${meant}\`?` : `known are: ${all.join(", ")}`;
    throw new MemoryError("invalid-input", `unknown option \`${within}${name}\`; ${hint}`, {
      field: within + name,
    });
  }
}

/** Ignores case and separators: `profile_store` matches `profileStore`. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** The edit distance: the number of letters to add, remove or change. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one) {
    const next = [(row[0] as number) + 1];
    for (let at = 0; at < other.length; at++) {
      const [diagonal, above] = row.slice(at) as [number, number];
      next.push(Math.min(diagonal + +(letter !== other[at]), above + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}

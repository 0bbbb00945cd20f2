// The sync decision for a file, as a pure function of the two sides and their base.

import type { Listed } from "../../../base/listed.js";

/** The direction of a sync: which sides may be written. */
export type Direction = Listed<"both" | "into-memory" | "into-folder">;

/**
 * - `same`: both sides are equal, nothing to do
 * - `leave`: nothing to do in this direction
 * - `import`, `export`: copy the folder's version to the memory, or the memory's to the folder
 * - `merge`: both sides changed
 * - `remove-inside`, `remove-outside`: the file was deleted on the other side
 * - `ask`: the folder's version would be lost
 */
export type Step =
  | "same"
  | "leave"
  | "import"
  | "export"
  | "merge"
  | "remove-inside"
  | "remove-outside"
  | "ask";

/** The hashes of a file; `undefined` where it does not exist. */
export interface Sides {
  /** The last common version. */
  base: string | undefined;
  /** The memory's version. */
  inside: string | undefined;
  /** The folder's version. */
  outside: string | undefined;
}

/** Decides the sync step of a file. */
export function stepFor(direction: Direction, { base, inside, outside }: Sides): Step {
  if (inside === outside) return "same";
  if (direction === "into-memory") {
    if (outside === undefined || (inside !== undefined && outside === base)) return "leave";
    return inside === undefined || inside === base ? "import" : "merge";
  }
  if (direction === "into-folder") {
    if (inside === undefined) return "leave";
    return outside === undefined || outside === base ? "export" : "ask";
  }
  // A side equal to the base is unchanged, so the other side wins, including its deletion.
  if (outside === base) return inside === undefined ? "remove-outside" : "export";
  if (inside === base) return outside === undefined ? "remove-inside" : "import";
  // Both sides changed. A change wins over a deletion.
  if (inside === undefined) return "import";
  return outside === undefined ? "export" : "merge";
}

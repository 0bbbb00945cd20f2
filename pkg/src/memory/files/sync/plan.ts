// What is to be done about a file, by what both sides have and had: no IO, only the rule.

/** Which sides may be changed. */
export type Direction = "both" | "into-memory" | "into-folder";

/**
 * - `same`: nothing is to be done, and both have the same
 * - `leave`: nothing is to be done in this direction
 * - `import`, `export`: the folder's version goes into the memory, or the other way
 * - `merge`: both have changed
 * - `remove-inside`, `remove-outside`: it was deleted on the other side
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

/** What is known of a file, each as a hash; nothing where it is not there. */
export interface Sides {
  /** What both had the last time. */
  base: string | undefined;
  /** What the memory has. */
  inside: string | undefined;
  /** What the folder has. */
  outside: string | undefined;
}

/** What is to be done about a file. */
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
  // Whoever has what both had has changed nothing; what the other did counts, also if that was to delete it.
  if (outside === base) return inside === undefined ? "remove-outside" : "export";
  if (inside === base) return outside === undefined ? "remove-inside" : "import";
  // Both did something. A change is worth more than a deletion.
  if (inside === undefined) return "import";
  return outside === undefined ? "export" : "merge";
}

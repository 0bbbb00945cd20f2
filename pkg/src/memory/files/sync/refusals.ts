// Errors that skip a file, or make the sync retry it.

import { MemoryError } from "../../../base/errors.js";

/** A file stays unchanged on both sides. The message is the reason. */
export class Skip extends Error {}

/** A file changed after it was read. */
export class Moved extends Error {}

/** Whether a file of the memory changed after it was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof MemoryError && error.code === "conflict" && error.field === "expect";
}

/** The reason if an error concerns a single file. All other errors end the sync: the next file would fail as well. */
export function aboutTheFile(error: unknown): string | undefined {
  if (error instanceof Skip) return error.message;
  const refused = error instanceof MemoryError && ["invalid-input", "too-large"].includes(error.code);
  return refused ? error.message : undefined;
}

// Why a file is left as it is, or looked at again.

import { MemoryError } from "../../../base/errors.js";

/** A file is left as it is, on both sides. The message says why. */
export class Skip extends Error {}

/** Somebody has changed a file after it was looked at. */
export class Moved extends Error {}

/** Whether somebody has changed a file of the memory after it was looked at. */
export function isConflict(error: unknown): boolean {
  return error instanceof MemoryError && error.code === "conflict" && error.field === "expect";
}

/** Why an error is about the one file, if it is. All others end everything: the next file would fail as well. */
export function aboutTheFile(error: unknown): string | undefined {
  if (error instanceof Skip) return error.message;
  const refused = error instanceof MemoryError && ["invalid-input", "too-large"].includes(error.code);
  return refused ? error.message : undefined;
}

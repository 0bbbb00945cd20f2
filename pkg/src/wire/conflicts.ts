// Statements that contradict each other.

import type { Listed } from "../base/listed.js";
import type { MemoryEntryWithContent, Metadata } from "./types.js";

/** Which conflicts `memory.conflicts` returns. */
export interface ConflictsOptions {
  /** The agent: its own statements and those of no agent are compared. Default: all statements. */
  agent?: string | undefined;
  /** The most conflicts to return. Default: 50. */
  limit?: number | undefined;
}

/** Two statements that contradict each other and are both held to be true. */
export interface Conflict<M extends Metadata = Metadata, N extends string = never> {
  /** The id, for `memory.resolve`. */
  id: string;
  /** The newer statement. */
  newer: MemoryEntryWithContent<M, N>;
  /** The older statement. */
  older: MemoryEntryWithContent<M, N>;
}

/** The statement of a conflict that stays true. With `"both"`, the two are not listed as a conflict again. */
export type Keep = Listed<"newer" | "older" | "both">;

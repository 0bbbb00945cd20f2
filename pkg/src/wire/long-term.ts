// Recorded and forgotten entries.

import type { MemoryEntry } from "./types.js";

/**
 * The outcome of recording a text. `"new"`: a new entry was created. `"same"`: an entry with the same words exists, and
 * its importance and expiry were raised. `"corrected"`: a new entry was created, and the entries that it contradicts
 * are in the past since: they have a `validUntil`, and `memory.history` has them.
 */
export type RecordOutcome = "new" | "same" | "corrected";

/** The entry of a recorded text, and the outcome. */
export interface RecordedEntry extends MemoryEntry {
  /** The outcome of recording the text. */
  outcome: RecordOutcome;
  /** The ids of the entries that are in the past since. Absent: none. */
  replaced?: string[];
}

/** Options of `forget`. */
export interface ForgetOptions {
  /** The statement to forget, in words that name it: `"my PIN"`. */
  query: string;
  /** Whether the text of messages that said it is erased as well, in all sessions. Default: `false`. */
  messages?: boolean | undefined;
  /** Only entries that this agent sees, and sessions of no other agent. Default: all. */
  agent?: string | undefined;
}

/** The result of `forget`. */
export interface Forgotten {
  /** The ids of the erased entries. */
  entries: string[];
  /** The number of messages whose text was erased. */
  messages: number;
}

// Recorded entries.

import type { MemoryEntry } from "./types.js";

/**
 * The outcome of recording a text. `"new"`: a new entry was created. `"same"`: an entry with the same words exists, and
 * its importance and expiry were raised. `"corrected"`: the text replaced the one it corrects; `memory.history` has the
 * old text under the same id.
 */
export type RecordOutcome = "new" | "same" | "corrected";

/** The entry of a recorded text, and the outcome. */
export interface RecordedEntry extends MemoryEntry {
  /** The outcome of recording the text. */
  outcome: RecordOutcome;
  /** The kinds of secrets in the text, such as `"api key"`. The entry contains `[secret: api key]` in place of each. */
  secrets?: string[];
}

// Entries that were recorded.

import type { MemoryEntry } from "./types.js";

/**
 * Outcome of recording a text. `"new"`: it is an entry of its own. `"same"`: an entry says it in the same words, and
 * that entry counts for more and lasts longer now. `"corrected"`: it replaced the text that it corrects;
 * `memory.history` has the old text under the same id.
 */
export type RecordOutcome = "new" | "same" | "corrected";

/** The entry of a recorded text, and the outcome. */
export interface RecordedEntry extends MemoryEntry {
  /** The outcome of recording the text. */
  outcome: RecordOutcome;
  /** The kinds of secrets in the text, such as `"api key"`. The entry has `[secret: api key]` in the place of each. */
  secrets?: string[];
}

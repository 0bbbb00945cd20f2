// The context of a dialog.

import type { Message } from "./messages.js";
import type { MemoryEntry, Metadata } from "./types.js";

/** What a model has to know of a conversation. */
export interface DialogContext {
  /** What was said before, in short; `null` if nothing was summed up yet. */
  summary: string | null;
  /** The app's metadata of the summary, if any. */
  summaryMetadata?: Metadata;
  /** The last turns, oldest first. A turn is what the user said and everything up to what they say next. */
  messages: Message[];
  /** What stands out of it and was recorded. */
  facts: SalientFact[];
}

/** Something that was said and is worth keeping: an entry of the session, as `memory.longTerm` records them. */
export type SalientFact = MemoryEntry<Metadata, string>;

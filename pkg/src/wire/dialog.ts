// The context of a dialog.

import type { Message } from "./messages.js";
import type { MemoryEntry, Metadata } from "./types.js";

/** The context of a conversation for a model. */
export interface DialogContext {
  /** A summary of the earlier messages; `null` if there is no summary yet. */
  summary: string | null;
  /** The app's metadata of the summary, if any. */
  summaryMetadata?: Metadata;
  /** The latest turns, oldest first. A turn begins with a user message and ends before the next one. */
  messages: Message[];
  /** The recorded facts of the conversation. */
  facts: SalientFact[];
}

/** A recorded fact: an entry of the session, as `memory.longTerm` stores it. */
export type SalientFact = MemoryEntry<Metadata, string>;

// Looking through everything at once, and taking documents in.

import type { Embedding } from "./embedding.js";
import type { WorkProgress } from "./progress.js";
import type { DefaultNamespace } from "./types.js";

/** How to look through everything. */
export interface RecallOptions {
  /** At most this many. Default: 5. */
  limit?: number | undefined;
  /** Only this conversation. Default: all of them, memories and documents. */
  session?: string | undefined;
  /** How hits are ordered; see `SearchOptions`. Default: `"best"`. */
  ranking?: "best" | "formula" | undefined;
  /** Where the query lies. Default: what the memory's embedder says; otherwise only words count. */
  embedding?: Embedding | undefined;
  /** The calling agent: entries of other agents are left out. Default: none, and all entries are searched. */
  agent?: string | undefined;
  /** Also messages that are nothing but calls of this memory's own tools, or their results. Default: `false`. */
  includeToolTraffic?: boolean | undefined;
}

/** Something that was remembered, said, summarised or read. */
export interface Recall {
  /** The id of the entry or message, or the name of the history. */
  ref: string;
  /** What it is. */
  kind: "entry" | "message" | "history";
  /** From 0 to 1. */
  score: number;
  /** What it says. */
  text: string;
  /** The conversation that it belongs to. */
  session?: string;
  /** Who said it. */
  speaker?: string;
  /** When it happened, in ISO 8601. */
  at: string;
  /** The document that it is from. */
  source?: string;
}

/** How a document is taken in. */
export interface IngestOptions<N extends string = never> {
  /** What the document is called. What was taken in under that name before is replaced. */
  source: string;
  /** Where its passages belong. Default: `"long-term"`. */
  namespace?: DefaultNamespace | N | undefined;
  /** Labels to filter by. Default: none. */
  tags?: string[] | undefined;
  /** How long a passage is, about. Default: 1,200 characters. */
  targetChars?: number | undefined;
  /** Called as the document is taken in: how many of its passages are prepared. Default: nothing. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /**
   * Rejects with its reason: before the document is stored, nothing of it is; otherwise after the batch of passages that the
   * embedder has, and the document stays, its other passages left to `embedAll`. Default: none.
   */
  signal?: AbortSignal | undefined;
}

/** What became of a document. */
export interface Ingested {
  /** How many passages it has. */
  chunks: number;
  /** How many passages of an earlier version are gone. */
  replaced: number;
}

// Search across all memory, and ingestion of documents.

import type { Embedding } from "./embedding.js";
import type { WorkProgress } from "./progress.js";
import type { ReceiptPart } from "./search.js";
import type { DefaultNamespace, Trust } from "./types.js";

/** Options of `queryMemory`. */
export interface RecallOptions {
  /** The maximum number of results. Default: 5. */
  limit?: number | undefined;
  /** Only this session. Default: all sessions, memories and documents. */
  session?: string | undefined;
  /** The ranking; see `SearchOptions`. Default: `"best"`. */
  ranking?: "best" | "formula" | undefined;
  /** The embedding of the query. Default: computed by the memory's embedder; without an embedder, only words count. */
  embedding?: Embedding | undefined;
  /** The calling agent; entries of other agents are excluded. Default: none, all entries are searched. */
  agent?: string | undefined;
  /** Whether to include messages that only contain calls of this memory's tools, or their results. Default: `false`. */
  includeToolTraffic?: boolean | undefined;
  /** Only results with at least this level of trust. Default: all. */
  minTrust?: Trust | undefined;
  /**
   * Whether to return only answers: statements about what the query asks for, and hits with enough of its words; of
   * statements that contradict each other only the newest. A question about something never mentioned returns nothing.
   * Prompts and long-term memory do so. Default: `false`, all hits.
   */
  onlyAnswers?: boolean | undefined;
  /** Whether each result has a `receipt`, the parts of its score. Default: `false`. */
  explain?: boolean | undefined;
}

/** A result of `queryMemory`: a memory, a message, a summary or a passage of a document. */
export interface Recall {
  /** The id of the entry or message, or the name of the history. */
  ref: string;
  /** The kind of the result. */
  kind: "entry" | "message" | "history";
  /** The score, from 0 to 1. */
  score: number;
  /** The text. */
  text: string;
  /** The id of the session that the result belongs to. */
  session?: string;
  /** The speaker. */
  speaker?: string;
  /** The time of the event, in ISO 8601. */
  at: string;
  /** The name of the source document. */
  source?: string;
  /** The level of trust. A tool result is `"low"`, and so is what the assistant said after one. */
  trust: Trust;
  /** The parts of the score, which add up to it; only with `explain`. */
  receipt?: ReceiptPart[];
}

/** Options of an ingestion. */
export interface IngestOptions<N extends string = never> {
  /** The name of the document. A document ingested earlier with the same name is replaced. */
  source: string;
  /** The namespace of the passages. Default: `"long-term"`. */
  namespace?: DefaultNamespace | N | undefined;
  /** Tags to filter by. Default: none. */
  tags?: string[] | undefined;
  /** The approximate length of a passage in characters. Default: 1,200. */
  targetChars?: number | undefined;
  /** The level of trust. Default: `"low"`, because the author of a document is not the user. */
  trust?: Trust | undefined;
  /** Called with the number of prepared passages. Default: none. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /**
   * Cancels the ingestion; the call rejects with the signal's reason. Before the document is stored, nothing is
   * written. After that, the call stops at the end of the embedder's current batch; the document stays, and `embedAll`
   * embeds the remaining passages. Default: none.
   */
  signal?: AbortSignal | undefined;
}

/** The result of an ingestion. */
export interface Ingested {
  /** The number of passages. */
  chunks: number;
  /** The number of passages of an earlier version that were deleted. */
  replaced: number;
}

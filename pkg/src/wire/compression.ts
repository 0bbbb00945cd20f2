// How a session is compressed, and the summaries that it needs.

import type { Message } from "./messages.js";

/** What came of a compression. */
export interface CompressionResult {
  /** Whether the view is another one now. */
  changed: boolean;
  /** How many items it has. */
  items: number;
  /** The history that was written, such as `"history-001"`. */
  history?: string;
}

/** What a summary is wanted for. */
export interface SummaryRequest {
  /** `"summarise"`: of `messages`. `"merge"`: one summary of the summaries in `texts`. */
  task: "summarise" | "merge";
  /** How long it may be. A text that is longer than what it stands for is not taken. */
  maxTokens: number;
  /** Summaries to go into it; empty unless there are any. */
  texts: string[];
  /** Aborted when nobody waits any longer: after `summarizeTimeout`, or when the memory is closed. */
  signal: AbortSignal;
}

/** What the core answers: it is done, or needs texts. */
export type CompressionStep =
  | ({ done: true } & CompressionResult)
  | {
      done: false;
      token: number;
      requests: (Omit<SummaryRequest, "signal"> & { messages: Message[] })[];
    };

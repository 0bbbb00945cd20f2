// Types of session compression and its summaries.

import type { Message } from "./messages.js";

/** The result of a compression. */
export interface CompressionResult {
  /** Whether the view changed. */
  changed: boolean;
  /** The number of items in the view. */
  items: number;
  /** The name of the history that was written, such as `"history-001"`. */
  history?: string;
}

/** A request for one summary. */
export interface SummaryRequest {
  /** `"summarise"`: summarise `messages`. `"merge"`: merge the summaries in `texts` into one. */
  task: "summarise" | "merge";
  /** The maximum length in tokens. A summary that is longer than the messages it replaces is rejected. */
  maxTokens: number;
  /** Existing summaries to include; empty if there are none. */
  texts: string[];
  /** Aborted when the result is no longer needed: after `summarizeTimeout`, or when the memory closes. */
  signal: AbortSignal;
}

/** The core's answer: the compression is done, or it needs summaries. */
export type CompressionStep =
  | ({ done: true } & CompressionResult)
  | {
      done: false;
      token: number;
      requests: (Omit<SummaryRequest, "signal"> & { messages: Message[] })[];
    };

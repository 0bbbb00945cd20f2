// Summaries of entries by the app's own model.

import { refused } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import { answerOf } from "../base/patience.js";
import type { MemoryConfig } from "../wire/types.js";

/** The request of an entry summary. */
export interface EntrySummaryRequest {
  /** The maximum length in characters, from the entry's namespace. */
  maxChars: number;
  /** Aborted after `summarizeEntryTimeout`. */
  signal: AbortSignal;
}

/**
 * Writes the summary of an entry whose content exceeds the maximum length of a summary. If it rejects, times out, or
 * returns no string or one that is too long, the summary is the beginning of the content.
 */
export type SummarizeEntry = (content: string, request: EntrySummaryRequest) => Promise<string>;

/** The app's function and its settings. */
export interface EntrySummaryOptions {
  summarizeEntry?: SummarizeEntry | undefined;
  summarizeEntryTimeout?: number | undefined;
  onSummarizeEntryError?: ((error: unknown) => void) | undefined;
  /** The memory's settings, with the maximum length of summaries. */
  config?: MemoryConfig<string> | undefined;
}

const MAX_CHARS = 1200;
const TIMEOUT = 60_000;

const characters = (text: string) => Array.from(text).length;

/** The summary of a content by the app's function; `undefined` if the content needs none or the function failed. */
export async function entrySummary(
  options: EntrySummaryOptions,
  content: unknown,
  namespace: unknown,
): Promise<string | undefined> {
  const { summarizeEntry, summarizeEntryTimeout: timeout = TIMEOUT, config } = options;
  if (!summarizeEntry || typeof content !== "string") return undefined;
  const rules = config?.namespaces?.[typeof namespace === "string" ? namespace : "short-term"];
  const maxChars = rules?.maxSummaryChars ?? MAX_CHARS;
  if (characters(content.trim()) <= maxChars) return undefined;
  try {
    const ask = async (signal: AbortSignal) => summarizeEntry(content, { maxChars, signal });
    const stopped = new AbortController().signal;
    const summary: unknown = await answerOf(ask, { name: "summarizeEntry", timeout, stopped });
    const fits = typeof summary === "string" && summary.trim() !== "" && characters(summary) <= maxChars;
    if (fits && isWellFormed(summary)) return summary;
    throw refused("summarizeEntry", `must return a non-empty string of at most ${maxChars} characters`);
  } catch (error) {
    const { onSummarizeEntryError = (error) => console.warn("keepsake: summarizeEntry:", error) } = options;
    onSummarizeEntryError(error);
    return undefined;
  }
}

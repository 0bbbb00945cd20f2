// Summaries of entries that an app writes itself, with a model of its own.

import { refused } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import { answerOf } from "../base/patience.js";
import type { MemoryConfig } from "../wire/types.js";

/** The limits of an entry's summary. */
export interface EntrySummaryRequest {
  /** The most characters it may have: the limit of the entry's namespace. */
  maxChars: number;
  /** Aborted when nobody waits any longer: after `summarizeEntryTimeout`. */
  signal: AbortSignal;
}

/**
 * Writes the summary of an entry whose content is longer than a summary may be. If it rejects, takes too long, or answers no
 * string or a longer one, the summary is the content's beginning.
 */
export type SummarizeEntry = (content: string, request: EntrySummaryRequest) => Promise<string>;

/** The app's function, and what holds for it. */
export interface EntrySummaryOptions {
  summarizeEntry?: SummarizeEntry | undefined;
  summarizeEntryTimeout?: number | undefined;
  onSummarizeEntryError?: ((error: unknown) => void) | undefined;
  /** The settings, which say how long a summary may be. */
  config?: MemoryConfig<string> | undefined;
}

const MAX_CHARS = 1200;
const TIMEOUT = 60_000;

const characters = (text: string) => Array.from(text).length;

/** The summary that the app's function writes of a content; `undefined` if there is none to be written, or none came. */
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

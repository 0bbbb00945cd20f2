// Compression: the two strategies with their settings, and the app's own summaries.

import { refused } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import type { Listed } from "../base/listed.js";
import { known } from "../base/options.js";
import { answerOf } from "../base/patience.js";
import type { Calls } from "../engine/calls.js";
import type { CompressionResult, SummaryRequest } from "../wire/compression.js";
import type { Message } from "../wire/messages.js";
import type { WorkProgress } from "../wire/progress.js";
import { checkSettings } from "./option-checks.js";

/** Above the threshold, the oldest half becomes a numbered history, in chunks that are summarised and merged. */
export interface TreeReduce {
  /** The strategy. */
  type: "tree-reduce";
  /** The model's context window, in tokens. Default: the session's `contextTokens`. */
  contextTokens?: number | undefined;
  /** The fraction of `contextTokens` above which compression starts. Default: the memory's `config.memory`, or 0.8. */
  compressionThreshold?: number | undefined;
  /** The approximate number of messages per summary. Default: the memory's `config.memory`, or 10. */
  chunkSize?: number | undefined;
  /**
   * The maximum number of recent messages in a prompt; older messages go into a history. Default: the memory's
   * `config.memory`; without one, as many as the prompt's budget allows.
   */
  hotWindowSize?: number | undefined;
  /** Alias of `compressionThreshold`, the documented name. Default: that of `compressionThreshold`. */
  compression_threshold?: number | undefined;
  /** Alias of `chunkSize`, the documented name. Default: that of `chunkSize`. */
  chunk_size?: number | undefined;
  /** Alias of `hotWindowSize`, the documented name. Default: that of `hotWindowSize`. */
  hot_window_size?: number | undefined;
}

/** Merges adjacent messages, then summarises older ones, then offloads large ones. Stops as soon as the session fits. */
export interface Progressive {
  /** The strategy. */
  type: "progressive";
  /** The model's context window, in tokens. Default: the session's `contextTokens`. */
  contextTokens?: number | undefined;
  /** The number of messages above which compression starts. Default: 30. */
  msgThreshold?: number | undefined;
  /** The fraction of `contextTokens` above which compression starts. Default: 0.3. */
  tokenRatio?: number | undefined;
  /** The number of recent messages that stay uncompressed. Default: 10. */
  lastKeep?: number | undefined;
  /** The number of characters above which a message is large. Default: 5,120. */
  largePayload?: number | undefined;
  /** The number of characters shown of a large message. Default: 200. */
  preview?: number | undefined;
}

/** A compression strategy: a name for its defaults, or an object with settings. */
export type Compression = Listed<"tree-reduce" | "progressive" | TreeReduce | Progressive>;

/**
 * Writes a summary with the app's model. A request has at most about 16,000 tokens, or half of `contextTokens` if that
 * is less; large messages are shortened to their beginning and end, with a mark where text is omitted. If the function
 * rejects, times out or returns no string, the messages stay uncompressed.
 */
export type Summarize = (messages: Message[], request: SummaryRequest) => Promise<string>;

/** Options of `session.compress`. */
export interface CompressOptions {
  /** Called after each summary with the number done and the number known to be needed. Default: none. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Aborts further summaries and rejects with its reason; their messages stay uncompressed. Default: none. */
  signal?: AbortSignal | undefined;
}

/** The dependencies of `compress`. */
export interface Compressor {
  calls: Calls;
  session: string;
  summarize: Summarize | undefined;
  /** Timeout of `summarize`, in milliseconds. */
  timeout: number;
  stopped: AbortSignal;
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** The app's abort signal. */
  signal?: AbortSignal | undefined;
  onError: (error: unknown) => void;
}

/** Concurrent `summarize` calls. Most providers' rate limits allow this many. */
const AT_ONCE = 4;

const TREE_REDUCE =
  "type contextTokens compressionThreshold chunkSize hotWindowSize compression_threshold chunk_size hot_window_size";

/** The strategy with its settings. Invalid ones throw here, because in the background no caller would get the error. */
export function wayOf(compression: Compression, contextTokens: number): TreeReduce | Progressive {
  const way: TreeReduce | Progressive = typeof compression === "string" ? { type: compression } : compression;
  if (way?.type !== "tree-reduce" && way?.type !== "progressive") {
    throw refused("compression", "must be tree-reduce or progressive");
  }
  if (way.type === "tree-reduce") known(way, TREE_REDUCE, "compression.");
  else known(way, "type contextTokens msgThreshold tokenRatio lastKeep largePayload preview", "compression.");
  const settings = { ...way, contextTokens: way.contextTokens ?? contextTokens };
  checkSettings(settings);
  return settings;
}

/** The maximum number of recent messages in a prompt, if the strategy sets one. */
export function hotWindow(way: TreeReduce | Progressive): number | undefined {
  return way.type === "tree-reduce" ? (way.hotWindowSize ?? way.hot_window_size) : undefined;
}

/** Compresses a session if it exceeds its limits, with the app's `summarize` if there is one. */
export async function compress(
  compressor: Compressor,
  way: TreeReduce | Progressive,
): Promise<CompressionResult> {
  const { calls, session, summarize, signal, onProgress } = compressor;
  const watch = { onProgress, signal };
  signal?.throwIfAborted();
  let step = await calls.ask("compress", { session, way, hook: summarize !== undefined }, watch);
  while (!step.done) {
    const { token, requests } = step;
    const summaries = new Array<string | null>(requests.length).fill(null);
    // The workers share one iterator; each takes the next request from it.
    const waiting = requests.entries();
    const work = async () => {
      for (const [at, { messages, ...request }] of waiting) {
        summaries[at] = await summary(compressor, messages, request);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    step = await calls.ask("compressed", { token, summaries });
  }
  const { done: _, ...result } = step;
  // Most appends compress nothing, so there is no change to announce.
  if (result.changed) calls.tell({ session });
  // Only now: an aborted compression must still tell the core that no summaries will come.
  signal?.throwIfAborted();
  return result;
}

/** One summary by the app's function; `null` if it failed or was aborted. */
async function summary(
  { summarize, timeout, stopped, signal, onError }: Compressor,
  messages: Message[],
  request: Omit<SummaryRequest, "signal">,
): Promise<string | null> {
  if (!summarize || stopped.aborted || signal?.aborted) return null;
  try {
    const ask = (waiting: AbortSignal) => summarize(messages, { ...request, signal: waiting });
    const text: unknown = await answerOf(ask, { name: "summarize", timeout, stopped, signal });
    if (typeof text === "string" && text.trim() !== "" && isWellFormed(text)) return text;
    throw refused("summarize", "must return a non-empty string");
  } catch (error) {
    if (!stopped.aborted && !signal?.aborted) onError(error);
    return null;
  }
}

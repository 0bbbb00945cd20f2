// Compression: its two ways with their settings, and the summaries that an app writes itself.

import { refused } from "../base/errors.js";
import { isWellFormed } from "../base/json.js";
import { known } from "../base/options.js";
import { answerOf } from "../base/patience.js";
import type { Calls } from "../engine/calls.js";
import type { CompressionResult, SummaryRequest } from "../wire/compression.js";
import type { Message } from "../wire/messages.js";
import type { WorkProgress } from "../wire/progress.js";

/** Above a part of the limit the oldest half becomes a numbered history, in chunks that are summarised and merged. */
export interface TreeReduce {
  /** Which way it is. */
  type: "tree-reduce";
  /** How many tokens the model takes. Default: the session's `contextTokens`. */
  contextTokens?: number | undefined;
  /** The part of them above which it begins. Default: the memory's `config.memory`, or 0.8. */
  compressionThreshold?: number | undefined;
  /** How many messages a summary is made of, about. Default: the memory's `config.memory`, or 10. */
  chunkSize?: number | undefined;
  /**
   * How many of the last messages a prompt shows at most; what leaves this window goes into a history.
   * Default: the memory's `config.memory`; without one, as many as a prompt's budget allows.
   */
  hotWindowSize?: number | undefined;
  /** `compressionThreshold` by its documented name. */
  compression_threshold?: number | undefined;
  /** `chunkSize` by its documented name. */
  chunk_size?: number | undefined;
  /** `hotWindowSize` by its documented name. */
  hot_window_size?: number | undefined;
}

/** Neighbours are merged, then older messages summarised, then large ones offloaded, and no further than needed. */
export interface Progressive {
  /** Which way it is. */
  type: "progressive";
  /** How many tokens the model takes. Default: the session's `contextTokens`. */
  contextTokens?: number | undefined;
  /** Above how many messages it begins. Default: 30. */
  msgThreshold?: number | undefined;
  /** Above which part of the tokens it begins. Default: 0.3. */
  tokenRatio?: number | undefined;
  /** How many of the last messages are left untouched. Default: 10. */
  lastKeep?: number | undefined;
  /** Above how many characters a message is large. Default: 5,120. */
  largePayload?: number | undefined;
  /** How many characters are shown of a large message. Default: 200. */
  preview?: number | undefined;
}

/** How a session is compressed: a way with its defaults by name, or with settings. */
export type Compression = "tree-reduce" | "progressive" | TreeReduce | Progressive;

/**
 * Writes a summary, with a model of the app's. A request has at most about 16,000 tokens, or half of `contextTokens` if
 * that is less: of large messages it has the beginning and the end, with a mark of what is left out between them. A
 * summary that rejects, takes too long or answers no text costs nothing but the summary: what it was to stand for stays as it is.
 */
export type Summarize = (messages: Message[], request: SummaryRequest) => Promise<string>;

/** How to compress now. */
export interface CompressOptions {
  /** Called as summaries are made: how many of those that are known to be needed. Default: nothing. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Makes no more summaries, and rejects with its reason. What they were to stand for stays. Default: none. */
  signal?: AbortSignal | undefined;
}

/** What is needed to compress a session. */
export interface Compressor {
  calls: Calls;
  session: string;
  summarize: Summarize | undefined;
  /** In milliseconds. */
  timeout: number;
  stopped: AbortSignal;
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** The app's own. */
  signal?: AbortSignal | undefined;
  onError: (error: unknown) => void;
}

/** The largest count that the core takes. */
const MOST = 2 ** 32 - 1;

/** How many summaries are asked for at the same time: models of most providers take that many. */
const AT_ONCE = 4;

const TREE_REDUCE =
  "type contextTokens compressionThreshold chunkSize hotWindowSize compression_threshold chunk_size hot_window_size";

/** The way with its settings. One that is not known is refused at once, since later nobody would be there to be told. */
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

/** The numeric settings, by their range. */
const COUNTS = [
  "contextTokens",
  "chunkSize",
  "chunk_size",
  "hotWindowSize",
  "hot_window_size",
  "msgThreshold",
] as const;
const RATIOS = ["compressionThreshold", "compression_threshold", "tokenRatio"] as const;
const SIZES = ["lastKeep", "largePayload", "preview"] as const;

/** The settings of a way that have a limit. */
type Settings = { [name in (typeof COUNTS | typeof RATIOS | typeof SIZES)[number]]?: number | undefined };

/** Refuses settings that make no sense, by their names: the background would only fail with them, again and again. */
export function checkSettings(settings: Settings, called: { [name: string]: string } = {}): void {
  const check = (names: readonly (keyof Settings)[], fits: (value: number) => boolean, wanted: string) => {
    for (const name of names) {
      const value = settings[name];
      if (value !== undefined && !fits(value)) throw refused(called[name] ?? name, `must be ${wanted}`);
    }
  };
  const whole = (least: number) => (value: number) =>
    Number.isInteger(value) && value >= least && value <= MOST;
  check(COUNTS, whole(1), "a positive integer");
  check(SIZES, whole(0), "an integer, and not negative");
  check(RATIOS, (value) => value > 0 && value <= 1, "a number above 0 and at most 1");
  const { lastKeep = 10, msgThreshold = 30, preview = 200, largePayload = 5120 } = settings;
  if (lastKeep > msgThreshold) throw refused("lastKeep", "must not be more than `msgThreshold`");
  if (preview > largePayload) throw refused("preview", "must not be more than `largePayload`");
}

/** How many of the last messages a prompt shows at most, if the way limits them. */
export function hotWindow(way: TreeReduce | Progressive): number | undefined {
  return way.type === "tree-reduce" ? (way.hotWindowSize ?? way.hot_window_size) : undefined;
}

/** Compresses a session if it needs to be, with the app's summaries if it writes some. */
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
    // Each worker takes the next request from the one iterator that they share.
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
  // After most appends there is nothing to compress, and nothing to tell.
  if (result.changed) calls.tell({ session });
  // Not before: the core waits for its texts, and is told that there will be none.
  signal?.throwIfAborted();
  return result;
}

/** One text of the app's function; `null` if none came. */
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
    throw refused("summarize", "must answer a text");
  } catch (error) {
    if (!stopped.aborted && !signal?.aborted) onError(error);
    return null;
  }
}

// What goes in and what comes out.

import type { Embedding } from "./embedding.js";
import type { MemoryPolicies } from "./policy.js";

// For apps whose libraries of types do not have these, as without the DOM's. Where one has, this adds nothing to it.
declare global {
  interface AbortSignal {}
  interface Blob {}
}

/** The namespaces that are always there: entries live 14 days in the one, ten years in the other. */
export type DefaultNamespace = "short-term" | "long-term";

/** How far an entry is to be believed: what a web page said is not what the user said. */
export type Trust = "low" | "normal" | "high";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Data of the app's own beside an entry: any JSON object, at most 64 KB and 32 levels deep. */
export type Metadata = { [key: string]: Json };

/** A moment: milliseconds since 1970, or ISO 8601 in UTC (`2023-05-07`, `2023-05-07T13:56:00Z`). */
export type Time = number | string;

/** What can be said about something to remember. */
export interface MemoryDraft<M extends Metadata = Metadata, N extends string = never> {
  /** An id of your own, 1 to 256 bytes. Default: 16 random hex digits. */
  id?: string | undefined;
  /** Where it belongs. Default: `"short-term"`, which keeps 2,000 entries for 14 days; `"long-term"` keeps 20,000 for ten years. */
  namespace?: DefaultNamespace | N | undefined;
  /**
   * The summary, which is searched and shown in place of the content; at most 1,200 characters, or the limit of the
   * namespace. Default: the result of `summarizeEntry`; otherwise the content's beginning.
   */
  summary?: string | undefined;
  /** Labels to filter by, at most 64. Default: none. */
  tags?: string[] | undefined;
  /** How much it matters, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** Where it came from. Default: nowhere. */
  source?: string | undefined;
  /** Data of your own. Default: `{}`. */
  metadata?: M | undefined;
  /**
   * What the fact is about, such as `"user.city"`. There is one entry for a key: a newer one takes the older one's place,
   * and what it said before is in its `history`. Default: none.
   */
  key?: string | undefined;
  /**
   * How many milliseconds it is to live. Then it is gone, and its id and key are free for a new entry. Default: what its
   * namespace says.
   */
  ttl?: number | undefined;
  /** The conversation that it belongs to. Default: none. */
  session?: string | undefined;
  /** The agent that writes it. Default: none. */
  agent?: string | undefined;
  /** Who said it. Default: nobody in particular. */
  speaker?: string | undefined;
  /** When it happened. Default: now. */
  at?: Time | undefined;
  /** How far it is to be believed. Default: `"normal"`. */
  trust?: Trust | undefined;
  /** Where the content lies among others, up to 4,096 numbers. Default: what the memory's embedder says; otherwise none. */
  embedding?: Embedding | undefined;
}

/** What is to become different about an entry. What is left out stays. */
export interface MemoryChanges<M extends Metadata = Metadata, N extends string = never> {
  /** Another content. */
  content?: string | undefined;
  /** Another summary. Default: as before; of another content, what `summarizeEntry` writes, or its beginning. */
  summary?: string | undefined;
  /** Another namespace. */
  namespace?: DefaultNamespace | N | undefined;
  /** Other labels, in place of all the old ones. */
  tags?: string[] | undefined;
  /** Another importance. */
  importance?: number | undefined;
  /** Another source. */
  source?: string | undefined;
  /** Other data, in place of all the old. */
  metadata?: M | undefined;
  /** How many milliseconds it is to live from now on. Default: as before, or anew if the content changes. */
  ttl?: number | undefined;
  /** Another level of trust. */
  trust?: Trust | undefined;
  /** Where a new content lies. Default: what the memory's embedder says; otherwise nowhere any more. */
  embedding?: Embedding | undefined;
}

/** What is remembered, without its content: that is one `get` away. */
export interface MemoryEntry<M extends Metadata = Metadata, N extends string = never> {
  /** Unique within one user's memory. */
  id: string;
  /** Where it belongs. */
  namespace: DefaultNamespace | N;
  /** The app's own, or the content's beginning, or all of it when it is at most 1,200 characters long. */
  summary: string;
  /** How many characters came in. */
  contentLength: number;
  /** Whether the content was longer than its namespace takes, and was cut. */
  truncated: boolean;
  /** Labels, each once. */
  tags: string[];
  /** How much it matters, from 0 to 1. */
  importance: number;
  /** Where it came from. */
  source?: string;
  /** Data of the app's own. */
  metadata: M;
  /** What the fact is about. */
  key?: string;
  /** The conversation that it belongs to. */
  session?: string;
  /** The agent that wrote it. */
  agent?: string;
  /** Who said it. */
  speaker?: string;
  /** How far it is to be believed. */
  trust: Trust;
  /** How often it has been written: 1 at first, one more with each update. */
  version: number;
  /** When it happened, in ISO 8601 as the other times. */
  at: string;
  /** When it was first written. */
  createdAt: string;
  /** When it was last written. */
  updatedAt: string;
  /** From then on the entry is no longer seen. */
  expiresAt: string;
}

/** An entry with its whole content. */
export interface MemoryEntryWithContent<M extends Metadata = Metadata, N extends string = never>
  extends MemoryEntry<M, N> {
  /** The content as it came in, unless `truncated` says otherwise. */
  content: string;
}

/** What to list. */
export interface ListOptions<N extends string = never> {
  /** Only this namespace. Default: all. */
  namespace?: DefaultNamespace | N | undefined;
  /** At most this many; 0 gives none. Default: all. */
  limit?: number | undefined;
  /** Only what is older than the entry with this id: the last one of the page before. Default: from the newest. */
  after?: string | undefined;
}

/** How many entries there are to be seen. */
export interface MemoryStats<N extends string = never> {
  /** In all. */
  total: number;
  /** In each namespace. */
  namespaces: Record<DefaultNamespace | N, number>;
}

/** What holds in one namespace. */
export interface NamespaceConfig {
  /** When there are this many entries, a new one takes the place of an old one. Default: 2,000; long-term: 20,000. */
  maxEntries?: number | undefined;
  /** How many days an entry lives. Default: 14; long-term: 3,650. */
  ttlDays?: number | undefined;
  /** Longer contents are cut. Default: 200,000; long-term: 500,000. */
  maxContentChars?: number | undefined;
  /** How long a summary is at most. Default: 1,200. */
  maxSummaryChars?: number | undefined;
}

/** How conversations are kept within their window. */
export interface ConversationConfig {
  /** How many of the last messages a prompt shows at most. Default: as many as its budget allows. */
  hotWindowSize?: number | undefined;
  /** The part of a session's `contextTokens` above which it is compressed. Default: 0.8. */
  compressionThreshold?: number | undefined;
  /** How many messages a summary is made of, about. Default: 10. */
  chunkSize?: number | undefined;
  /** `hotWindowSize` by its documented name. */
  hot_window_size?: number | undefined;
  /** `compressionThreshold` by its documented name. */
  compression_threshold?: number | undefined;
  /** `chunkSize` by its documented name. */
  chunk_size?: number | undefined;
}

/** The settings of a memory. */
export interface MemoryConfig<N extends string = never> {
  /** What holds in each namespace. One that is named here and is not a default one is there as well. */
  namespaces?: { [name in DefaultNamespace | N]?: NamespaceConfig } | undefined;
  /** What a search answers that does not say otherwise. */
  retrieval?:
    | {
        /** How many hits. Default: 5. */
        topK?: number | undefined;
        /** The least score of the documented formula. Default: 0.15. */
        minScore?: number | undefined;
      }
    | undefined;
  /** How much of a content is shown. */
  output?:
    | {
        /** Whether hits carry a preview of the content unless asked not to. Default: false. */
        includeContentByDefault?: boolean | undefined;
        /** How long a preview is. Default: 1,200. */
        contentPreviewChars?: number | undefined;
      }
    | undefined;
  /** What flows and agents may read and write. Default: everything, in documented amounts. */
  policies?: MemoryPolicies | undefined;
  /**
   * How conversations are kept within their window, where a session does not say otherwise; by the documented names
   * `hot_window_size`, `compression_threshold` and `chunk_size` as well. Default: as for each session.
   */
  memory?: ConversationConfig | undefined;
  /**
   * The family of tokenizers that tokens are estimated for: `"o200k"` (GPT-4o and later), `"cl100k"` (GPT-4 and GPT-3.5),
   * `"claude"` and `"gemini"`, which are upper estimates, since their tokenizers are not public. An app's own
   * `countTokens` goes first. Default: `"o200k"`.
   */
  tokenizer?: "o200k" | "cl100k" | "claude" | "gemini" | undefined;
  /** How embeddings are kept: `"f32"` is exact and takes four times the room. Default: `"int8"`. */
  vectors?: "int8" | "f32" | undefined;
}

/** An entry had to go. */
export interface MemoryEviction {
  /** Its id. */
  id: string;
  /** Where it belonged. */
  namespace: string;
}

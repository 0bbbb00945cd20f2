// Entries, their options, and the settings of a memory.

import type { Listed } from "../base/listed.js";
import type { Embedding } from "./embedding.js";
import type { MemoryPolicies } from "./policy.js";

// For apps whose type libraries lack these, for example without the DOM library. Where they exist, these declarations
// merge with them and add nothing.
declare global {
  interface AbortSignal {}
  interface Blob {}
}

/**
 * The built-in namespaces: by default, entries expire after 14 days in `"short-term"` and after ten years in
 * `"long-term"`.
 */
export type DefaultNamespace = Listed<"short-term" | "long-term">;

/** The level of trust in an entry. For example, a web page deserves less trust than the user. */
export type Trust = Listed<"low" | "normal" | "high">;

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Custom data of an entry: any JSON object, at most 64 KB and 32 levels deep. */
export type Metadata = { [key: string]: Json };

/** A time: milliseconds since 1970, or ISO 8601 in UTC (`2023-05-07`, `2023-05-07T13:56:00Z`). */
export type Time = number | string;

/**
 * The rule of a write for secrets, such as passwords and API keys. `"redact"` replaces each by its kind, `[secret: api
 * key]`, and `secrets` of the entry names the kinds; `"refuse"` rejects with `invalid-input`.
 */
export type SecretRule = Listed<"redact" | "refuse">;

/** The optional fields of a new entry. */
export interface MemoryDraft<M extends Metadata = Metadata, N extends string = never> {
  /** A custom id, 1 to 256 bytes. Default: 16 random hex digits. */
  id?: string | undefined;
  /**
   * The namespace. Default: `"short-term"`, which keeps 2,000 entries for 14 days; `"long-term"` keeps 20,000 for ten
   * years.
   */
  namespace?: DefaultNamespace | N | undefined;
  /**
   * The summary, which is searched and shown in place of the content; at most 1,200 characters, or the limit of the
   * namespace. Default: the result of `summarizeEntry`; otherwise the beginning of the content.
   */
  summary?: string | undefined;
  /** Tags to filter by, at most 64. Default: none. */
  tags?: string[] | undefined;
  /** The importance, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** The origin of the entry. Default: none. */
  source?: string | undefined;
  /** Custom data. Default: `{}`. */
  metadata?: M | undefined;
  /**
   * The subject of the fact, such as `"user.city"`. A key has at most one entry: a newer entry replaces the older one,
   * whose content stays in `history`. Default: none.
   */
  key?: string | undefined;
  /**
   * The lifetime in milliseconds. After that, the entry is invisible, and its id and key can be reused. Default: the
   * lifetime of the namespace.
   */
  ttl?: number | undefined;
  /** The id of the session that the entry belongs to. Default: none. */
  session?: string | undefined;
  /** The agent that writes the entry. Default: none. */
  agent?: string | undefined;
  /** The speaker. Default: none. */
  speaker?: string | undefined;
  /** The time of the event. Default: now. */
  at?: Time | undefined;
  /** The time from which it is true. Default: always. */
  validFrom?: Time | undefined;
  /** The time from which it is no longer true, later than `validFrom`. Default: never. */
  validUntil?: Time | undefined;
  /** The id of the entry whose past this one continues. Default: none. */
  replaces?: string | undefined;
  /** The time at which it was first stored, not in the future: for an import. Default: now. */
  createdAt?: Time | undefined;
  /** The level of trust. Default: `"normal"`. */
  trust?: Trust | undefined;
  /**
   * The rule for a statement that `long-term` has already. With `"merge"` that entry becomes stronger and is
   * returned, unless the draft has an id, a key, a time or a lifetime, more than 1,000 bytes, or other tags, metadata,
   * source, session, speaker, agent or trust. With `"keep"` it is a new entry. Default: `"merge"`.
   */
  duplicates?: "merge" | "keep" | undefined;
  /**
   * The rule for secrets in the content and the summary; other fields are not checked. The embedder gets the content
   * without them, `summarizeEntry` as it is given. Default: they are stored as they are.
   */
  secrets?: SecretRule | undefined;
  /**
   * The embedding of the content, at most 4,096 numbers. Default: computed by the memory's embedder; without an
   * embedder, none.
   */
  embedding?: Embedding | undefined;
}

/** A draft of `addMany`: its content is one of its fields. */
export interface MemoryDraftWithContent<M extends Metadata = Metadata, N extends string = never>
  extends MemoryDraft<M, N> {
  /** The text to remember. */
  content: string;
}

/** Changes to an entry. Omitted fields stay unchanged. */
export interface MemoryChanges<M extends Metadata = Metadata, N extends string = never> {
  /** The new content. Default: unchanged. */
  content?: string | undefined;
  /**
   * The new summary. Default: unchanged; with new content, the result of `summarizeEntry`, or the beginning of the
   * content.
   */
  summary?: string | undefined;
  /** The new namespace. Default: unchanged. */
  namespace?: DefaultNamespace | N | undefined;
  /** The new tags, which replace all old ones. Default: unchanged. */
  tags?: string[] | undefined;
  /** The new importance. Default: unchanged. */
  importance?: number | undefined;
  /** The new source. Default: unchanged. */
  source?: string | undefined;
  /** The new custom data, which replaces all old data. Default: unchanged. */
  metadata?: M | undefined;
  /**
   * The lifetime in milliseconds from now on. Default: unchanged; with new content or another namespace, the lifetime
   * of the namespace from now on.
   */
  ttl?: number | undefined;
  /** The new time from which it is true. Default: unchanged. */
  validFrom?: Time | undefined;
  /** The new time from which it is no longer true, later than `validFrom`. Default: unchanged. */
  validUntil?: Time | undefined;
  /** The new level of trust, not higher than before: only `memory.promote` raises it. Default: unchanged. */
  trust?: Trust | undefined;
  /** The rule for secrets in the new content and summary. Default: they are stored as they are. */
  secrets?: SecretRule | undefined;
  /**
   * The embedding of the new content. Default: computed by the memory's embedder; without an embedder, the old one is
   * removed.
   */
  embedding?: Embedding | undefined;
}

/** A promotion to make. */
export interface Promotion {
  /** The new level of trust, higher than before. */
  trust: Trust;
  /** The person or program that promotes the entry, in 1 to 256 bytes. */
  by: string;
  /** The reason, in 1 to 1024 bytes. */
  why: string;
}

/** A promotion that was made. */
export interface Promoted {
  /** The level of trust before. */
  from: Trust;
  /** The person or program that promoted the entry. */
  by: string;
  /** The reason. */
  why: string;
  /** The time, in ISO 8601. */
  at: string;
}

/** A stored entry without its content. `get` reads the content. */
export interface MemoryEntry<M extends Metadata = Metadata, N extends string = never> {
  /** The id, unique within one user's memory. */
  id: string;
  /** The namespace. */
  namespace: DefaultNamespace | N;
  /** The given summary, or the beginning of the content, or all of it if it has at most 1,200 characters. */
  summary: string;
  /** The number of characters of the given content. */
  contentLength: number;
  /** Whether the content was longer than the namespace allows and was truncated. */
  truncated: boolean;
  /** The tags, without duplicates. */
  tags: string[];
  /** The importance, from 0 to 1. */
  importance: number;
  /** The origin of the entry. */
  source?: string;
  /** Custom data. */
  metadata: M;
  /** The subject of the fact. */
  key?: string;
  /** The id of the session that the entry belongs to. */
  session?: string;
  /** The agent that wrote the entry. */
  agent?: string;
  /** The speaker. */
  speaker?: string;
  /** The level of trust. */
  trust: Trust;
  /** The kinds of secrets that were replaced in the text, such as `"api key"`. Absent: none. */
  secrets?: string[];
  /** The last promotion. Absent: the trust was never raised. */
  promoted?: Promoted;
  /** How many times it was stated. Absent: once. */
  count?: number;
  /** The last time that it was stated again, or recalled and used in an answer, in ISO 8601. Absent: never. */
  seenAt?: string;
  /** The number of writes so far: 1 at first, one more with each update. */
  version: number;
  /** The time of the event, in ISO 8601. */
  at: string;
  /** The time from which it is true, in ISO 8601. Absent: always. */
  validFrom?: string;
  /** The time from which it is no longer true, in ISO 8601. Absent: never. */
  validUntil?: string;
  /** The id of the entry whose past this one continues: `history` includes it. Absent: none. */
  replaces?: string;
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The time of the last write, in ISO 8601. */
  updatedAt: string;
  /** The time of expiry, in ISO 8601. From then on, the entry is invisible. */
  expiresAt: string;
}

/** An entry with its full content. */
export interface MemoryEntryWithContent<M extends Metadata = Metadata, N extends string = never>
  extends MemoryEntry<M, N> {
  /** The full content, unless `truncated` is set. */
  content: string;
}

/** Options of a list. */
export interface ListOptions<N extends string = never> {
  /** Only this namespace. Default: all. */
  namespace?: DefaultNamespace | N | undefined;
  /** The maximum number of entries; 0 returns none. Default: all. */
  limit?: number | undefined;
  /** Only entries older than the entry with this id, the last one of the previous page. Default: from the newest. */
  after?: string | undefined;
  /** Only entries that are true at this time, which may be in the future. Default: now. */
  asOf?: Time | undefined;
  /** Whether entries that are no longer true, or not yet, are listed as well; not with `asOf`. Default: false. */
  includePast?: boolean | undefined;
}

/** The number of visible entries. */
export interface MemoryStats<N extends string = never> {
  /** In all namespaces. */
  total: number;
  /** In each namespace. */
  namespaces: Record<DefaultNamespace | N, number>;
}

/** The limits of one namespace. */
export interface NamespaceConfig {
  /**
   * The maximum number of entries. When it is reached, a new entry evicts an old one. Default: 2,000; long-term:
   * 20,000.
   */
  maxEntries?: number | undefined;
  /** The lifetime of an entry in days. Default: 14; long-term: 3,650. */
  ttlDays?: number | undefined;
  /**
   * The maximum length of a content in characters; longer contents are truncated. Default: 200,000; long-term: 500,000.
   */
  maxContentChars?: number | undefined;
  /** The maximum length of a summary in characters. Default: 1,200. */
  maxSummaryChars?: number | undefined;
}

/** Settings that keep a conversation within its context window. */
export interface ConversationConfig {
  /** The maximum number of recent messages in a prompt. Default: as many as fit the budget. */
  hotWindowSize?: number | undefined;
  /** The share of a session's `contextTokens` above which the session is compressed. Default: 0.8. */
  compressionThreshold?: number | undefined;
  /** The approximate number of messages per summary. Default: 10. */
  chunkSize?: number | undefined;
  /** `hotWindowSize` in snake_case. Default: that of `hotWindowSize`. */
  hot_window_size?: number | undefined;
  /** `compressionThreshold` in snake_case. Default: that of `compressionThreshold`. */
  compression_threshold?: number | undefined;
  /** `chunkSize` in snake_case. Default: that of `chunkSize`. */
  chunk_size?: number | undefined;
}

/** The settings of a memory. */
export interface MemoryConfig<N extends string = never> {
  /** The limits of each namespace. A name that is not built in defines a custom namespace. Default: the two built-in ones. */
  namespaces?: { [name in DefaultNamespace | N]?: NamespaceConfig } | undefined;
  /** The defaults of a search. Default: those of `SearchOptions`. */
  retrieval?:
    | {
        /** The maximum number of hits. Default: 5. */
        topK?: number | undefined;
        /** The minimum score of the `"formula"` ranking. Default: 0.15. */
        minScore?: number | undefined;
      }
    | undefined;
  /** The content that hits include. Default: none. */
  output?:
    | {
        /** Whether hits include a preview of the content if the search does not say otherwise. Default: false. */
        includeContentByDefault?: boolean | undefined;
        /** The maximum length of a preview in characters. Default: 1,200. */
        contentPreviewChars?: number | undefined;
      }
    | undefined;
  /** The policies of flows and agents. Default: everything is allowed, with the default limits of `MemoryPolicy`. */
  policies?: MemoryPolicies | undefined;
  /**
   * Settings that keep conversations within their context window, as defaults of all sessions. The snake_case names
   * `hot_window_size`, `compression_threshold` and `chunk_size` are accepted too. Default: the defaults of each
   * session.
   */
  memory?: ConversationConfig | undefined;
  /**
   * The tokenizer family used to estimate token counts: `"o200k"` (GPT-4o and later), `"cl100k"` (GPT-4 and GPT-3.5),
   * `"claude"` or `"gemini"`. The last two are upper estimates, since their tokenizers are not public. An app's
   * `countTokens` takes precedence. Default: `"o200k"`.
   */
  tokenizer?: "o200k" | "cl100k" | "claude" | "gemini" | undefined;
  /** The storage format of embeddings: `"f32"` is exact and takes four times the space. Default: `"int8"`. */
  vectors?: "int8" | "f32" | undefined;
}

/** An evicted entry. */
export interface MemoryEviction {
  /** The entry's id. */
  id: string;
  /** The entry's namespace. */
  namespace: string;
}

// Search options and hits.

import type { Embedding } from "./embedding.js";
import type { DefaultNamespace, Json, Time, Trust } from "./types.js";

/** A filter by tags. An array matches entries with at least one of its tags. */
export type TagFilter =
  | string[]
  | {
      /** At least one of these tags. Default: any tags. */
      any?: string[] | undefined;
      /** All of these tags. Default: any tags. */
      all?: string[] | undefined;
      /** None of these tags. Default: none is excluded. */
      none?: string[] | undefined;
    };

/** A filter for knowledge. Any other field must be in the metadata with the given value. */
export interface SemanticFilters {
  /** Only with at least one of these tags. Default: all. */
  tags?: readonly string[] | undefined;
  /** Only from this source. Default: all. */
  source?: string | undefined;
  /** Only with these metadata fields and values. Default: all. */
  metadata?: { [key: string]: Json } | undefined;
  /** Only in this namespace. Default: all. */
  namespace?: DefaultNamespace | (string & {}) | undefined;
  /** Only in this session. Default: all. */
  session?: string | undefined;
}

/** Options of a search. */
export interface SearchOptions<N extends string = never> {
  /**
   * The ranking. `"best"`: the highest quality; handles inflected words of many languages, conversations, names and
   * dates. `"formula"`: the fixed, documented formula, exact to the digit. Default: `"best"`.
   */
  ranking?: "best" | "formula" | undefined;
  /** The maximum number of hits; 0 returns none. Default: 5, or the memory's `retrieval.topK`. */
  limit?: number | undefined;
  /** The minimum score. Default: 0 for `"best"`; 0.15, or the memory's `retrieval.minScore`, for `"formula"`. */
  minScore?: number | undefined;
  /** Only this namespace. Default: all. */
  namespace?: DefaultNamespace | N | undefined;
  /** Only entries with these tags, case-insensitive. Default: all. */
  tags?: TagFilter | undefined;
  /** Only events at or after this time. Default: no limit. */
  from?: Time | undefined;
  /** Only events before this time. Default: no limit. */
  until?: Time | undefined;
  /** Only entries that are true at this time, which may be in the future. Default: now. */
  asOf?: Time | undefined;
  /** Whether entries that are no longer true, or not yet, are found as well; not with `asOf`. Default: false. */
  includePast?: boolean | undefined;
  /** Only this session. Default: all. */
  session?: string | undefined;
  /** Only entries written by this agent. Default: all. */
  agent?: string | undefined;
  /** Only entries from this source. Default: all. */
  source?: string | undefined;
  /** Only entries whose metadata has these fields with these values. Default: all. */
  metadata?: { [key: string]: Json } | undefined;
  /** Only entries with at least this level of trust. Default: all. */
  minTrust?: Trust | undefined;
  /**
   * Whether hits include the beginning of their content. Default: false, or the memory's
   * `output.includeContentByDefault`.
   */
  includeContent?: boolean | undefined;
  /** Whether hits include the parts of their score. Default: false. */
  explain?: boolean | undefined;
  /**
   * The embedding of the query, for `"best"`. Default: computed by the memory's embedder; without an embedder, only
   * words count.
   */
  embedding?: Embedding | undefined;
}

/** A search hit, without the content. */
export interface MemoryHit<N extends string = never> {
  /** The entry's id. */
  id: string;
  /** The score, from 0 to 1. Scores of the two rankings are not comparable. */
  score: number;
  /** The entry's namespace. */
  namespace: DefaultNamespace | N;
  /** The summary: the beginning of the content, or all of it if it is short. */
  summary: string;
  /** The entry's tags. */
  tags: string[];
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The time of the event, in ISO 8601. */
  at: string;
  /** The time from which it is true, in ISO 8601. Absent: always. */
  validFrom?: string;
  /** The time from which it is no longer true, in ISO 8601. Absent: never. */
  validUntil?: string;
  /** The id of the session that the entry belongs to. */
  session?: string;
  /** The speaker. */
  speaker?: string;
  /** The origin of the entry. */
  source?: string;
  /** The beginning of the content, with `includeContent`. */
  contentPreview?: string;
  /** The parts of the score, with `explain`. Summed in order, they give the score. */
  receipt?: ReceiptPart[];
}

/** One part of a score. */
export interface ReceiptPart {
  /**
   * The name of the part. `best`: `word`, `without accents`, `part`, `character`, `meaning`; `importance`, `speaker`,
   * `date`, `time`, `number`, `name`; for utterances `length`, `tells`, `detail`; for conversations with an assistant
   * `user`, `mine`, `assistant`, `standing` (a standing instruction) and `preference`. `formula`: the fields,
   * `importance` and `recency`.
   */
  label: string;
  /** The word or name that the part is for. */
  term?: string;
  /** The amount added to the score. */
  value: number;
}

/** The reason why an entry is not among the hits. With `explain`, `receipt` has the parts of its score. */
export type MemoryMiss =
  | { reason: "hit" | "unknown" | "expired" }
  | { reason: "filtered"; filter: string }
  | { reason: "no-term"; terms: string[] }
  | { reason: "low-score"; score: number; receipt?: ReceiptPart[] }
  | { reason: "outranked"; by: number; receipt?: ReceiptPart[] };

// What to search for, and what comes back.

import type { Embedding } from "./embedding.js";
import type { DefaultNamespace, Json, Time, Trust } from "./types.js";

/** Which labels an entry has to have. A list means: any of these. */
export type TagFilter =
  | string[]
  | {
      /** At least one of these. */
      any?: string[] | undefined;
      /** All of these. */
      all?: string[] | undefined;
      /** None of these. */
      none?: string[] | undefined;
    };

/** Which knowledge is asked for. Any other field has to be in the metadata with this value. */
export interface SemanticFilters {
  /** Only with at least one of these labels. Default: all. */
  tags?: readonly string[] | undefined;
  /** Only from there. Default: from anywhere. */
  source?: string | undefined;
  /** Only with these fields of these values. Default: all. */
  metadata?: { [key: string]: Json } | undefined;
  /** Only in this namespace. Default: all. */
  namespace?: DefaultNamespace | (string & {}) | undefined;
  /** Only of this session. Default: all. */
  session?: string | undefined;
}

/** How to search. */
export interface SearchOptions<N extends string = never> {
  /**
   * How hits are ordered. `"best"`: the best this library has, which understands words of many languages, conversations,
   * names and dates. `"formula"`: the documented formula, to the digit. Default: `"best"`.
   */
  ranking?: "best" | "formula" | undefined;
  /** At most this many hits; 0 gives none. Default: 5, or what the settings say. */
  limit?: number | undefined;
  /** No hit below this score. Default: 0 for `"best"`; 0.15, or what the settings say, for `"formula"`. */
  minScore?: number | undefined;
  /** Only this namespace. Default: all. */
  namespace?: DefaultNamespace | N | undefined;
  /** Only entries with these labels, in either case. Default: all. */
  tags?: TagFilter | undefined;
  /** Only what happened at this time or later. Default: any time. */
  from?: Time | undefined;
  /** Only what happened before this time. Default: any time. */
  until?: Time | undefined;
  /** Only this conversation. Default: all. */
  session?: string | undefined;
  /** Only what this agent wrote. Default: all. */
  agent?: string | undefined;
  /** Only what came from there. Default: anywhere. */
  source?: string | undefined;
  /** Only entries whose metadata has these fields with these values. Default: all. */
  metadata?: { [key: string]: Json } | undefined;
  /** Only what is believed at least this far. Default: anything. */
  minTrust?: Trust | undefined;
  /** Whether hits carry the beginning of their content. Default: false, or what the settings say. */
  includeContent?: boolean | undefined;
  /** Whether hits carry the parts of their score. Default: false. */
  explain?: boolean | undefined;
  /** Where the query lies, for `"best"`. Default: what the memory's embedder says; otherwise only words count. */
  embedding?: Embedding | undefined;
}

/** A hit: enough to decide whether to read more. */
export interface MemoryHit<N extends string = never> {
  /** The entry's id. */
  id: string;
  /** From 0 to 1. Scores of the two rankings cannot be compared. */
  score: number;
  /** Where it belongs. */
  namespace: DefaultNamespace | N;
  /** The content's beginning, or all of it when it is short. */
  summary: string;
  /** Its labels. */
  tags: string[];
  /** When it was first written, in ISO 8601. */
  createdAt: string;
  /** When it happened, in ISO 8601. */
  at: string;
  /** The conversation that it belongs to. */
  session?: string;
  /** Who said it. */
  speaker?: string;
  /** Where it came from. */
  source?: string;
  /** The beginning of the content, if `includeContent` asked for it. */
  contentPreview?: string;
  /** The parts of the score, if `explain` asked for them. Added up in their order they are the score. */
  receipt?: ReceiptPart[];
}

/** One part of a score. */
export interface ReceiptPart {
  /**
   * What it is for. `best`: `word`, `without accents`, `part`, `character`, `meaning`; `importance`, `speaker`, `date`,
   * `time`, `number`, `name`; for what somebody said `length`, `tells`, `detail`; for conversations with an assistant
   * `user`, `mine`, `assistant`, `standing` (an instruction that holds from then on) and `preference`. `formula`: the
   * fields, `importance` and `recency`.
   */
  label: string;
  /** The word or name that it is for. */
  term?: string;
  /** How much it adds. */
  value: number;
}

/** Why an entry is not among the hits. `receipt` has the parts of its score, if `explain` asked for them. */
export type MemoryMiss =
  | { reason: "hit" | "unknown" | "expired" }
  | { reason: "filtered"; filter: string }
  | { reason: "no-term"; terms: string[] }
  | { reason: "low-score"; score: number; receipt?: ReceiptPart[] }
  | { reason: "outranked"; by: number; receipt?: ReceiptPart[] };

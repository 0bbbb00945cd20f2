// The documented store interface (D19, D24): an app implements it to store entries in its own database.

import type { Metadata } from "../../wire/types.js";

/** An entry in a store. */
export interface MemoryEntry {
  /** Unique: 16 hexadecimal digits. */
  id: string;
  /** The namespace: `"short-term"`, `"long-term"`, or one of the configuration. */
  namespace: string;
  /** The content, truncated to the limit of the namespace. */
  content: string;
  /** The beginning of the content. */
  summary: string;
  /** Labels to filter by. */
  tags: string[];
  /** The time at which it was added, in ISO 8601. */
  createdAt: string;
  /** The time of the last change, in ISO 8601. */
  updatedAt: string;
  /** The time at which it expires, in ISO 8601. Default: never. */
  expiresAt?: string | undefined;
  /** Its source. Default: unknown. */
  source?: string | undefined;
  /** Its importance, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** Data of the app. Default: none. */
  metadata?: Metadata | undefined;
}

/** Filters and limits of a search. */
export interface StoreSearchOptions {
  /** Only this namespace. Default: all. */
  namespace?: string | undefined;
  /** Only entries with at least one of these labels. Default: all. */
  tags?: string[] | undefined;
  /** The maximum number of results. Default: up to the store. */
  limit?: number | undefined;
  /** The minimum score. Default: 0. */
  minScore?: number | undefined;
}

/** A search result: an entry and its score, from 0 to 1. */
export interface MemorySearchResult {
  /** The entry. */
  entry: MemoryEntry;
  /** The score. */
  score: number;
}

/**
 * A store of entries, such as mem0, Zep or a table of the app. The service handles ids, summaries, limits, expiry and the
 * format of results; a store keeps entries and finds them by tokens.
 */
export interface MemoryStore {
  /** Stores an entry. An entry with the same id is replaced. */
  add(entry: MemoryEntry): Promise<void>;
  /** The entry with this id; `null` if there is none. */
  get(id: string): Promise<MemoryEntry | null>;
  /** Entries that match the tokens, which are lower-case words. The service filters and sorts them again. */
  search(tokens: string[], options?: StoreSearchOptions): Promise<MemorySearchResult[]>;
  /** Deletes an entry. Returns whether it existed. */
  delete(id: string): Promise<boolean>;
  /** Deletes all entries, or those of one namespace. Returns their number. */
  clear(namespace?: string): Promise<number>;
  /** All entries, or those of one namespace. A store that omits expired entries must delete them itself. */
  list(namespace?: string): Promise<MemoryEntry[]>;
  /** The number of entries, in one namespace or in all. */
  count(namespace?: string): Promise<number>;
}

const METHODS = ["add", "get", "search", "delete", "clear", "list", "count"] as const;

/** The methods of a store that a value lacks; `undefined` if it is no object. */
export function missingMethods(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const methods = value as { [name: string]: unknown };
  return METHODS.filter((name) => typeof methods[name] !== "function");
}

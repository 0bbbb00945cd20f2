// The documented store interface (D19, D24): what an app implements to keep entries in a database of its own.

import type { Metadata } from "../../wire/types.js";

/** An entry as a store keeps it. */
export interface MemoryEntry {
  /** Unique: 16 hexadecimal digits. */
  id: string;
  /** The namespace: `"short-term"`, `"long-term"`, or one of the configuration. */
  namespace: string;
  /** The content, cut to what the namespace allows. */
  content: string;
  /** Its beginning. */
  summary: string;
  /** Labels to filter by. */
  tags: string[];
  /** When it was added, in ISO 8601. */
  createdAt: string;
  /** When it was last changed, in ISO 8601. */
  updatedAt: string;
  /** When it expires, in ISO 8601. Default: never. */
  expiresAt?: string | undefined;
  /** Where it came from. Default: unknown. */
  source?: string | undefined;
  /** How much it matters, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** Data of the app's own. Default: none. */
  metadata?: Metadata | undefined;
}

/** Filters and limits of a search. */
export interface StoreSearchOptions {
  /** Only this namespace. Default: all. */
  namespace?: string | undefined;
  /** Only entries with at least one of these labels. Default: all. */
  tags?: string[] | undefined;
  /** At most this many. Default: up to the store. */
  limit?: number | undefined;
  /** No result below this score. Default: 0. */
  minScore?: number | undefined;
}

/** A search result: an entry and how well it matches, from 0 to 1. */
export interface MemorySearchResult {
  /** The entry. */
  entry: MemoryEntry;
  /** The score. */
  score: number;
}

/**
 * A store of entries, such as mem0, Zep or a table of the app's. Ids, summaries, limits, expiry and the form of answers
 * are the service's; a store keeps entries and finds them by tokens.
 */
export interface MemoryStore {
  /** Keeps an entry. One with the same id is replaced. */
  add(entry: MemoryEntry): Promise<void>;
  /** The entry with this id; `null` if there is none. */
  get(id: string): Promise<MemoryEntry | null>;
  /** Entries that match the tokens, which are lower-case words. The service filters and sorts them once more. */
  search(tokens: string[], options?: StoreSearchOptions): Promise<MemorySearchResult[]>;
  /** Deletes an entry. Answers whether it existed. */
  delete(id: string): Promise<boolean>;
  /** Deletes everything, or everything in one namespace. Answers how many entries that were. */
  clear(namespace?: string): Promise<number>;
  /** All entries, or those of one namespace. A store that leaves out expired ones has to delete them itself. */
  list(namespace?: string): Promise<MemoryEntry[]>;
  /** How many entries there are, in one namespace or in all. */
  count(namespace?: string): Promise<number>;
}

const METHODS = ["add", "get", "search", "delete", "clear", "list", "count"] as const;

/** The methods that a value lacks to be a store; `undefined` if it is no object. */
export function missingMethods(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const methods = value as { [name: string]: unknown };
  return METHODS.filter((name) => typeof methods[name] !== "function");
}

// The functions of the specification: their options and results.

import type { Metadata } from "./types.js";

/** A failure, returned as a result: these functions do not reject because of invalid arguments. */
export interface MemoryFailure {
  /** Always false. */
  success: false;
  /** The error message. */
  error: string;
}

/** Options of `memoryAdd`. */
export interface MemoryAddOptions {
  /** The summary. Default: the result of `summarizeEntry`; otherwise the beginning of the content. */
  summary?: string | undefined;
  /** Tags to filter by. Default: none. */
  tags?: string[] | undefined;
  /** The origin of the content. Default: none. */
  source?: string | undefined;
  /** The importance, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** Custom data. Default: `{}`. */
  metadata?: Metadata | undefined;
}

/** Result of `memoryAdd`: a reference, without the content. */
export interface MemoryAdded {
  /** Always true. */
  success: true;
  /** The entry's id. */
  referenceId: string;
  /** The entry's summary. */
  summary: string;
  /** The number of characters of the given content. */
  contentLength: number;
  /** The same values, and the namespace. */
  data: { id: string; namespace: string; contentLength: number; summary: string; message: string };
}

/** Options of `memorySearch`. */
export interface MemorySearchOptions {
  /** Only this namespace. Default: all. */
  namespace?: string | undefined;
  /** Only entries with at least one of these tags. Default: all. */
  tags?: string[] | undefined;
  /** The maximum number of results. Default: 5. */
  limit?: number | undefined;
  /** The minimum score. Default: 0.15. */
  minScore?: number | undefined;
  /** Whether results include `contentPreview`. Default: false. */
  includeContent?: boolean | undefined;
}

/** One result of `memorySearch`. */
export interface MemorySearchResult {
  /** The entry's id. */
  id: string;
  /** The entry's namespace. */
  namespace: string;
  /** The entry's summary. */
  summary: string;
  /** The entry's tags. */
  tags: string[];
  /** The score as a percentage, such as `"85.0%"`; omitted if the query was the entry's id. */
  score?: string;
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The beginning of the content, with `includeContent`. */
  contentPreview?: string;
}

/** Result of `memorySearch`. */
export interface MemorySearched {
  /** Always true. */
  success: true;
  /** The results and their count. */
  data: { found: boolean; results: MemorySearchResult[]; total: number; query: string; message?: string };
}

/** Numbers of entries. */
export interface MemoryCounts {
  /** In all namespaces. */
  total: number;
  /** In the short-term namespace. */
  shortTerm: number;
  /** In the long-term namespace. */
  longTerm: number;
}

/** The functions of the specification. */
export interface MemoryFunctions {
  /** Stores a memory. Default namespace: `"short-term"`. */
  memoryAdd(
    content: string,
    namespace?: string,
    options?: MemoryAddOptions,
  ): Promise<MemoryAdded | MemoryFailure>;
  /** Finds entries by id, or by words with the documented formula. */
  memorySearch(query: string, options?: MemorySearchOptions): Promise<MemorySearched | MemoryFailure>;
  /** Counts the entries. */
  memoryStats(): Promise<({ success: true; data: MemoryCounts } & MemoryCounts) | MemoryFailure>;
  /** Deletes all entries in the short-term namespace. */
  memoryClearShortTerm(): Promise<
    { success: true; data: { cleared: number; remaining: number } } | MemoryFailure
  >;
  /** Deletes all entries. */
  memoryClearAll(): Promise<{ success: true; data: { cleared: number } } | MemoryFailure>;
  /** Deletes expired entries. */
  memoryCleanup(): Promise<{ success: true; data: { cleaned: number; message: string } } | MemoryFailure>;
  /** Deletes one entry. */
  memoryDelete(id: string): Promise<{ success: true; data: { deleted: boolean } } | MemoryFailure>;
  /** Reads the full content of one entry. */
  memoryGetContent(
    id: string,
  ): Promise<{ success: true; data: { id: string; content: string } } | MemoryFailure>;
}

/** The result of one of these functions. */
export type DocumentedAnswer<F extends keyof MemoryFunctions> = Awaited<ReturnType<MemoryFunctions[F]>>;

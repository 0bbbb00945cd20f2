// The documented functions: their options and answers.

import type { Metadata } from "./types.js";

/** A failure, as an answer: these functions never reject because of their arguments. */
export interface MemoryFailure {
  /** Always false. */
  success: false;
  /** What went wrong, in words. */
  error: string;
}

/** What `memoryAdd` takes beside the content. */
export interface MemoryAddOptions {
  /** The summary. Default: the result of `summarizeEntry`; otherwise the content's beginning. */
  summary?: string | undefined;
  /** Labels to filter by. */
  tags?: string[] | undefined;
  /** Where it came from. */
  source?: string | undefined;
  /** How much it matters, from 0 to 1. */
  importance?: number | undefined;
  /** Data of your own. */
  metadata?: Metadata | undefined;
}

/** What `memoryAdd` answers: a reference, never the content. */
export interface MemoryAdded {
  /** Always true. */
  success: true;
  /** The id to read it by. */
  referenceId: string;
  /** Its beginning. */
  summary: string;
  /** How many characters came in. */
  contentLength: number;
  /** The same once more, and where it is. */
  data: { id: string; namespace: string; contentLength: number; summary: string; message: string };
}

/** What `memorySearch` takes beside the query. */
export interface MemorySearchOptions {
  /** Only this namespace. Default: all. */
  namespace?: string | undefined;
  /** Only entries with at least one of these labels. Default: all. */
  tags?: string[] | undefined;
  /** At most this many. Default: 5. */
  limit?: number | undefined;
  /** No hit below this score. Default: 0.15. */
  minScore?: number | undefined;
  /** Whether results carry `contentPreview`. Default: false. */
  includeContent?: boolean | undefined;
}

/** One result of `memorySearch`. */
export interface MemorySearchResult {
  /** The id to read it by. */
  id: string;
  /** Where it belongs. */
  namespace: string;
  /** Its beginning. */
  summary: string;
  /** Its labels. */
  tags: string[];
  /** As `"85.0%"`; not there if the query was the entry's id. */
  score?: string;
  /** When it was written, in ISO 8601. */
  createdAt: string;
  /** The beginning of the content, if it was asked for. */
  contentPreview?: string;
}

/** What `memorySearch` answers. */
export interface MemorySearched {
  /** Always true. */
  success: true;
  /** What was found. */
  data: { found: boolean; results: MemorySearchResult[]; total: number; query: string; message?: string };
}

/** How many entries there are. */
export interface MemoryCounts {
  /** In all. */
  total: number;
  /** In the short-term namespace. */
  shortTerm: number;
  /** In the long-term namespace. */
  longTerm: number;
}

/** The documented functions. */
export interface MemoryFunctions {
  /** Remembers something. Default namespace: `"short-term"`. */
  memoryAdd(
    content: string,
    namespace?: string,
    options?: MemoryAddOptions,
  ): Promise<MemoryAdded | MemoryFailure>;
  /** Finds by id, or by words with the documented formula. */
  memorySearch(query: string, options?: MemorySearchOptions): Promise<MemorySearched | MemoryFailure>;
  /** Counts. */
  memoryStats(): Promise<({ success: true; data: MemoryCounts } & MemoryCounts) | MemoryFailure>;
  /** Takes away everything in the short-term namespace. */
  memoryClearShortTerm(): Promise<
    { success: true; data: { cleared: number; remaining: number } } | MemoryFailure
  >;
  /** Takes away everything. */
  memoryClearAll(): Promise<{ success: true; data: { cleared: number } } | MemoryFailure>;
  /** Takes away what has expired. */
  memoryCleanup(): Promise<{ success: true; data: { cleaned: number; message: string } } | MemoryFailure>;
  /** Takes one entry away. */
  memoryDelete(id: string): Promise<{ success: true; data: { deleted: boolean } } | MemoryFailure>;
  /** Reads one entry whole. */
  memoryGetContent(
    id: string,
  ): Promise<{ success: true; data: { id: string; content: string } } | MemoryFailure>;
}

/** The answer of a documented function. */
export type DocumentedAnswer<F extends keyof MemoryFunctions> = Awaited<ReturnType<MemoryFunctions[F]>>;

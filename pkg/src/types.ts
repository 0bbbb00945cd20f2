// What goes in and what comes out.

/** Where an entry belongs: for 14 days, or for ten years. */
export type Namespace = "short-term" | "long-term";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Data of the app's own beside an entry: any JSON object, at most 64 KB and 32 levels deep. */
export type Metadata = { [key: string]: Json };

/** What can be said about something to remember. */
export interface MemoryDraft<M extends Metadata = Metadata> {
  /** An id of your own, 1 to 256 bytes. Default: 16 random hex digits. */
  id?: string | undefined;
  /** Where it belongs. Default: `"short-term"`. */
  namespace?: Namespace | undefined;
  /** Labels to filter by, at most 64. Default: none. */
  tags?: string[] | undefined;
  /** How much it matters, from 0 to 1. Default: 0. */
  importance?: number | undefined;
  /** Where it came from. Default: nowhere. */
  source?: string | undefined;
  /** Data of your own. Default: `{}`. */
  metadata?: M | undefined;
}

/** What is remembered, without its content: that is one `get` away. */
export interface MemoryEntry<M extends Metadata = Metadata> {
  /** Unique within one user's memory. */
  id: string;
  /** Where it belongs. */
  namespace: Namespace;
  /** The content's beginning, or all of it when it is at most 1,200 characters long. */
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
  /** When it was first written, in ISO 8601 as the other times. */
  createdAt: string;
  /** When it was last written. */
  updatedAt: string;
  /** From then on the entry is no longer seen. */
  expiresAt: string;
}

/** An entry with its whole content. */
export interface MemoryEntryWithContent<M extends Metadata = Metadata> extends MemoryEntry<M> {
  /** The content as it came in, unless `truncated` says otherwise. */
  content: string;
}

/** What to list. */
export interface ListOptions {
  /** Only this namespace. Default: all. */
  namespace?: Namespace | undefined;
  /** At most this many; 0 gives none. Default: all. */
  limit?: number | undefined;
  /** Only what is older than the entry with this id: the last one of the page before. Default: from the newest. */
  after?: string | undefined;
}

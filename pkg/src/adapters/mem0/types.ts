// Arguments and results of the class, under mem0's names.

import type { LongTermOptions } from "../../memory/long-term.js";
import type { Memory as Keepsake } from "../../memory/memory.js";
import type { Json, Metadata } from "../../wire/types.js";

/** For one user: an open memory, which the app closes. */
export interface OneUser {
  /** The memory. Calls that name a user must name this memory's user. */
  memory: Keepsake;
}

/** For any number of users, each with a separate memory. */
export interface ManyUsers {
  /** Opens the memory of a user; called once per user. `close` closes the opened memories. */
  open: (user: string) => Promise<Keepsake>;
  /** The user whose memory holds entries that belong to an agent or a run only. Default: `"mem0"`. */
  shared?: string | undefined;
}

/** The configuration. */
export type MemoryConfig = (OneUser | ManyUsers) & {
  /**
   * Selects the facts to keep from messages, one string per memory, usually with a model. Default: sentences with lasting
   * information, found without a model.
   */
  recordFilter?: LongTermOptions["recordFilter"];
};

/** An image, which needs a model. It is refused. */
export interface ImageContent {
  /** The type. */
  type: "image_url";
  /** The location of the image. */
  image_url: {
    /** The URL. */
    url: string;
  };
}

/** A message. */
export interface Message {
  /** The speaker: `"user"`, `"assistant"` … */
  role: string;
  /** The content. */
  content: string | ImageContent;
  /** The name of the speaker. Default: none. */
  name?: string | undefined;
}

/** The owner of memories. At least one of the three is required. */
export interface Entity {
  /** The user. Default: the memory's user; with `open`, the shared user. */
  userId?: string | undefined;
  /** The agent. Default: any. */
  agentId?: string | undefined;
  /** The run, which is the session of an entry. Default: any. */
  runId?: string | undefined;
}

/** A condition on a field: a value, an array of values, `"*"` for any, or operators. */
export type Condition = Json | { [operator: string]: Json } | undefined;

/** Filters. At least one of the three ids is required. */
export interface SearchFilters {
  /** The user. */
  user_id?: string;
  /** The agent. */
  agent_id?: string;
  /** The run. */
  run_id?: string;
  /**
   * A field of the metadata, with a condition: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in`, `nin`, `contains`, `icontains`.
   * `AND`, `OR` and `NOT` take an array of filters.
   */
  [field: string]: Condition;
}

/** Options of `add`. */
export interface AddMemoryOptions extends Entity {
  /** Your own data. Default: none. */
  metadata?: Metadata | undefined;
  /** The ids in another spelling: `user_id`, `agent_id`, `run_id`. Default: none. */
  filters?: SearchFilters | undefined;
  /** Whether only facts worth keeping are stored, each once; otherwise every message is stored as it is. Default: `true`. */
  infer?: boolean | undefined;
  /** The last day on which it is shown: `YYYY-MM-DD`, in UTC. Default: none. */
  expirationDate?: string | null | undefined;
}

/** The changes of `update`. */
export interface UpdateMemoryOptions {
  /** The new text. Default: unchanged. */
  text?: string | undefined;
  /** The old name of `text`. Default: that of `text`. */
  data?: string | undefined;
  /** Fields to merge into the metadata. Default: none. */
  metadata?: Metadata | undefined;
  /** The last day on which it is shown; `null` removes it. Default: unchanged. */
  expirationDate?: string | null | undefined;
}

/** Options of `getAll`. */
export interface GetAllMemoryOptions {
  /** The maximum number of results. Default: 20. */
  topK?: number | undefined;
  /** The filters. Default: none. */
  filters?: SearchFilters | undefined;
  /** Whether to include expired memories. Default: `false`. */
  showExpired?: boolean | undefined;
}

/** Options of `search`. */
export interface SearchMemoryOptions extends GetAllMemoryOptions {
  /** The minimum score, from 0 to 1. Default: 0; the ranking decides. */
  threshold?: number | undefined;
  /** Whether hits have the parts of their score, as `score_details`. Default: `false`. */
  explain?: boolean | undefined;
  /** No effect: there is one ranking, and it is always applied. Default: `false`. */
  rerank?: boolean | undefined;
}

/** A memory. */
export interface MemoryItem {
  /** Its id. */
  id: string;
  /** Its text. */
  memory: string;
  /** The MD5 of its text. */
  hash?: string;
  /** The time of creation, in ISO 8601. */
  createdAt?: string;
  /** The time of the last change; absent if it never changed. */
  updatedAt?: string;
  /** Its score, from 0 to 1. */
  score?: number;
  /** The parts of the score, with `explain`. */
  score_details?: { label: string; term?: string; value: number }[];
  /** Data of the app; `{ event: "ADD" }` or `{ event: "UPDATE" }` in the result of `add`. */
  metadata?: Metadata;
  /** The role of the speaker. */
  attributedTo?: string;
  /** The user. */
  user_id?: string;
  /** The agent. */
  agent_id?: string;
  /** The run. */
  run_id?: string;
}

/** A list of memories. */
export interface SearchResult {
  /** The memories: best or newest first. */
  results: MemoryItem[];
}

/** One change in the history of a memory. */
export interface HistoryItem {
  /** The id of the change. */
  id: string;
  /** The memory's id. */
  memory_id: string;
  /** The text before; `null` if the memory is new. */
  previous_value: string | null;
  /** The text after. */
  new_value: string | null;
  /** The kind of the change. */
  action: "ADD" | "UPDATE";
  /** The time of the memory's creation, in ISO 8601. */
  created_at: string;
  /** The time of this change, if it is an update. */
  updated_at: string | null;
  /** Always 0: deleted memories have no history. */
  is_deleted: 0;
}

// What goes into the class and comes out of it, under the names of mem0.

import type { LongTermOptions } from "../../memory/long-term.js";
import type { Memory as Keepsake } from "../../memory/memory.js";
import type { Json, Metadata } from "../../wire/types.js";

/** For one user: an open memory, which stays the app's to close. */
export interface OneUser {
  /** The memory. Calls that name a user have to name its own. */
  memory: Keepsake;
}

/** For any number of users, each with a memory of their own. */
export interface ManyUsers {
  /** Opens the memory of a user; called once for each. `close` closes what it has opened. */
  open: (user: string) => Promise<Keepsake>;
  /** Whose memory holds what is added for an agent or a run alone. Default: `"mem0"`. */
  shared?: string | undefined;
}

/** How memories are kept. */
export type MemoryConfig = (OneUser | ManyUsers) & {
  /**
   * Decides what of the messages is kept, one text a memory: with a model of the app's, usually. Default: sentences that
   * say something lasting, found without a model.
   */
  recordFilter?: LongTermOptions["recordFilter"];
};

/** An image, which only a model could tell about. It is refused. */
export interface ImageContent {
  /** What it is. */
  type: "image_url";
  /** Where it lies. */
  image_url: {
    /** The address. */
    url: string;
  };
}

/** Something said. */
export interface Message {
  /** Who says it: `"user"`, `"assistant"` … */
  role: string;
  /** What. */
  content: string | ImageContent;
  /** The name of who says it. Default: none. */
  name?: string | undefined;
}

/** Whose memories. At least one of the three has to be there. */
export interface Entity {
  /** The user. Default: that of the memory; with `open`, nobody in particular. */
  userId?: string | undefined;
  /** The agent. Default: any. */
  agentId?: string | undefined;
  /** The run, which is the session of an entry. Default: any. */
  runId?: string | undefined;
}

/** A condition on a field: a value, a list of which it is one, `"*"` for any, or operators. */
export type Condition = Json | { [operator: string]: Json } | undefined;

/** Which memories. At least one of the three ids has to be there. */
export interface SearchFilters {
  /** The user. */
  user_id?: string;
  /** The agent. */
  agent_id?: string;
  /** The run. */
  run_id?: string;
  /**
   * A field of the metadata, and what has to be true of it: `eq`, `ne`, `gt`, `gte`, `lt`, `lte`, `in`, `nin`,
   * `contains`, `icontains`. `AND`, `OR` and `NOT` take a list of filters.
   */
  [field: string]: Condition;
}

/** How something is added. */
export interface AddMemoryOptions extends Entity {
  /** Data of your own. Default: none. */
  metadata?: Metadata | undefined;
  /** The ids in another spelling: `user_id`, `agent_id`, `run_id`. Default: none. */
  filters?: SearchFilters | undefined;
  /** Whether only what is worth keeping is kept, each fact once; otherwise every message as it is. Default: `true`. */
  infer?: boolean | undefined;
  /** The last day on which it is shown: `YYYY-MM-DD`, in UTC. Default: none. */
  expirationDate?: string | null | undefined;
}

/** What is to become different. */
export interface UpdateMemoryOptions {
  /** Another text. Default: as before. */
  text?: string | undefined;
  /** The same under its old name. */
  data?: string | undefined;
  /** Fields that are merged into the metadata. Default: none. */
  metadata?: Metadata | undefined;
  /** The last day on which it is shown; `null` for ever. Default: as before. */
  expirationDate?: string | null | undefined;
}

/** What to list. */
export interface GetAllMemoryOptions {
  /** How many at most. Default: 20. */
  topK?: number | undefined;
  /** Whose, and which. */
  filters?: SearchFilters | undefined;
  /** Whether also those whose day is over. Default: `false`. */
  showExpired?: boolean | undefined;
}

/** How to search. */
export interface SearchMemoryOptions extends GetAllMemoryOptions {
  /** No hit below this score, which is from 0 to 1. Default: 0, and the ranking decides. */
  threshold?: number | undefined;
  /** Whether hits carry the parts of their score, as `score_details`. Default: `false`. */
  explain?: boolean | undefined;
  /** Nothing to do: there is one ranking, and it is applied. Default: `false`. */
  rerank?: boolean | undefined;
}

/** A memory. */
export interface MemoryItem {
  /** Its id. */
  id: string;
  /** What it says. */
  memory: string;
  /** The MD5 of what it says. */
  hash?: string;
  /** When it was first written, in ISO 8601. */
  createdAt?: string;
  /** When it was last changed; not there if it never was. */
  updatedAt?: string;
  /** How well it fits, from 0 to 1. */
  score?: number;
  /** The parts of the score, if `explain` asked for them. */
  score_details?: { label: string; term?: string; value: number }[];
  /** Data of the app's own; `{ event: "ADD" }` or `{ event: "UPDATE" }` in the answer of `add`. */
  metadata?: Metadata;
  /** Who said it. */
  attributedTo?: string;
  /** Whose it is. */
  user_id?: string;
  /** The agent that it was added for. */
  agent_id?: string;
  /** The run that it was added in. */
  run_id?: string;
}

/** Memories. */
export interface SearchResult {
  /** In their order: the best, or the newest, first. */
  results: MemoryItem[];
}

/** One thing that happened to a memory. */
export interface HistoryItem {
  /** Its own id. */
  id: string;
  /** The memory's id. */
  memory_id: string;
  /** What it said before; `null` if it is new. */
  previous_value: string | null;
  /** What it says since. */
  new_value: string | null;
  /** What happened. */
  action: "ADD" | "UPDATE";
  /** When the memory was first written, in ISO 8601. */
  created_at: string;
  /** When this happened, if it was a change. */
  updated_at: string | null;
  /** Always 0: what is deleted has no history. */
  is_deleted: 0;
}

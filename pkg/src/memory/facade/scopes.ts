// The facade's types: callers, queries, and the data that can be written to each scope.

import { refused } from "../../base/errors.js";
import type { MessageInput } from "../../wire/messages.js";
import type { MemoryPayloads, MemoryResultItem, MemoryScope, MemoryWritten } from "../../wire/scopes.js";
import type { Documented } from "../../wire/spelling.js";
import type { TaskStatus, Variables } from "../../wire/state.js";
import type { Json } from "../../wire/types.js";
import type { StepInput, WithOwn } from "../stores/experience.js";
import type { SkillInput } from "../stores/procedural.js";
import type { ProfileChanges } from "../stores/profile.js";
import type { DocumentInput } from "../stores/semantic.js";
import type { FlowState } from "../stores/state.js";

/** The caller of a read or write. */
export interface MemoryCaller {
  /** The user. */
  userId: string;
  /** The session. */
  sessionId: string;
  /** The agent. */
  agentId: string;
  /** The flow. Default: none. */
  flowId?: string | undefined;
  /** The node of the flow. Default: none. */
  nodeId?: string | undefined;
}

/** The caller as passed to the app's own stores, with the `extra` or `meta` of the call. */
export interface StoreCaller extends MemoryCaller {
  /** The `extra` of the query. Default: it has none. */
  extra?: { [key: string]: Json } | undefined;
  /** The `meta` of the event. Default: it has none. */
  meta?: { [key: string]: Json } | undefined;
}

/** A query of one or more scopes. */
export interface MemoryQuery<S extends MemoryScope = MemoryScope> extends MemoryCaller {
  /** The scopes to read. */
  scopes: readonly S[];
  /** The search query for knowledge and skills. Default: none. */
  query?: string | undefined;
  /** The task type, for skills and experience. Default: any. */
  taskType?: string | undefined;
  /**
   * Further options: `graph`, the number of relations to follow from each hit, and `filters`, as in `semantic.search`.
   * The app's own stores get all fields, including custom ones. Default: none.
   */
  extra?: { [key: string]: Json } | undefined;
}

/** A step of a task to log. */
export interface TaskStepInput {
  /** The task. */
  taskId: string;
  /** The step. */
  step: string;
  /** The status of the task after the step. */
  status: TaskStatus;
  /** The error: a string, or any thrown value. Default: none. */
  error?: unknown;
}

/** The data that can be written to each scope. */
export interface MemoryWrites {
  /** A message, whose custom fields become part of its metadata, or a summary of the session. */
  dialog: WithOwn<MessageInput> | { summary: string };
  /** A task step, an object with a `state`, or the state itself: any object. */
  state:
    | WithOwn<TaskStepInput | Documented<TaskStepInput>>
    | { state: FlowState | Variables }
    | FlowState
    | Variables;
  /** Several documents, or one. */
  semantic: { documents: readonly WithOwn<DocumentInput>[] } | WithOwn<DocumentInput>;
  /** A skill. */
  procedural: SkillInput;
  /** Changes to the profile. */
  profile: { changes: ProfileChanges } | ProfileChanges;
  /** A step. */
  experience: StepInput;
}

/** A write to one scope. */
export type MemoryWriteEvent<S extends MemoryScope = MemoryScope> = {
  [K in S]: MemoryCaller & {
    /** The scope. */
    scope: K;
    /** The data to store. */
    data: MemoryWrites[K];
    /**
     * Further data. For a step, `trace_id`, `cost`, `latency_ms` and `skill_id` set its fields; all other fields become
     * the metadata of the stored item. Default: none.
     */
    meta?: { [key: string]: Json | undefined } | undefined;
  };
}[S];

/** `T` with an optional `userId`, for the memory of a single user. */
export type Own<T> = T extends { userId: string }
  ? Omit<T, "userId"> & {
      /** The user. Default: the user of the memory. */
      userId?: string | undefined;
    }
  : never;

/** `T` in camelCase or with the documented names. */
export type Either<T> = T | Documented<T>;

/** The interface for flows and nodes: the memory of one user, or a `MemoryFacade` for all users. */
export interface IMemory<U extends "own" | "any" = "any"> {
  /** Reads the given scopes and returns an item per scope, in order. Omits scopes the policy denies. */
  read<S extends MemoryScope>(
    query: Either<U extends "own" ? Own<MemoryQuery<S>> : MemoryQuery<S>>,
  ): Promise<MemoryResultItem<S>[]>;
  /** Writes the event's data to its scope. The result says whether it was stored. */
  write(event: Either<U extends "own" ? Own<MemoryWriteEvent> : MemoryWriteEvent>): Promise<MemoryWritten>;
  /** Deletes all data of a session. */
  deleteSession(userId: string, sessionId: string): Promise<void>;
}

/**
 * Returns the payloads of a read by scope. Throws `invalid-input` if `items` is not an array.
 *
 * @example
 * const { dialog, profile } = byScope(await memory.read({ scopes: ["dialog", "profile"], sessionId, agentId }));
 */
export function byScope<S extends MemoryScope>(
  items: readonly MemoryResultItem<S>[],
): { [K in S]?: MemoryPayloads[K] } {
  const given: unknown = items;
  if (!Array.isArray(given)) throw refused("items", "must be an array");
  const found: { [K in S]?: MemoryPayloads[K] } = {};
  for (const { scope, payload } of items) found[scope] = payload;
  return found;
}

// What the facade is asked and told: scopes, queries, what is answered for each scope, and what can be written to it.

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

/** Who asks or tells. */
export interface MemoryCaller {
  /** The user. */
  userId: string;
  /** The conversation. */
  sessionId: string;
  /** The agent. */
  agentId: string;
  /** The flow. Default: none. */
  flowId?: string | undefined;
  /** The node of the flow. Default: none. */
  nodeId?: string | undefined;
}

/** The caller of a store of the app's own, with the `extra` or `meta` of the call. */
export interface StoreCaller extends MemoryCaller {
  /** The `extra` of the query, if it has one. */
  extra?: { [key: string]: Json } | undefined;
  /** The `meta` of the event, if it has one. */
  meta?: { [key: string]: Json } | undefined;
}

/** What to read. */
export interface MemoryQuery<S extends MemoryScope = MemoryScope> extends MemoryCaller {
  /** Which scopes, and nothing else. */
  scopes: readonly S[];
  /** What to look for in knowledge and skills. Default: nothing in particular. */
  query?: string | undefined;
  /** The kind of task, for skills and experience. Default: any. */
  taskType?: string | undefined;
  /**
   * Further wishes: `graph`, how many relations are walked from what is known, and `filters`, as `semantic.search` takes
   * them. Any other is for stores of the app's own, which are told all of it. Default: none.
   */
  extra?: { [key: string]: Json } | undefined;
}

/** A step of a task that is still to be written down. */
export interface TaskStepInput {
  /** The task. */
  taskId: string;
  /** What was done. */
  step: string;
  /** How it stands after it. */
  status: TaskStatus;
  /** The error: a string, or any thrown value. Default: none. */
  error?: unknown;
}

/** What can be written to each scope. */
export interface MemoryWrites {
  /** A message, whose other fields become part of its metadata, or a summary of the session. */
  dialog: WithOwn<MessageInput> | { summary: string };
  /** A step of a task, a state of the flow, or that state itself: any object. */
  state:
    | WithOwn<TaskStepInput | Documented<TaskStepInput>>
    | { state: FlowState | Variables }
    | FlowState
    | Variables;
  /** Documents, or one. */
  semantic: { documents: readonly WithOwn<DocumentInput>[] } | WithOwn<DocumentInput>;
  /** A skill. */
  procedural: SkillInput;
  /** Changes to the profile. */
  profile: { changes: ProfileChanges } | ProfileChanges;
  /** A step. */
  experience: StepInput;
}

/** What to write. */
export type MemoryWriteEvent<S extends MemoryScope = MemoryScope> = {
  [K in S]: MemoryCaller & {
    /** The scope. */
    scope: K;
    /** What is to be kept. */
    data: MemoryWrites[K];
    /**
     * Further data. Of a step, `trace_id`, `cost`, `latency_ms` and `skill_id` are its own fields; everything else
     * becomes the metadata of the stored item. Default: none.
     */
    meta?: { [key: string]: Json | undefined } | undefined;
  };
}[S];

/** The same where the user is known already. */
export type Own<T> = T extends { userId: string }
  ? Omit<T, "userId"> & { userId?: string | undefined }
  : never;

/** The same in camelCase, or by the documented names. */
export type Either<T> = T | Documented<T>;

/** What flows and nodes talk to: the memory of one user, or a `MemoryFacade` for all of them. */
export interface IMemory<U extends "own" | "any" = "any"> {
  /** What the asked scopes know, in the asked order; only those that the policy lets through. */
  read<S extends MemoryScope>(
    query: Either<U extends "own" ? Own<MemoryQuery<S>> : MemoryQuery<S>>,
  ): Promise<MemoryResultItem<S>[]>;
  /** Keeps something. */
  write(event: Either<U extends "own" ? Own<MemoryWriteEvent> : MemoryWriteEvent>): Promise<MemoryWritten>;
  /** Takes away everything of a session, and nothing else. */
  deleteSession(userId: string, sessionId: string): Promise<void>;
}

/**
 * What was read, by scope.
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

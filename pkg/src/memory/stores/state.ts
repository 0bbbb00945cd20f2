// State: the versioned state of a flow in a session, and the steps of its tasks.

import type { StateSnapshot, StateVersion, StepLog, TaskStatus, Variables } from "../../wire/state.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { WithOwn } from "./experience.js";
import { wordsOf } from "./thrown.js";

/** A task to save. It may have custom fields. */
export interface TaskInput {
  /** The id, unique within the flow. */
  id: string;
  /** The title. Default: none. */
  title?: string | undefined;
  /** The status. Default: `"pending"`. */
  status?: TaskStatus | undefined;
  /** The progress, from 0 to 1. Default: unknown. */
  progress?: number | undefined;
  /** The ids of the tasks that it depends on. Cycles are rejected. Default: none. */
  dependsOn?: readonly string[] | undefined;
  /** The error message. Default: none. */
  error?: string | undefined;
}

/** The state of a flow to save. Any other field becomes a variable. */
export interface FlowState<V extends object = Variables> {
  /** The app's variables. Default: none. */
  variables?: V | undefined;
  /** The status of the flow, any string of the app. Default: none. */
  status?: string | undefined;
  /** The tasks of the flow. Default: none. */
  tasks?: readonly WithOwn<TaskInput>[] | undefined;
}

/** Options of `saveState`. */
export interface SaveStateOptions {
  /** The version that must be the latest; 0 if no version must exist. Default: no check. */
  expect?: number | undefined;
  /** The app's metadata of this version. Default: none. */
  metadata?: Metadata | undefined;
}

/** The context of a task step. */
export interface TaskPlace {
  /** The flow. Default: none. */
  flow?: string | undefined;
  /** The session; deleting it deletes the step. Default: none. */
  session?: string | undefined;
  /** The app's metadata of the step. Default: none. */
  metadata?: Metadata | undefined;
}

/** The states of one user's flows. Each save creates a version, and all versions stay readable. */
export class StateMemory {
  readonly #core: Core;

  /** @internal Use `memory.state`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Returns the state of a flow in a session, or `null` if none was saved. Default for `version`: the latest. */
  async getState<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    version?: number,
  ): Promise<StateSnapshot<V> | null> {
    return this.#core.calls.ask<"getState", Metadata, never, V>("getState", {
      flow: flowId,
      session: sessionId,
      version,
    });
  }

  /**
   * Saves a state as the next version and returns it. Accepts any object: `variables`, `status` and `tasks` are reserved,
   * and every other field becomes a variable. With `expect`, rejects with `conflict` if that is not the latest version; 0
   * means that no version exists.
   */
  async saveState<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    state: FlowState<V> | V,
    options: SaveStateOptions = {},
  ): Promise<StateSnapshot<V>> {
    return this.#core.write<"saveState", Metadata, never, V>("saveState", {
      ...options,
      flow: flowId,
      session: sessionId,
      state,
    });
  }

  /** Alias of `getState`. */
  get<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    version?: number,
  ): Promise<StateSnapshot<V> | null> {
    return this.getState<V>(flowId, sessionId, version);
  }

  /** Alias of `saveState`. */
  save<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    state: FlowState<V> | V,
    options: SaveStateOptions = {},
  ): Promise<StateSnapshot<V>> {
    return this.saveState<V>(flowId, sessionId, state, options);
  }

  /** Returns all versions of a state, oldest first. */
  async versions(flowId: string, sessionId: string): Promise<StateVersion[]> {
    return this.#core.calls.ask("stateVersions", { flow: flowId, session: sessionId });
  }

  /** Logs a step of a task and returns it. `error` is a string or any thrown value. Default for `error`: none. */
  async logTaskStep(
    taskId: string,
    step: string,
    status: TaskStatus,
    error?: unknown,
    place: TaskPlace = {},
  ): Promise<StepLog> {
    const words = error == null ? undefined : wordsOf(error);
    return this.#core.write("logTaskStep", { ...place, taskId, step, status, error: words });
  }

  /** Returns the steps of a task, oldest first. Default for `session`: all sessions. */
  async steps(taskId: string, session?: string): Promise<StepLog[]> {
    return this.#core.calls.ask("taskSteps", { taskId, session });
  }
}

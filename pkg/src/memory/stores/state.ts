// State: where a flow stands in a session, every version of it, and the steps of its tasks.

import type { StateSnapshot, StateVersion, StepLog, TaskStatus, Variables } from "../../wire/state.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { WithOwn } from "./experience.js";
import { wordsOf } from "./thrown.js";

/** A task that is still to be saved. It may have fields of the app's own. */
export interface TaskInput {
  /** Its id, unique within the flow. */
  id: string;
  /** What it is. Default: nothing in words. */
  title?: string | undefined;
  /** How it stands. Default: `"pending"`. */
  status?: TaskStatus | undefined;
  /** How far it is, from 0 to 1. Default: not known. */
  progress?: number | undefined;
  /** The tasks that have to be done before it; one that leads back to itself is refused. Default: none. */
  dependsOn?: readonly string[] | undefined;
  /** What went wrong. Default: nothing. */
  error?: string | undefined;
}

/** The state of a flow to save. Any other field is one of the variables. */
export interface FlowState<V extends object = Variables> {
  /** The app's own values. Default: none. */
  variables?: V | undefined;
  /** How the flow stands, in a word of the app's own. Default: none. */
  status?: string | undefined;
  /** Its tasks. Default: none. */
  tasks?: readonly WithOwn<TaskInput>[] | undefined;
}

/** How a state is saved. */
export interface SaveStateOptions {
  /** The version that it is saved on top of, 0 being none. Default: whatever is there. */
  expect?: number | undefined;
  /** Data of the app's own about this save. Default: none. */
  metadata?: Metadata | undefined;
}

/** Where a step of a task belongs. */
export interface TaskPlace {
  /** The flow. Default: none in particular. */
  flow?: string | undefined;
  /** The session, with which the step is deleted. Default: none in particular. */
  session?: string | undefined;
  /** Data of the app's own about the step. Default: none. */
  metadata?: Metadata | undefined;
}

/** The states of one user's flows. Each save is a version, and all of them can be read again. */
export class StateMemory {
  readonly #core: Core;

  /** @internal Use `memory.state`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Where a flow stands in a session, or stood at a version; `null` if nothing was saved. Default: the latest. */
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
   * Saves a state as the next version. Any object will do: `variables`, `status` and `tasks` are known, and every other
   * field is one of the variables. With `expect` it is saved only on top of that version, 0 being none; otherwise it rejects with `conflict`.
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

  /** The same as `getState`. */
  get<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    version?: number,
  ): Promise<StateSnapshot<V> | null> {
    return this.getState<V>(flowId, sessionId, version);
  }

  /** The same as `saveState`. */
  save<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    state: FlowState<V> | V,
    options: SaveStateOptions = {},
  ): Promise<StateSnapshot<V>> {
    return this.saveState<V>(flowId, sessionId, state, options);
  }

  /** All versions of a state, oldest first. */
  async versions(flowId: string, sessionId: string): Promise<StateVersion[]> {
    return this.#core.calls.ask("stateVersions", { flow: flowId, session: sessionId });
  }

  /** Writes down a step of a task. `error` is a text, or anything that was thrown. Default: no error. */
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

  /** The steps of a task, oldest first; of one session, if it is named. */
  async steps(taskId: string, session?: string): Promise<StepLog[]> {
    return this.#core.calls.ask("taskSteps", { taskId, session });
  }
}

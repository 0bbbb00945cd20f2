// State: where a flow stands in a session, every version of it, and the steps of its tasks.

import type { Core } from "../core.js";
import type { Json } from "../types.js";

/** An app's own values: a JSON object. */
export type Variables = { [name: string]: Json };

/** How a task stands. */
export type TaskStatus = "pending" | "running" | "done" | "failed" | "blocked";

/** A task of a flow. */
export interface TaskState {
  /** Its id, unique within the flow. */
  id: string;
  /** What it is. */
  title?: string;
  /** How it stands. */
  status: TaskStatus;
  /** How far it is, from 0 to 1. */
  progress?: number;
  /** The tasks that have to be done before it. */
  dependsOn: string[];
  /** What went wrong. */
  error?: string;
}

/** A task that is still to be saved. */
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

/** What is to be saved of a flow. */
export interface FlowState<V extends object = Variables> {
  /** The app's own values. Default: none. */
  variables?: V | undefined;
  /** How the flow stands, in a word of the app's own. Default: none. */
  status?: string | undefined;
  /** Its tasks. Default: none. */
  tasks?: readonly TaskInput[] | undefined;
}

/** A state as it was saved. */
export interface StateSnapshot<V extends object = Variables> {
  /** The flow. */
  flow: string;
  /** The session. */
  session: string;
  /** Its number: 1 is the first. */
  version: number;
  /** The app's own values. */
  variables: V;
  /** How the flow stands, in a word of the app's own. */
  status?: string;
  /** Its tasks. */
  tasks: TaskState[];
  /** When it was saved, in ISO 8601. */
  savedAt: string;
}

/** A version of a state at a glance. */
export interface StateVersion {
  /** Its number. */
  version: number;
  /** When it was saved, in ISO 8601. */
  savedAt: string;
  /** How the flow stood. */
  status?: string;
}

/** A step of a task. */
export interface StepLog {
  /** Its number: later steps have higher ones. */
  n: number;
  /** The task. */
  taskId: string;
  /** What was done. */
  step: string;
  /** How it stands after it. */
  status: TaskStatus;
  /** What went wrong. */
  error?: string;
  /** When, in ISO 8601. */
  at: string;
  /** The flow. */
  flow?: string;
  /** The session. */
  session?: string;
}

/** Where a step of a task belongs. */
export interface TaskPlace {
  /** The flow. Default: none in particular. */
  flow?: string | undefined;
  /** The session, with which the step is deleted. Default: none in particular. */
  session?: string | undefined;
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
    return this.#core.calls.ask("getState", { flow: flowId, session: sessionId, version });
  }

  /**
   * Saves a state as the next version. An object that has none of `variables`, `status` and `tasks` is the variables.
   * With `expect` it is saved only on top of that version, 0 being none; otherwise it rejects with `conflict`.
   */
  async saveState<V extends object = Variables>(
    flowId: string,
    sessionId: string,
    state: FlowState<V> | V,
    options: { expect?: number | undefined } = {},
  ): Promise<StateSnapshot<V>> {
    return this.#core.write("saveState", { ...options, flow: flowId, session: sessionId, state });
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
    options: { expect?: number | undefined } = {},
  ): Promise<StateSnapshot<V>> {
    return this.saveState<V>(flowId, sessionId, state, options);
  }

  /** All versions of a state, oldest first. */
  async versions(flowId: string, sessionId: string): Promise<StateVersion[]> {
    return this.#core.calls.ask("stateVersions", { flow: flowId, session: sessionId });
  }

  /** Writes down a step of a task. Default: no error. */
  async logTaskStep(
    taskId: string,
    step: string,
    status: TaskStatus,
    error?: string | null,
    place: TaskPlace = {},
  ): Promise<StepLog> {
    return this.#core.write("logTaskStep", { ...place, taskId, step, status, error: error ?? undefined });
  }

  /** The steps of a task, oldest first; of one session, if it is named. */
  async steps(taskId: string, session?: string): Promise<StepLog[]> {
    return this.#core.calls.ask("taskSteps", { taskId, session });
  }
}

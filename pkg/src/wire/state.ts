// States of flows, and steps of tasks.

import type { OwnFields } from "./experience.js";
import type { Json, Metadata } from "./types.js";

/** The app's variables: a JSON object. */
export type Variables = { [name: string]: Json };

/** The status of a task: one of these, or a custom string. */
export type TaskStatus = "pending" | "running" | "done" | "failed" | "blocked" | (string & {});

/** A task of a flow, including custom fields. */
export interface TaskState extends OwnFields {
  /** The id, unique within the flow. */
  id: string;
  /** The title. */
  title?: string;
  /** The status. */
  status: TaskStatus;
  /** The progress, from 0 to 1. */
  progress?: number;
  /** The ids of the tasks that must be done first. */
  dependsOn: string[];
  /** The error message. */
  error?: string;
}

/** A saved state. */
export interface StateSnapshot<V extends object = Variables> {
  /** The name of the flow. */
  flow: string;
  /** The id of the session. */
  session: string;
  /** The version number, starting at 1. */
  version: number;
  /** The app's variables. */
  variables: V;
  /** The status of the flow, as a custom string. */
  status?: string;
  /** The tasks of the flow. */
  tasks: TaskState[];
  /** The time of the save, in ISO 8601. */
  savedAt: string;
  /** The app's metadata of this save. */
  metadata?: Metadata;
}

/** The properties of one version of a state. */
export interface StateVersion {
  /** The version number. */
  version: number;
  /** The time of the save, in ISO 8601. */
  savedAt: string;
  /** The status of the flow. */
  status?: string;
}

/** A step of a task. It has custom fields if it was written by `memory.write`. */
export interface StepLog extends OwnFields {
  /** The sequence number; later steps have higher numbers. */
  n: number;
  /** The id of the task. */
  taskId: string;
  /** A description of the step. */
  step: string;
  /** The status of the task after the step. */
  status: TaskStatus;
  /** The error message. */
  error?: string;
  /** The time of the step, in ISO 8601. */
  at: string;
  /** The name of the flow. */
  flow?: string;
  /** The id of the session. */
  session?: string;
  /** Custom data about the step. */
  metadata?: Metadata;
}

// States of flows, and steps of tasks.

import type { OwnFields } from "./experience.js";
import type { Json, Metadata } from "./types.js";

/** An app's own values: a JSON object. */
export type Variables = { [name: string]: Json };

/** How a task stands: one of these, or a word of the app's own. */
export type TaskStatus = "pending" | "running" | "done" | "failed" | "blocked" | (string & {});

/** A task of a flow, with fields of the app's own. */
export interface TaskState extends OwnFields {
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
  /** The app's metadata of this save. */
  metadata?: Metadata;
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

/** A step of a task, with fields of the app's own if it came through `memory.write`. */
export interface StepLog extends OwnFields {
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
  /** Data of the app's own about it. */
  metadata?: Metadata;
}

// Logged steps, their traces and their statistics.

import type { Json, Metadata, Trust } from "./types.js";

/** Common error types. Any other string is allowed; use the same string for the same kind of error. */
export const ErrorType = {
  /** The operation timed out. */
  TIMEOUT: "timeout",
  /** The service could not be reached. */
  NETWORK: "network",
  /** The rate limit was exceeded. */
  RATE_LIMIT: "rate_limit",
  /** Authentication or authorisation failed. */
  AUTH: "auth",
  /** The resource does not exist. */
  NOT_FOUND: "not_found",
  /** The input was invalid. */
  INVALID_INPUT: "invalid_input",
  /** The tool failed with an error of its own. */
  TOOL: "tool",
} as const;

/** The type of an error: one of `ErrorType`, or a custom string. */
export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType] | (string & {});

/** Custom fields in addition to the known ones: any JSON, at most 64 KB, returned unchanged. */
export interface OwnFields {
  [name: string]: unknown;
}

/** A stored step, including custom fields. */
export interface StepExperience extends OwnFields {
  /** The sequence number; later steps have higher numbers. */
  n: number;
  /** The time of the step, in ISO 8601. */
  at: string;
  /** The type of the task. */
  taskType: string;
  /** The name of the tool or node. */
  toolName: string;
  /** The input. */
  input?: Json;
  /** The output. */
  output?: Json;
  /** The error message. */
  error?: string;
  /** The type of the error. */
  errorType?: ErrorType;
  /** Whether the step succeeded. */
  success: boolean;
  /** The cost. */
  cost?: number;
  /** The duration in milliseconds. */
  latencyMs?: number;
  /** The id of the trace. Steps with the same id belong together. */
  traceId?: string;
  /** The id of the session. */
  session?: string;
  /** The name of the agent. */
  agent?: string;
  /** The name of the flow. */
  flow?: string;
  /** The node of the flow. */
  node?: string;
  /** The id of the skill that was followed. */
  skillId?: string;
  /** The trust in its output and its error. Absent: `"normal"`. */
  trust?: Trust;
  /** Custom data about the step. */
  metadata?: Metadata;
}

/** A trace: steps that belong together. */
export interface Trace {
  /** The trace's id. */
  id: string;
  /** The type of the task. */
  taskType: string;
  /** Whether the trace succeeded in the end. Errors that were recovered from do not count. */
  success: boolean;
  /** The time of the first step, in ISO 8601. */
  startedAt: string;
  /** The time of the last step, in ISO 8601. */
  endedAt: string;
  /** The steps, in order. */
  steps: StepExperience[];
  /** The total cost. */
  cost: number;
  /** The total duration in milliseconds. */
  latencyMs: number;
}

/** Statistics of one type of task. */
export interface TaskStats {
  /** The type of the task. */
  taskType: string;
  /** The number of steps. */
  steps: number;
  /** The number of failed steps. */
  failures: number;
  /** The share of successful steps, from 0 to 1. */
  successRate: number;
  /** The total cost. */
  cost: number;
  /** The average duration of a step in milliseconds, over the steps that have one. */
  latencyMs?: number;
}

/** Statistics of one tool in one type of task. */
export interface ToolStats extends TaskStats {
  /** The name of the tool. */
  toolName: string;
}

/** Statistics of all steps. */
export interface ExperienceStats {
  /** The number of steps. */
  steps: number;
  /** The number of failed steps. */
  failures: number;
  /** Statistics by type of task. */
  tasks: TaskStats[];
  /** Statistics by type of task and tool. */
  tools: ToolStats[];
}

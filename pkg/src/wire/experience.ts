// Steps that were logged, traces of them, and their counts.

import type { Json, Metadata } from "./types.js";

/** Words for what goes wrong. Any other word is as good: what counts is that the same thing has the same one. */
export const ErrorType = {
  /** It took too long. */
  TIMEOUT: "timeout",
  /** It could not be reached. */
  NETWORK: "network",
  /** Too much was asked of it. */
  RATE_LIMIT: "rate_limit",
  /** It does not know who asks, or does not let them. */
  AUTH: "auth",
  /** There is no such thing. */
  NOT_FOUND: "not_found",
  /** What went in was wrong. */
  INVALID_INPUT: "invalid_input",
  /** The tool failed in a way of its own. */
  TOOL: "tool",
} as const;

/** What went wrong, in one word: one of `ErrorType`, or a word of the app's own. */
export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType] | (string & {});

/** Fields of the app's own beside known ones: any JSON, at most 64 KB, which comes back as it was given. */
export interface OwnFields {
  [name: string]: unknown;
}

/** A step as it is kept, with fields of the app's own. */
export interface StepExperience extends OwnFields {
  /** Its number: later steps have higher ones. */
  n: number;
  /** When, in ISO 8601. */
  at: string;
  /** The kind of task. */
  taskType: string;
  /** The tool, or the node. */
  toolName: string;
  /** What went in. */
  input?: Json;
  /** What came out. */
  output?: Json;
  /** What went wrong. */
  error?: string;
  /** What went wrong, in one word. */
  errorType?: ErrorType;
  /** Whether it went well. */
  success: boolean;
  /** What it cost. */
  cost?: number;
  /** How many milliseconds it took. */
  latencyMs?: number;
  /** Which steps belong together. */
  traceId?: string;
  /** The session. */
  session?: string;
  /** The agent. */
  agent?: string;
  /** The flow. */
  flow?: string;
  /** The node of the flow. */
  node?: string;
  /** The skill that was followed. */
  skillId?: string;
  /** Data of the app's own about the step. */
  metadata?: Metadata;
}

/** Steps that belong together. */
export interface Trace {
  /** Its id. */
  id: string;
  /** The kind of task. */
  taskType: string;
  /** Whether it went well in the end: errors that were got over do not count. */
  success: boolean;
  /** When its first step was taken, in ISO 8601. */
  startedAt: string;
  /** When its last step was taken. */
  endedAt: string;
  /** The steps, in order. */
  steps: StepExperience[];
  /** What they cost together. */
  cost: number;
  /** How many milliseconds they took together. */
  latencyMs: number;
}

/** How steps of a kind of task went. */
export interface TaskStats {
  /** The kind of task. */
  taskType: string;
  /** How many steps. */
  steps: number;
  /** How many of them failed. */
  failures: number;
  /** In which part of them it went well, from 0 to 1. */
  successRate: number;
  /** What they cost together. */
  cost: number;
  /** How many milliseconds a step took on average, of those that say so. */
  latencyMs?: number;
}

/** How a tool did in a kind of task. */
export interface ToolStats extends TaskStats {
  /** The tool. */
  toolName: string;
}

/** How everything went. */
export interface ExperienceStats {
  /** How many steps. */
  steps: number;
  /** How many of them failed. */
  failures: number;
  /** By kind of task. */
  tasks: TaskStats[];
  /** By kind of task and tool. */
  tools: ToolStats[];
}

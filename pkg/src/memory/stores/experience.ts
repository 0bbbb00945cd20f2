// Experience: what was tried, with which tool, and how it went.

import { optionsIn } from "../../base/errors.js";
import type { Documented } from "../../wire/spelling.js";
import type { Json, Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import { inWords } from "./thrown.js";

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

/** What there is to say of a step. */
export interface StepData {
  /** The kind of task. */
  taskType: string;
  /** The tool, or the node. */
  toolName: string;
  /** What went in. What is longer than 16,000 characters is cut. Default: nothing. */
  input?: Json | undefined;
  /** What came out. What is longer than 16,000 characters is cut. Default: nothing. */
  output?: Json | undefined;
  /**
   * The error: a string, or an `Error`, of which the message is kept, and the code or the name as `errorType`.
   * Default: none.
   */
  error?: unknown;
  /** The error type, in one word. Default: the code or the name of an `Error`; otherwise none, and the text decides. */
  errorType?: ErrorType | undefined;
  /** Whether it went well. Default: if there is no error. */
  success?: boolean | undefined;
  /** What it cost, in a unit of the app's own. Default: not known. */
  cost?: number | undefined;
  /** How many milliseconds it took. Default: not known. */
  latencyMs?: number | undefined;
  /** Which steps belong together. Default: it stands alone. */
  traceId?: string | undefined;
  /** The skill that was followed; how it went counts for it. Default: none. */
  skillId?: string | undefined;
  /** Data of the app's own about the step. Default: none. */
  metadata?: Metadata | undefined;
}

/** Where a step was taken. */
export interface StepPlace {
  /** The session. Default: none in particular. */
  session?: string | undefined;
  /** The agent. Default: none in particular. */
  agent?: string | undefined;
  /** The flow. Default: none in particular. */
  flow?: string | undefined;
  /** The node of the flow. Default: none in particular. */
  node?: string | undefined;
}

/** Fields of the app's own beside known ones: any JSON, at most 64 KB, which comes back as it was given. */
export interface OwnFields {
  [name: string]: unknown;
}

/** Something that may have fields of the app's own. */
export type WithOwn<T> = T | (T & OwnFields);

/** A step that is still to be kept, in camelCase or by the documented names, with fields of the app's own. */
export type StepInput = WithOwn<StepData | Documented<StepData>>;

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

/** What one user's agents have been through. */
export class ExperienceMemory {
  readonly #core: Core;

  /** @internal Use `memory.experience`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Keeps a step. */
  async logStep(step: StepInput & StepPlace): Promise<StepExperience> {
    return this.#core.write("logStep", { ...inWords(optionsIn(step, "step")) });
  }

  /** Steps that failed, newest first. Default: of any kind of task, 50 of them. */
  async getFailures(taskType?: string | null, limit = 50): Promise<StepExperience[]> {
    return this.#core.calls.ask("getFailures", { taskType: taskType ?? undefined, limit });
  }

  /** Traces that went well in the end, newest first. Default: of any kind of task, 50 of them. */
  async getSuccessfulTraces(taskType?: string | null, limit = 50): Promise<Trace[]> {
    return this.#core.calls.ask("getSuccessfulTraces", { taskType: taskType ?? undefined, limit });
  }

  /** How steps went, by kind of task and by tool. Default: of any kind of task. */
  async stats(taskType?: string): Promise<ExperienceStats> {
    return this.#core.calls.ask("experienceStats", { taskType });
  }
}

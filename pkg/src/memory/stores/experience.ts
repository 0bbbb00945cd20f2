// Experience: executed steps, their tools, and their outcomes.

import { optionsIn } from "../../base/errors.js";
import type { ErrorType, ExperienceStats, OwnFields, StepExperience, Trace } from "../../wire/experience.js";
import type { Documented } from "../../wire/spelling.js";
import type { Json, Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import { inWords } from "./thrown.js";

/** The data of a step. */
export interface StepData {
  /** The task type. */
  taskType: string;
  /** The name of the tool or node. */
  toolName: string;
  /** The input, truncated to 16,000 characters. Default: none. */
  input?: Json | undefined;
  /** The output, truncated to 16,000 characters. Default: none. */
  output?: Json | undefined;
  /**
   * The error: a string, or an `Error`, whose message is stored, with its code or name as `errorType`. Default: none.
   */
  error?: unknown;
  /** The error type, in one word. Default: the code or name of an `Error`; otherwise inferred from the text. */
  errorType?: ErrorType | undefined;
  /** Whether the step succeeded. Default: `true` without an `error`. */
  success?: boolean | undefined;
  /** The cost, in a unit of the app. Default: unknown. */
  cost?: number | undefined;
  /** The duration in milliseconds. Default: unknown. */
  latencyMs?: number | undefined;
  /** The id of the trace that the step belongs to. Default: a trace of its own. */
  traceId?: string | undefined;
  /** The skill that the step followed; the outcome counts towards it. Default: none. */
  skillId?: string | undefined;
  /** The app's metadata. Default: none. */
  metadata?: Metadata | undefined;
}

/** The context of a step. */
export interface StepPlace {
  /** The session. Default: none. */
  session?: string | undefined;
  /** The agent. Default: none. */
  agent?: string | undefined;
  /** The flow. Default: none. */
  flow?: string | undefined;
  /** The node of the flow. Default: none. */
  node?: string | undefined;
}

/** `T`, with or without custom fields of the app. */
export type WithOwn<T> = T | (T & OwnFields);

/** A step to log, in camelCase or with the documented names, and with custom fields. */
export type StepInput = WithOwn<StepData | Documented<StepData>>;

/** The logged steps of one user's agents. */
export class ExperienceMemory {
  readonly #core: Core;

  /** @internal Use `memory.experience`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Logs a step and returns it as stored. */
  async logStep(step: StepInput & StepPlace): Promise<StepExperience> {
    return this.#core.write("logStep", { ...inWords(optionsIn(step, "step")) });
  }

  /** Returns failed steps, newest first. Default for `taskType`: any. Default for `limit`: 50. */
  async getFailures(taskType?: string | null, limit?: number): Promise<StepExperience[]> {
    return this.#core.calls.ask("getFailures", { taskType: taskType ?? undefined, limit });
  }

  /** Returns traces that ended in success, newest first. Default for `taskType`: any. Default for `limit`: 50. */
  async getSuccessfulTraces(taskType?: string | null, limit?: number): Promise<Trace[]> {
    return this.#core.calls.ask("getSuccessfulTraces", { taskType: taskType ?? undefined, limit });
  }

  /** Returns success statistics by task type and by tool. Default for `taskType`: any. */
  async stats(taskType?: string): Promise<ExperienceStats> {
    return this.#core.calls.ask("experienceStats", { taskType });
  }
}

// Experience: what was tried, with which tool, and how it went.

import { optionsIn } from "../../base/errors.js";
import type { ErrorType, ExperienceStats, OwnFields, StepExperience, Trace } from "../../wire/experience.js";
import type { Documented } from "../../wire/spelling.js";
import type { Json, Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import { inWords } from "./thrown.js";

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

/** Something that may have fields of the app's own. */
export type WithOwn<T> = T | (T & OwnFields);

/** A step that is still to be kept, in camelCase or by the documented names, with fields of the app's own. */
export type StepInput = WithOwn<StepData | Documented<StepData>>;

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
  async getFailures(taskType?: string | null, limit?: number): Promise<StepExperience[]> {
    return this.#core.calls.ask("getFailures", { taskType: taskType ?? undefined, limit });
  }

  /** Traces that went well in the end, newest first. Default: of any kind of task, 50 of them. */
  async getSuccessfulTraces(taskType?: string | null, limit?: number): Promise<Trace[]> {
    return this.#core.calls.ask("getSuccessfulTraces", { taskType: taskType ?? undefined, limit });
  }

  /** How steps went, by kind of task and by tool. Default: of any kind of task. */
  async stats(taskType?: string): Promise<ExperienceStats> {
    return this.#core.calls.ask("experienceStats", { taskType });
  }
}

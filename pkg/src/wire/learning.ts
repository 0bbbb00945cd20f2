// Results of learning.

import type { Trace } from "./experience.js";
import type { Skill } from "./procedural.js";

/** The result of learning. */
export interface Learned {
  /**
   * The number of traces examined. Without `extractSkill`, these are all traces of every type of task that has new
   * ones.
   */
  traces: number;
  /** The skills, including skills that were known before. */
  skills: Skill[];
  /** The guards, including guards that were known before. */
  guards: Skill[];
  /** The ids of learned skills that fail too often and are no longer offered. */
  demoted: string[];
}

/** The result of one step of the core. */
export interface LearnStep extends Learned {
  more: boolean;
}

/** Traces that have not been learned from yet. */
export interface UnlearnedTraces {
  taskType: string;
  upTo: number;
  traces: Trace[];
}

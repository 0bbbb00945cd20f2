// Results of learning.

import type { Trace } from "./experience.js";
import type { Skill } from "./procedural.js";

/** What was learned. */
export interface Learned {
  /** How many traces were looked at: all of a kind of task that there is news of, unless `extractSkill` learns. */
  traces: number;
  /** Ways to do something, those that were known before included. */
  skills: Skill[];
  /** What to heed, likewise. */
  guards: Skill[];
  /** The ids of learned skills that fail too often to be offered any longer. */
  demoted: string[];
}

/** One step of the core's. */
export interface LearnStep extends Learned {
  more: boolean;
}

/** Traces that nothing was learned from yet. */
export interface UnlearnedTraces {
  taskType: string;
  upTo: number;
  traces: Trace[];
}

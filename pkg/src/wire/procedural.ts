// Skills.

import type { OwnFields } from "./experience.js";
import type { Metadata } from "./types.js";

/** When a skill is of use, in words. */
export type UseWhen = string;

/** A step of a skill. It may have fields of the app's own, such as arguments. */
export interface ToolStep {
  /** The tool. */
  tool: string;
  /** What to do with it. Default: nothing in particular. */
  action?: string | undefined;
}

/** A skill as it is kept, with fields of the app's own. */
export interface Skill extends OwnFields {
  /** Its id. */
  id: string;
  /** How often it was written. */
  version: number;
  /** A way to do something, or something to heed. */
  kind: "sop" | "guard";
  /** The kind of task that it is for. */
  taskType?: string;
  /** When to use it; what to heed, if it is a guard. */
  use_when: UseWhen;
  /** The steps, in order. */
  tool_sops: (ToolStep & OwnFields)[];
  /** What else to mind. */
  preferences?: string;
  /** Whether it was learned from experience. */
  learned: boolean;
  /** How many traces show it, if it was learned. */
  support?: number;
  /** In which part of the traces that it fits it held, from 0 to 1, if it was learned. */
  confidence?: number;
  /** Some of the traces that it was learned from. */
  traces?: string[];
  /** How often it was used. */
  uses: number;
  /** How often that went well. */
  successes: number;
  /** In which part of its uses that went well, from 0 to 1; not there before the first. */
  successRate?: number;
  /** Whether it fails too often to be offered. */
  demoted: boolean;
  /** When it was first written, in ISO 8601. */
  createdAt: string;
  /** When it was last written. */
  updatedAt: string;
  /** Data of the app's own about the skill. */
  metadata?: Metadata;
}

/** A skill that was found. */
export interface FoundSkill extends Skill {
  /** How well it fits: higher is better. */
  score: number;
}

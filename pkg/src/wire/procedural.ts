// Skills.

import type { OwnFields } from "./experience.js";
import type { Metadata, Trust } from "./types.js";

/** A description of when a skill applies. */
export type UseWhen = string;

/** A step of a skill. It may have custom fields, such as arguments. */
export interface ToolStep {
  /** The name of the tool. */
  tool: string;
  /** The action to take with the tool. Default: none. */
  action?: string | undefined;
}

/** A stored skill, including custom fields. */
export interface Skill extends OwnFields {
  /** The skill's id. */
  id: string;
  /** The number of writes so far. */
  version: number;
  /** `"sop"`: a procedure to follow. `"guard"`: a warning to heed. */
  kind: "sop" | "guard";
  /** The type of task that the skill is for. */
  taskType?: string;
  /** When to use the skill; for a guard, the warning. */
  use_when: UseWhen;
  /** The steps, in order. */
  tool_sops: (ToolStep & OwnFields)[];
  /** Further preferences. */
  preferences?: string;
  /** Whether the skill was learned from experience. */
  learned: boolean;
  /** The number of traces that support a learned skill. */
  support?: number;
  /** The share of matching traces in which a learned skill held, from 0 to 1. */
  confidence?: number;
  /** The ids of some traces that the skill was learned from. */
  traces?: string[];
  /** The number of uses. */
  uses: number;
  /** The number of successful uses. */
  successes: number;
  /** The share of successful uses, from 0 to 1; omitted before the first use. */
  successRate?: number;
  /** Whether the skill fails too often and is no longer offered. */
  demoted: boolean;
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The time of the last write, in ISO 8601. */
  updatedAt: string;
  /** The lowest trust of the steps that it was learned from. A skill of low trust is in no prompt. Absent: `"normal"`. */
  trust?: Trust;
  /** Custom data about the skill. */
  metadata?: Metadata;
}

/** A search result. */
export interface FoundSkill extends Skill {
  /** The relevance; higher is better. */
  score: number;
}

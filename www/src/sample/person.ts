// The shape of a sample memory. Each language describes the same person in its own words.

import type { ProfileChanges, Relation } from "keepsake";

/** An entry, and its earlier text, if it was changed. */
export interface SampleEntry {
  id: string;
  content: string;
  tags: string[];
  importance: number;
  /** How many days ago it happened. */
  days: number;
  before?: string;
  trust?: "low" | "high";
}

/** A message and its answer, with the ids of the entries that the answer is based on. */
export type SampleTurn = readonly [user: string, assistant: string, ...rests: string[]];

/** A session. */
export interface SampleSession {
  id: string;
  title: string;
  days: number;
  turns: readonly SampleTurn[];
}

/** A person's memory. */
export interface Sample {
  profile: ProfileChanges;
  entries: readonly SampleEntry[];
  /** Long enough that its older half is compressed. */
  long: SampleSession;
  short: SampleSession;
  documents: readonly { id: string; title: string; content: string; tags: readonly string[] }[];
  skills: readonly { id: string; use: string; steps: readonly string[]; mind?: string }[];
  entities: readonly { name: string; type: string; observations: readonly string[] }[];
  relations: readonly Relation[];
  /** The error of an order that was sent without a stock check, and the fix. */
  outOfStock: string;
  /** The task of the experience. */
  task: string;
  files: readonly { path: string; text: string }[];
  decisions: readonly { title: string; decision: string; reason: string }[];
  focus: readonly string[];
  next: readonly string[];
}

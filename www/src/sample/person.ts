// What a sample memory is made of. Each language tells of the same person in its own words.

import type { ProfileChanges, Relation } from "keepsake";

/** An entry, and what it said before, if it was changed. */
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

/** What the user said and what was answered, with the ids of the entries that the answer rests on. */
export type SampleTurn = readonly [user: string, assistant: string, ...rests: string[]];

/** A conversation. */
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
  /** Long enough that its older half becomes a summary. */
  long: SampleSession;
  short: SampleSession;
  documents: readonly { id: string; title: string; content: string }[];
  skills: readonly { id: string; use: string; steps: readonly string[]; mind?: string }[];
  entities: readonly { name: string; type: string; observations: readonly string[] }[];
  relations: readonly Relation[];
  /** What went wrong when an order was sent without a look at the stock, and what it took then. */
  outOfStock: string;
  files: readonly { path: string; text: string }[];
  decisions: readonly { title: string; decision: string; reason: string }[];
  focus: readonly string[];
  next: readonly string[];
}

// Agents and their knowledge.

import type { DocumentEntry } from "./documents.js";

/** What the core answers to an activation. */
export interface Activation {
  agent: string;
  folder: string;
  definition: string;
  context: string;
  decisions: DocumentEntry[];
  frame: string;
  /** Of a member of a team: the team's context. */
  teamContext?: string;
  /** Of a member of a team: the team's newest decisions. */
  teamDecisions?: DocumentEntry[];
  /** Of a member of a team: the handoffs that wait for it. */
  handoffs?: DocumentEntry[];
}

/** A passage of an agent's `knowledge/` that was found. */
export interface FoundPassage {
  /** The file that it is from. */
  path: string;
  /** The headings that it stands under, the outermost first, with ` > ` between them; empty if there are none. */
  heading: string;
  /** The line where it begins, counted from 1. */
  line: number;
  /** The passage, as it stands in its file. */
  text: string;
  /** How well it fits: more is better. */
  score: number;
}

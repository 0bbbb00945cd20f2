// Types of agents and their knowledge.

import type { DocumentEntry } from "./documents.js";

/** The core's answer to an activation. */
export interface Activation {
  agent: string;
  folder: string;
  definition: string;
  context: string;
  decisions: DocumentEntry[];
  frame: string;
  /** The team's context, if the agent is a member of a team. */
  teamContext?: string;
  /** The team's newest decisions, if the agent is a member of a team. */
  teamDecisions?: DocumentEntry[];
  /** The handoffs that wait for the agent, if it is a member of a team. */
  handoffs?: DocumentEntry[];
}

/** A search result from an agent's `knowledge/` folder. */
export interface FoundPassage {
  /** The path of the passage's file. */
  path: string;
  /** The headings above the passage, outermost first, joined by ` > `; empty if there are none. */
  heading: string;
  /** The first line of the passage, counted from 1. */
  line: number;
  /** The passage, verbatim. */
  text: string;
  /** The relevance; higher is better. */
  score: number;
}

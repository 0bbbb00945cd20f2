// The six scopes of memory, and what each answers.

import type { DialogContext } from "./dialog.js";
import type { StepExperience, Trace } from "./experience.js";
import type { FoundSkill } from "./procedural.js";
import type { UserProfile } from "./profile.js";
import type { RetrievalResult } from "./semantic.js";
import type { StateSnapshot } from "./state.js";

/** The six kinds of memory. */
export const MemoryScope = {
  /** Conversations: messages, summaries, facts. */
  DIALOG: "dialog",
  /** Where a flow stands: variables, status, tasks. */
  STATE: "state",
  /** Knowledge: documents, facts, the graph. */
  SEMANTIC: "semantic",
  /** Skills: how something is done. */
  PROCEDURAL: "procedural",
  /** Who the user is and what they want. */
  PROFILE: "profile",
  /** What was tried, and how it went. */
  EXPERIENCE: "experience",
} as const;

/** A kind of memory: `MemoryScope.DIALOG`, or `"dialog"`. */
export type MemoryScope = (typeof MemoryScope)[keyof typeof MemoryScope];

/** What each scope answers. */
export interface MemoryPayloads {
  /** The conversation. */
  dialog: DialogContext;
  /** Where the flow stands; `null` if nothing was saved, or no flow was named. */
  state: {
    /** The latest version. */
    state: StateSnapshot | null;
  };
  /** What is known. */
  semantic: {
    /** Best first. */
    docs: RetrievalResult[];
  };
  /** How it is done. */
  procedural: {
    /** Best first. */
    skills: FoundSkill[];
  };
  /** The user. */
  profile: {
    /** `{}` if nothing is known. */
    profile: UserProfile;
  };
  /** What was tried. */
  experience: {
    /** Steps that failed, newest first. */
    failures: StepExperience[];
    /** Traces that went well in the end, newest first. */
    successes: Trace[];
  };
}

/** What was read of one scope. */
export type MemoryResultItem<S extends MemoryScope = MemoryScope> = {
  [K in S]: {
    /** The scope. */
    scope: K;
    /** What it answers. */
    payload: MemoryPayloads[K];
  };
}[S];

/** What became of a write. */
export interface MemoryWritten {
  /** Whether it was written. It was not if the policy of the flow or the agent says so. */
  written: boolean;
}

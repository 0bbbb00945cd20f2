// The six memory scopes and their payloads.

import type { Listed } from "../base/listed.js";
import type { DialogContext } from "./dialog.js";
import type { StepExperience, Trace } from "./experience.js";
import type { FoundSkill } from "./procedural.js";
import type { UserProfile } from "./profile.js";
import type { RetrievalResult } from "./semantic.js";
import type { StateSnapshot } from "./state.js";

/** The six memory scopes. */
export const MemoryScope = {
  /** Conversations: messages, summaries, facts. */
  DIALOG: "dialog",
  /** The state of a flow: variables, status, tasks. */
  STATE: "state",
  /** Knowledge: documents, facts, the graph. */
  SEMANTIC: "semantic",
  /** Skills: procedures for tasks. */
  PROCEDURAL: "procedural",
  /** The user's profile and preferences. */
  PROFILE: "profile",
  /** Past steps and their outcomes. */
  EXPERIENCE: "experience",
} as const;

/** A memory scope: `MemoryScope.DIALOG`, or `"dialog"`. */
export type MemoryScope = Listed<(typeof MemoryScope)[keyof typeof MemoryScope]>;

/** The payload of each scope. */
export interface MemoryPayloads {
  /** The conversation. */
  dialog: DialogContext;
  /** The state of the flow. */
  state: {
    /** The latest version; `null` if nothing was saved, or no flow was named. */
    state: StateSnapshot | null;
  };
  /** The knowledge. */
  semantic: {
    /** The documents, best first. */
    docs: RetrievalResult[];
  };
  /** The skills. */
  procedural: {
    /** The skills, best first. */
    skills: FoundSkill[];
  };
  /** The user's profile. */
  profile: {
    /** The profile; `{}` if it is empty. */
    profile: UserProfile;
  };
  /** The experience. */
  experience: {
    /** Failed steps, newest first. */
    failures: StepExperience[];
    /** Traces that succeeded in the end, newest first. */
    successes: Trace[];
  };
}

/** The result of reading one scope. */
export type MemoryResultItem<S extends MemoryScope = MemoryScope> = {
  [K in S]: {
    /** The scope. */
    scope: K;
    /** The payload of the scope. */
    payload: MemoryPayloads[K];
  };
}[S];

/** The result of a write. */
export interface MemoryWritten {
  /** Whether the data was written; false if the policy of the flow or the agent forbids it. */
  written: boolean;
}

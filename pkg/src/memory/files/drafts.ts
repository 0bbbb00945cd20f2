// What is still to be written: changes to documents, and entries of logs.

import type { EntryStatus } from "../../wire/documents.js";

/** A line of a list that is still to be written: its text, or more of it. One that was read is as good. */
export type ItemInput =
  | string
  | {
      /** What it says. */
      text: string;
      /** Whether it is ticked. Default: not, where it can be. */
      done?: boolean | undefined;
      /** The lines below it. Default: none. */
      details?: readonly string[] | undefined;
      /** Where it was, which does not matter. */
      line?: number | undefined;
    };

/** A row of a table that is still to be written, cell by cell. */
export type RowInput = readonly string[];

/** Parts of a `context.md` to be replaced. What is left out stays byte for byte. */
export interface ContextChanges {
  /** The day that it says it was last updated: `2025-12-31`. Default: as before. */
  updated?: string | undefined;
  /** What is being worked on. Default: as before. */
  activeFocus?: readonly ItemInput[] | undefined;
  /** Aspect, status and notes. Default: as before. */
  projectState?: readonly RowInput[] | undefined;
  /** File, state and notes. Default: as before. */
  keyFiles?: readonly RowInput[] | undefined;
  /** What is in the way. Default: as before. */
  blockers?: readonly ItemInput[] | undefined;
  /** What the next session should begin with. Default: as before. */
  nextSessionShould?: readonly ItemInput[] | undefined;
  /** Anything else. Default: as before. */
  notes?: readonly ItemInput[] | undefined;
}

/** Parts of a session's file to be replaced. What is left out stays byte for byte. */
export interface SessionChanges {
  /** The day of the session. Default: as before. */
  updated?: string | undefined;
  /** The session in short. Default: as before. */
  summary?: string | undefined;
  /** What was done. Default: as before. */
  tasksCompleted?: readonly ItemInput[] | undefined;
  /** File and change. Default: as before. */
  keyChanges?: readonly RowInput[] | undefined;
  /** What went wrong. Default: as before. */
  issues?: readonly ItemInput[] | undefined;
  /** What is left to do. Default: as before. */
  followUps?: readonly ItemInput[] | undefined;
}

/** Parts of the team's context to be replaced. What is left out stays byte for byte. */
export interface TeamContextChanges {
  /** The day that it says it was last updated. Default: as before. */
  updated?: string | undefined;
  /** Agent, status and current task. Default: as before. */
  teamStatus?: readonly RowInput[] | undefined;
  /** What is in the way. Default: as before. */
  blockers?: readonly ItemInput[] | undefined;
  /** What nobody knows yet. Default: as before. */
  openQuestions?: readonly ItemInput[] | undefined;
}

/** Changes to one of the documents that have parts. */
export type DocumentChanges = ContextChanges | SessionChanges | TeamContextChanges;

/** A decision to be written down. Texts may be paragraphs or lists. */
export interface DecisionInput {
  /** The day it was made, `2025-12-31`. Default: today, in UTC. */
  date?: string | undefined;
  /** What it is called. */
  title: string;
  /** Why the question came up. Default: left out. */
  context?: string | undefined;
  /** What was decided. Default: left out. */
  decision?: string | undefined;
  /** Why. Default: left out. */
  reason?: string | undefined;
  /** What else was considered. Default: left out. */
  alternatives?: string | undefined;
  /** What follows from it. Default: left out. */
  impact?: string | undefined;
  /** Whether it can be taken back: `Yes`, `No - the data is gone`. Default: left out. */
  reversible?: string | undefined;
}

/** A pattern that was learned. */
export interface LearningInput {
  /** The day it was learned, `2025-12-31`. Default: today, in UTC. */
  date?: string | undefined;
  /** What it is called. */
  title: string;
  /** The pattern. Default: left out. */
  pattern?: string | undefined;
  /** What the code is written in. Default: not said. */
  language?: string | undefined;
  /**
   * An example, without a fence; Markdown that has fenced blocks of its own stays as it is, unless `language` is said.
   * Default: left out.
   */
  code?: string | undefined;
  /** Why it works. Default: left out. */
  why?: string | undefined;
}

/** Something that went wrong in a session. */
export interface IssueInput {
  /** What it is called. */
  title: string;
  /** What went wrong. Default: left out. */
  problem?: string | undefined;
  /** How it was solved. Default: left out. */
  solution?: string | undefined;
}

/** A session that was complex enough to be kept in a file of its own. */
export interface ArchiveInput {
  /** The session in short. Default: left empty. */
  summary?: string | undefined;
  /** What was done. Default: nothing. */
  tasksCompleted?: readonly string[] | undefined;
  /** File and change. Default: none. */
  keyChanges?: readonly (readonly [file: string, change: string])[] | undefined;
  /** What went wrong. Default: nothing. */
  issues?: readonly IssueInput[] | undefined;
  /** What is left to do. Default: nothing. */
  followUps?: readonly (string | { text: string; done?: boolean | undefined })[] | undefined;
}

/** What a session leaves behind. What is left out changes nothing. */
export interface SessionEndInput {
  /** The day, `2025-12-31`, which the context then says that it was last updated. Default: today, in UTC. */
  date?: string | undefined;
  /** The context as it is now: the whole file, or the parts of it that changed. Default: as before but for its date. */
  context?: string | ContextChanges | undefined;
  /** What was decided. Default: nothing. */
  decisions?: readonly DecisionInput[] | undefined;
  /** What was learned. Default: nothing. */
  learnings?: readonly LearningInput[] | undefined;
  /** The session itself, in a file of its own. Default: none. */
  archive?: ArchiveInput | undefined;
}

/** Work that one agent gives to another. */
export interface HandoffInput {
  /** Who gives it. */
  fromAgent: string;
  /** Who gets it: an agent that has files here. */
  toAgent: string;
  /** What is to be done. */
  task: string;
  /** What one has to know for it. */
  context: string;
  /** What is to come of it. */
  expectedDeliverable: string;
  /** When, `2025-12-31 10:30`. Default: now, in UTC. */
  timestamp?: string | undefined;
  /** The files that it is about, as Markdown. Default: left out. */
  files?: string | undefined;
  /** How soon. Default: left out. */
  priority?: string | undefined;
}

/** Something that is in the way of a team. */
export interface BlockerInput {
  /** What it is called. */
  title: string;
  /** Who found it. Default: left out. */
  identifiedBy?: string | undefined;
  /** When. Default: left out. */
  identifiedAt?: string | undefined;
  /** What it is in the way of. Default: left out. */
  blocking?: string | undefined;
  /** What it is. Default: left out. */
  description?: string | undefined;
  /** What could be done. Default: left out. */
  proposed?: string | undefined;
  /** Who sees to it. Default: left out. */
  owner?: string | undefined;
}

/** A task that the lead of a team gives out. */
export interface DispatchInput {
  /** The task's title. */
  task: string;
  /** The day, `2025-12-31`. Default: today, in UTC. */
  date?: string | undefined;
  /** The time of day at which it was received, `10:30`. Default: now, in UTC. */
  received?: string | undefined;
  /** The status. Default: `"pending"`. */
  status?: EntryStatus | undefined;
  /** The subtasks and their assignees, in order. Default: no plan yet. */
  plan?:
    | readonly {
        /** The assignee. */
        specialist: string;
        /** The work to do. */
        subtask: string;
        /** The status. Default: `"pending"`. */
        status?: EntryStatus | undefined;
        /** The duration. Default: none. */
        duration?: string | undefined;
      }[]
    | undefined;
}

/** Which handoffs are asked for. */
export interface HandoffFilter {
  /** Only to this agent. Default: to any. */
  to?: string | undefined;
  /** Only those that stand like this. Default: all. */
  status?: EntryStatus | undefined;
}

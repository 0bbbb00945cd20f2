// Inputs of writes: changes to documents, and log entries.

import type { EntryStatus } from "../../wire/documents.js";

/** A list item to write: its text, or an object. Items returned by `parse` are valid as well. */
export type ItemInput =
  | string
  | {
      /** The item's text. */
      text: string;
      /** Whether the checkbox is ticked. Default: unticked, in lists with checkboxes. */
      done?: boolean | undefined;
      /** The lines below the item. Default: none. */
      details?: readonly string[] | undefined;
      /** The line that the item was read from. Ignored. Default: none. */
      line?: number | undefined;
    };

/** A table row to write, as an array of cells. */
export type RowInput = readonly string[];

/** Parts of a `context.md` to replace. Omitted parts stay byte for byte. */
export interface ContextChanges {
  /** The "last updated" date, `2025-12-31`. Default: unchanged. */
  updated?: string | undefined;
  /** The current work. Default: unchanged. */
  activeFocus?: readonly ItemInput[] | undefined;
  /** Rows of aspect, status and notes. Default: unchanged. */
  projectState?: readonly RowInput[] | undefined;
  /** Rows of file, state and notes. Default: unchanged. */
  keyFiles?: readonly RowInput[] | undefined;
  /** The blockers. Default: unchanged. */
  blockers?: readonly ItemInput[] | undefined;
  /** The first tasks of the next session. Default: unchanged. */
  nextSessionShould?: readonly ItemInput[] | undefined;
  /** Other notes. Default: unchanged. */
  notes?: readonly ItemInput[] | undefined;
}

/** Parts of a session file to replace. Omitted parts stay byte for byte. */
export interface SessionChanges {
  /** The day of the session. Default: unchanged. */
  updated?: string | undefined;
  /** The session's summary. Default: unchanged. */
  summary?: string | undefined;
  /** The completed tasks. Default: unchanged. */
  tasksCompleted?: readonly ItemInput[] | undefined;
  /** Rows of file and change. Default: unchanged. */
  keyChanges?: readonly RowInput[] | undefined;
  /** The issues. Default: unchanged. */
  issues?: readonly ItemInput[] | undefined;
  /** The remaining tasks. Default: unchanged. */
  followUps?: readonly ItemInput[] | undefined;
}

/** Parts of the team's context to replace. Omitted parts stay byte for byte. */
export interface TeamContextChanges {
  /** The "last updated" date. Default: unchanged. */
  updated?: string | undefined;
  /** Rows of agent, status and current task. Default: unchanged. */
  teamStatus?: readonly RowInput[] | undefined;
  /** The blockers. Default: unchanged. */
  blockers?: readonly ItemInput[] | undefined;
  /** The open questions. Default: unchanged. */
  openQuestions?: readonly ItemInput[] | undefined;
}

/** Changes to a document with parts: a context, session or team context file. */
export type DocumentChanges = ContextChanges | SessionChanges | TeamContextChanges;

/** A decision to record. Strings may be paragraphs or lists. */
export interface DecisionInput {
  /** The day of the decision, `2025-12-31`. Default: today, in UTC. */
  date?: string | undefined;
  /** The title. */
  title: string;
  /** Why the question came up. Default: omitted. */
  context?: string | undefined;
  /** The decision. Default: omitted. */
  decision?: string | undefined;
  /** The reason. Default: omitted. */
  reason?: string | undefined;
  /** The alternatives considered. Default: omitted. */
  alternatives?: string | undefined;
  /** The consequences. Default: omitted. */
  impact?: string | undefined;
  /** Whether the decision can be reversed: `Yes`, `No - the data is gone`. Default: omitted. */
  reversible?: string | undefined;
}

/** A learned pattern to record. */
export interface LearningInput {
  /** The day it was learned, `2025-12-31`. Default: today, in UTC. */
  date?: string | undefined;
  /** The title. */
  title: string;
  /** The pattern. Default: omitted. */
  pattern?: string | undefined;
  /** The programming language of `code`. Default: none. */
  language?: string | undefined;
  /**
   * An example, without a code fence. Markdown that already has fenced blocks is written unchanged, unless `language` is
   * given. Default: omitted.
   */
  code?: string | undefined;
  /** Why the pattern works. Default: omitted. */
  why?: string | undefined;
}

/** An issue of a session. */
export interface IssueInput {
  /** The title. */
  title: string;
  /** The problem. Default: omitted. */
  problem?: string | undefined;
  /** The solution. Default: omitted. */
  solution?: string | undefined;
}

/** The archive of a complex session, written to its own file. */
export interface ArchiveInput {
  /** The session's summary. Default: empty. */
  summary?: string | undefined;
  /** The completed tasks. Default: none. */
  tasksCompleted?: readonly string[] | undefined;
  /** Rows of file and change. Default: none. */
  keyChanges?: readonly (readonly [file: string, change: string])[] | undefined;
  /** The issues. Default: none. */
  issues?: readonly IssueInput[] | undefined;
  /** The remaining tasks. Default: none. */
  followUps?:
    | readonly (
        | string
        | {
            text: string;
            /** Whether it is done. Default: `false`. */
            done?: boolean | undefined;
          }
      )[]
    | undefined;
}

/** The results of a session. Omitted fields change nothing. */
export interface SessionEndInput {
  /** The day, `2025-12-31`; it becomes the "last updated" date of the context. Default: today, in UTC. */
  date?: string | undefined;
  /** The new context: the full file, or its changed parts. Default: unchanged except for the date. */
  context?: string | ContextChanges | undefined;
  /** The decisions made. Default: none. */
  decisions?: readonly DecisionInput[] | undefined;
  /** The patterns learned. Default: none. */
  learnings?: readonly LearningInput[] | undefined;
  /** The archive of the session, in its own file. Default: none. */
  archive?: ArchiveInput | undefined;
}

/** A handoff of work from one agent to another. */
export interface HandoffInput {
  /** The sender. */
  fromAgent: string;
  /** The receiver: an agent with files here. */
  toAgent: string;
  /** The task. */
  task: string;
  /** The background information for the task. */
  context: string;
  /** The expected result. */
  expectedDeliverable: string;
  /** The time, `2025-12-31 10:30`. Default: now, in UTC. */
  timestamp?: string | undefined;
  /** The relevant files, as Markdown. Default: omitted. */
  files?: string | undefined;
  /** The priority. Default: omitted. */
  priority?: string | undefined;
}

/** A blocker of a team. */
export interface BlockerInput {
  /** The title. */
  title: string;
  /** The agent or person that found it. Default: omitted. */
  identifiedBy?: string | undefined;
  /** When it was found. Default: omitted. */
  identifiedAt?: string | undefined;
  /** The blocked work. Default: omitted. */
  blocking?: string | undefined;
  /** The description. Default: omitted. */
  description?: string | undefined;
  /** The proposed solution. Default: omitted. */
  proposed?: string | undefined;
  /** The owner. Default: omitted. */
  owner?: string | undefined;
}

/** A task dispatched by the lead of a team. */
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

/** A filter for handoffs. */
export interface HandoffFilter {
  /** Only handoffs to this agent. Default: to any agent. */
  to?: string | undefined;
  /** Only handoffs with this status. Default: any status. */
  status?: EntryStatus | undefined;
}

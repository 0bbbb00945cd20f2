// Parsed Markdown files in their specified formats.

/** A section of a file. */
export interface DocumentSection {
  /** The heading, verbatim. */
  title: string;
  /** The heading level: 1 for `#`. */
  level: number;
  /** The line of the heading, counted from 1. */
  line: number;
  /** The name of the specified part that the section is, such as `activeFocus`. */
  part?: string;
  /** The text below the heading. */
  text: string;
}

/** A list item. */
export interface DocumentItem {
  /** The text of the item. */
  text: string;
  /** The line of the item, counted from 1. */
  line: number;
  /** Whether the checkbox is ticked; omitted if there is no checkbox. */
  done?: boolean;
  /** The lines below the item. */
  details?: string[];
}

/** A table row. */
export type DocumentRow = string[];

/** The parts of an agent's current context, `context.md`. Missing parts are omitted. */
export interface ContextParts {
  /** The current work. */
  activeFocus?: DocumentItem[];
  /** Rows of aspect, status and notes. */
  projectState?: DocumentRow[];
  /** Rows of file, state and notes. */
  keyFiles?: DocumentRow[];
  /** The current blockers. */
  blockers?: DocumentItem[];
  /** Tasks to begin the next session with. */
  nextSessionShould?: DocumentItem[];
  /** Other notes. */
  notes?: DocumentItem[];
}

/** The parts of a session report, such as `sessions/2025-12-31.md`. Missing parts are omitted. */
export interface SessionParts {
  /** A summary of the session. */
  summary?: string;
  /** The completed tasks. */
  tasksCompleted?: DocumentItem[];
  /** Rows of file and change. */
  keyChanges?: DocumentRow[];
  /** Problems and their solutions. */
  issues?: DocumentItem[];
  /** The remaining tasks. */
  followUps?: DocumentItem[];
}

/** The parts of a team's current context, `team-memory/context.md`. Missing parts are omitted. */
export interface TeamContextParts {
  /** Rows of agent, status and current task. */
  teamStatus?: DocumentRow[];
  /** The current blockers. */
  blockers?: DocumentItem[];
  /** The open questions. */
  openQuestions?: DocumentItem[];
}

/** The known fields of an entry, as Markdown. */
export interface EntryFields {
  /** Decision: why the question came up. */
  context?: string;
  /** Decision: the decision itself. */
  decision?: string;
  /** Decision: the reason. */
  reason?: string;
  /** Decision: the alternatives considered. */
  alternatives?: string;
  /** Decision: the consequences. */
  impact?: string;
  /** Decision: whether it can be reversed. */
  reversible?: string;
  /** Learning: the pattern. */
  pattern?: string;
  /** Learning: the language of the code example, if its fence names one. */
  language?: string;
  /** Learning: a code example without its fence. Together with `language`, it round-trips unchanged. */
  code?: string;
  /** Learning: why the pattern works. */
  why?: string;
  /** Handoff: the task. */
  task?: string;
  /** Handoff: the background that the task requires. */
  contextProvided?: string;
  /** Handoff: the files involved. */
  filesInvolved?: string;
  /** Handoff: the expected result. */
  expectedDeliverable?: string;
  /** Handoff: the priority. */
  priority?: string;
  /** Handoff or blocker: the status, verbatim. */
  status?: string;
  /** Handoff: the result. */
  result?: string;
  /** Blocker: who identified it. */
  identifiedBy?: string;
  /** Blocker: when it was identified. */
  identifiedAt?: string;
  /** Blocker: the work that it blocks. */
  blocking?: string;
  /** Blocker: the description. */
  description?: string;
  /** Blocker: the proposed solution. */
  proposed?: string;
  /** Blocker: who is responsible for it. */
  owner?: string;
  /** Blocker: who resolved it. */
  resolvedBy?: string;
  /** Blocker: how it was resolved. */
  resolution?: string;
}

/** The status of a handoff or a blocker. */
export type EntryStatus = "pending" | "inProgress" | "complete" | "blocked";

/** An entry of a log file: a decision, a learning, a handoff or a blocker. */
export interface DocumentEntry {
  /** The heading, verbatim. It identifies a handoff or a blocker. */
  heading: string;
  /** The line of the heading, counted from 1. */
  line: number;
  /** The date in the heading, if it is a valid one. */
  date?: string;
  /** The time of day in the heading, if any. */
  time?: string;
  /** The heading without date and time. */
  title: string;
  /** The status of a handoff or a blocker, if given. */
  status?: EntryStatus;
  /** The sender of a handoff. */
  from?: string;
  /** The recipient of a handoff. */
  to?: string;
  /** The fields of the entry. */
  fields: EntryFields;
}

/** A search result. */
export interface FoundEntry extends DocumentEntry {
  /** The relevance; higher is better. */
  score: number;
  /** The whole entry, as Markdown. */
  text: string;
}

/** A subtask of a dispatched task, and its assignee. */
export interface DispatchedSubtask {
  /** The assignee. */
  specialist: string;
  /** The work to do. */
  subtask: string;
  /** The status, if given. */
  status?: EntryStatus;
  /** The duration, verbatim. */
  duration?: string;
}

/** A task in the dispatch log of a team's lead. */
export interface Dispatch {
  /** The title of the task. */
  task: string;
  /** The line of the heading, counted from 1. */
  line: number;
  /** The date that the task is listed under. */
  date?: string;
  /** The time of day when the task was received. */
  received?: string;
  /** The status, if given. */
  status?: EntryStatus;
  /** The subtasks and their assignees, in order. */
  plan: DispatchedSubtask[];
  /** The findings, as Markdown. */
  findings?: string;
}

/** Fields that every parsed file has. */
export interface DocumentBase {
  /** The date of the last update, if given. */
  updated?: string;
  /** All sections, in order. */
  sections: DocumentSection[];
}

/** A `context.md` file. */
export interface ContextDocument extends DocumentBase {
  /** The kind of file. */
  kind: "context";
  /** The specified parts. */
  parts: ContextParts;
}

/** A file in `sessions/`. */
export interface SessionDocument extends DocumentBase {
  /** The kind of file. */
  kind: "session";
  /** The specified parts. */
  parts: SessionParts;
}

/** A team's `context.md` file. */
export interface TeamContextDocument extends DocumentBase {
  /** The kind of file. */
  kind: "teamContext";
  /** The specified parts. */
  parts: TeamContextParts;
}

/** A log file: a list of entries. */
export interface LogDocument extends DocumentBase {
  /** The kind of file. */
  kind: "decisions" | "learnings" | "teamDecisions" | "handoffs" | "blockers";
  /** The entries, in file order. */
  entries: DocumentEntry[];
}

/** The dispatch log of a team's lead. */
export interface DispatchLogDocument extends DocumentBase {
  /** The kind of file. */
  kind: "dispatchLog";
  /** The tasks, in file order. */
  dispatches: Dispatch[];
}

/** Any other file. */
export interface OtherDocument extends DocumentBase {
  /** The kind of file: none of the specified ones. */
  kind: "other";
}

/** A parsed file. `kind` discriminates the union. */
export type MemoryDocument =
  | ContextDocument
  | SessionDocument
  | TeamContextDocument
  | LogDocument
  | DispatchLogDocument
  | OtherDocument;

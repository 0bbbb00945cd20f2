// Markdown files in the documented shapes, parsed.

/** A section of a file. */
export interface DocumentSection {
  /** Its heading, as it was written. */
  title: string;
  /** How deep it is: 1 for `#`. */
  level: number;
  /** The line of its heading, counted from 1. */
  line: number;
  /** The part of the documented shape that it is, such as `activeFocus`. */
  part?: string;
  /** What stands below the heading. */
  text: string;
}

/** A line of a list. */
export interface DocumentItem {
  /** What it says. */
  text: string;
  /** Where it is, counted from 1. */
  line: number;
  /** Whether it is ticked, if it can be. */
  done?: boolean;
  /** The lines below it. */
  details?: string[];
}

/** A row of a table. */
export type DocumentRow = string[];

/** What an agent is at: `context.md`. Only the parts that are there. */
export interface ContextParts {
  /** What is being worked on. */
  activeFocus?: DocumentItem[];
  /** Aspect, status and notes. */
  projectState?: DocumentRow[];
  /** File, state and notes. */
  keyFiles?: DocumentRow[];
  /** What is in the way. */
  blockers?: DocumentItem[];
  /** What the next session should begin with. */
  nextSessionShould?: DocumentItem[];
  /** Anything else. */
  notes?: DocumentItem[];
}

/** What happened in a session: `sessions/2025-12-31.md`. Only the parts that are there. */
export interface SessionParts {
  /** The session in short. */
  summary?: string;
  /** What was done. */
  tasksCompleted?: DocumentItem[];
  /** File and change. */
  keyChanges?: DocumentRow[];
  /** What went wrong, and how it was solved. */
  issues?: DocumentItem[];
  /** What is left to do. */
  followUps?: DocumentItem[];
}

/** What a team is at: `team-memory/context.md`. Only the parts that are there. */
export interface TeamContextParts {
  /** Agent, status and current task. */
  teamStatus?: DocumentRow[];
  /** What is in the way. */
  blockers?: DocumentItem[];
  /** What nobody knows yet. */
  openQuestions?: DocumentItem[];
}

/** What the known fields of an entry say, as Markdown. */
export interface EntryFields {
  /** Of a decision: why the question came up. */
  context?: string;
  /** Of a decision: what was decided. */
  decision?: string;
  /** Of a decision: why. */
  reason?: string;
  /** Of a decision: what else was considered. */
  alternatives?: string;
  /** Of a decision: what follows from it. */
  impact?: string;
  /** Of a decision: whether it can be taken back. */
  reversible?: string;
  /** Of a learning: the pattern. */
  pattern?: string;
  /** Of a learning: what the example is written in, if its fence says so. */
  language?: string;
  /** Of a learning: an example, without its fence. Written again with its `language`, it reads the same. */
  code?: string;
  /** Of a learning: why it works. */
  why?: string;
  /** Of a handoff: what is to be done. */
  task?: string;
  /** Of a handoff: what one has to know for it. */
  contextProvided?: string;
  /** Of a handoff: the files that it is about. */
  filesInvolved?: string;
  /** Of a handoff: what is to come of it. */
  expectedDeliverable?: string;
  /** Of a handoff: how soon. */
  priority?: string;
  /** Of a handoff or a blocker: how it stands, as it was written. */
  status?: string;
  /** Of a handoff: what came of it. */
  result?: string;
  /** Of a blocker: who found it. */
  identifiedBy?: string;
  /** Of a blocker: when. */
  identifiedAt?: string;
  /** Of a blocker: what it is in the way of. */
  blocking?: string;
  /** Of a blocker: what it is. */
  description?: string;
  /** Of a blocker: what could be done. */
  proposed?: string;
  /** Of a blocker: who sees to it. */
  owner?: string;
  /** Of a blocker: who solved it. */
  resolvedBy?: string;
  /** Of a blocker: how. */
  resolution?: string;
}

/** How a handoff or a blocker stands. */
export type EntryStatus = "pending" | "inProgress" | "complete" | "blocked";

/** An entry of a log: a decision, a learning, a handoff or a blocker. */
export interface DocumentEntry {
  /** Its heading, as it was written. What a handoff or a blocker is known by. */
  heading: string;
  /** The line of the heading, counted from 1. */
  line: number;
  /** The day, if the heading names one that exists. */
  date?: string;
  /** The time of day, if the heading has one. */
  time?: string;
  /** The heading without date and time. */
  title: string;
  /** How a handoff or a blocker stands, if it says so. */
  status?: EntryStatus;
  /** Who gives a handoff. */
  from?: string;
  /** Who gets it. */
  to?: string;
  /** What it says. */
  fields: EntryFields;
}

/** An entry that was found. */
export interface FoundEntry extends DocumentEntry {
  /** How well it fits: more is better. */
  score: number;
  /** The whole entry, as Markdown. */
  text: string;
}

/** A part of a dispatched task, and its assignee. */
export interface DispatchedSubtask {
  /** The assignee. */
  specialist: string;
  /** The work to do. */
  subtask: string;
  /** The status, if written. */
  status?: EntryStatus;
  /** The duration, as written. */
  duration?: string;
}

/** A task in the dispatch log of a team's lead. */
export interface Dispatch {
  /** The task's title. */
  task: string;
  /** The line of its heading, counted from 1. */
  line: number;
  /** The day that it stands under. */
  date?: string;
  /** The time of day at which it was received. */
  received?: string;
  /** The status, if written. */
  status?: EntryStatus;
  /** The subtasks and their assignees, in order. */
  plan: DispatchedSubtask[];
  /** The findings, as Markdown. */
  findings?: string;
}

export interface DocumentBase {
  /** The day it was last updated, if it says so. */
  updated?: string;
  /** All sections, in order. */
  sections: DocumentSection[];
}

/** A `context.md`. */
export interface ContextDocument extends DocumentBase {
  /** Which file it is. */
  kind: "context";
  /** Its documented parts. */
  parts: ContextParts;
}

/** A file of `sessions/`. */
export interface SessionDocument extends DocumentBase {
  /** Which file it is. */
  kind: "session";
  /** Its documented parts. */
  parts: SessionParts;
}

/** The team's context. */
export interface TeamContextDocument extends DocumentBase {
  /** Which file it is. */
  kind: "teamContext";
  /** Its documented parts. */
  parts: TeamContextParts;
}

/** A file that is a list of entries. */
export interface LogDocument extends DocumentBase {
  /** Which file it is. */
  kind: "decisions" | "learnings" | "teamDecisions" | "handoffs" | "blockers";
  /** In the order of the file. */
  entries: DocumentEntry[];
}

/** The dispatch log of a team's lead. */
export interface DispatchLogDocument extends DocumentBase {
  /** Which file it is. */
  kind: "dispatchLog";
  /** In the order of the file. */
  dispatches: Dispatch[];
}

/** Any other file. */
export interface OtherDocument extends DocumentBase {
  /** None of the documented ones. */
  kind: "other";
}

/** What a file says. `kind` tells what else there is. */
export type MemoryDocument =
  | ContextDocument
  | SessionDocument
  | TeamContextDocument
  | LogDocument
  | DispatchLogDocument
  | OtherDocument;

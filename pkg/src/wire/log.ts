// The log and its verification.

/** The kind of damage to a log or an export. */
export type LogDamage =
  /** The data differs from the data written. */
  | "changed"
  /** Data that was written is missing. */
  | "missing"
  /** Lines are out of order. */
  | "swapped"
  /** A line is duplicated. */
  | "doubled"
  /** Lines at the end are missing. */
  | "cut-off"
  /** A line does not belong to this export. */
  | "added"
  /** The log has no such link: the line was changed, or comes from another log. */
  | "not-in-log"
  /** All lines are intact, but an export without a header does not say where it ends. */
  | "end-unknown";

/** The result of verifying the hash chain of the log. */
export interface LogVerdict {
  /** Whether every link follows from the previous one. */
  ok: boolean;
  /** The number of links verified before the first problem. */
  links: number;
  /** The sequence number of the first damaged link; 0 if it is unknown. */
  seq?: number;
  /** The kind of damage. */
  damage?: LogDamage;
  /** A description of the problem. */
  problem?: string;
}

/** The result of verifying that an export is unchanged and complete. */
export interface LogCheck extends LogVerdict {
  /** The first damaged line, counted from 1; one past the last line if the end is missing. */
  line?: number;
}

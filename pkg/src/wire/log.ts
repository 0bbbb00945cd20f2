// The log and its checks.

/** How a log or an export is damaged. */
export type LogDamage =
  /** It is not as it was written. */
  | "changed"
  /** Something that was written is not there. */
  | "missing"
  /** Lines are out of order. */
  | "swapped"
  /** A line is there twice. */
  | "doubled"
  /** Lines at the end are not there. */
  | "cut-off"
  /** A line does not belong to this export. */
  | "added"
  /** The log has no such link: the line was changed, or comes from another log. */
  | "not-in-log"
  /** Everything that is there is intact, but an export without a header does not tell where it ends. */
  | "end-unknown";

/** Whether every link of the chain follows from the one before. */
export interface LogVerdict {
  /** Whether it does. */
  ok: boolean;
  /** How many links were verified before the first problem. */
  links: number;
  /** The sequence number of the first link with a problem; 0 if it is unknown. */
  seq?: number;
  /** The kind of damage. */
  damage?: LogDamage;
  /** The problem, in a sentence. */
  problem?: string;
}

/** Whether an export is as it was made, and complete. */
export interface LogCheck extends LogVerdict {
  /** The first line that is damaged, counted from 1; one past the last if the end is missing. */
  line?: number;
}

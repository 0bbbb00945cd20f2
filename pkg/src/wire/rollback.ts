// Rollback of what came from a source, a session or a time.

import type { Time } from "./types.js";

/** The origin of what is taken back: exactly one of `source`, `session` and `since`. */
export interface RollbackOptions {
  /** Everything from this source. Default: any source. */
  source?: string | undefined;
  /** Everything from this session, with the session itself. Default: any session. */
  session?: string | undefined;
  /** Everything written at this time or later. Default: at any time. */
  since?: Time | undefined;
  /** Whether only to return what would be changed. Default: `false`. */
  preview?: boolean | undefined;
}

/** A thing that a rollback removes or restores. */
export interface RolledBack {
  /** The kind. */
  kind: "entry" | "session" | "history" | "step" | "skill";
  /** The id, the name of the history, or the number of the step. */
  id: string;
  /** The session of a history. */
  session?: string;
}

/** The result of a rollback, or of its preview. */
export interface Rollback {
  /** The removed things. */
  removed: RolledBack[];
  /** The entries that are valid again, or are set back to an earlier version. */
  restored: RolledBack[];
}

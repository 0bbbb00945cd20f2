// Verification and repair of all stored data.

import type { WatchOptions } from "./progress.js";

/** Options of a verification. */
export interface VerifyOptions extends WatchOptions {
  /** Whether to rebuild derived data and to drop records that are lost. Default: `false`, nothing is changed. */
  repair?: boolean | undefined;
}

/** A stored record that is damaged. */
export interface StoredProblem {
  /** The kind of record: `entry`, `message`, `session`, `file`, `value`, `index`, `log` … */
  kind: string;
  /** The id, path, key or position of the record; empty if there is only one of its kind. */
  name: string;
  /** The id of the session that the record belongs to. */
  session?: string;
  /** Whether the record is missing or differs from the data written. */
  damage: "missing" | "changed";
  /** A description of the problem. */
  problem: string;
  /** Whether the record was repaired: rebuilt, or dropped if nothing is left of it. */
  repaired: boolean;
}

/** The result of a verification. */
export interface Verification {
  /** Whether all data is intact or was repaired. */
  ok: boolean;
  /** The number of records that the log lists as stored. */
  checked: number;
  /** All problems found. */
  problems: StoredProblem[];
}

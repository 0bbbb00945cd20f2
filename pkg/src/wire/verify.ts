// The check of everything that is stored, and its repair.

import type { WatchOptions } from "./progress.js";

/** How a memory is checked. */
export interface VerifyOptions extends WatchOptions {
  /** Whether what can be rebuilt is rebuilt, and what is gone is given up. Default: `false`, nothing is changed. */
  repair?: boolean | undefined;
}

/** Something that is not stored as it was written. */
export interface StoredProblem {
  /** The kind of thing: `entry`, `message`, `session`, `file`, `value`, `index`, `log` … */
  kind: string;
  /** Its id, path, key or place; empty where there is only one of it. */
  name: string;
  /** The session that it belongs to. */
  session?: string;
  /** Whether it is not there, or not as it was written. */
  damage: "missing" | "changed";
  /** The problem, in a sentence. */
  problem: string;
  /** Whether it was repaired: rebuilt, or given up where nothing is left of it. */
  repaired: boolean;
}

/** The result of a check of everything that is stored. */
export interface Verification {
  /** Whether everything is as it was written, or was repaired. */
  ok: boolean;
  /** How many things the log says are stored. */
  checked: number;
  /** Everything that is wrong. */
  problems: StoredProblem[];
}

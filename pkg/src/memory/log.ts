// The frozen log: whether its chain is intact, and a session of it as JSONL.

import { optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Calls } from "../engine/calls.js";
import type { WatchOptions } from "../wire/progress.js";

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

/** The log of everything that was written: a tamper-evident chain of hashes, which erasing leaves intact. */
export interface Log {
  /** Follows the chain from its beginning and compares the stored records with it. */
  verify(options?: WatchOptions): Promise<LogVerdict>;
  /**
   * The messages of a session as JSONL, each in one of the documented shapes, with its `link`. The first line is a header
   * that names how many links there are, the first, the last, and the end of the log at that time.
   */
  export(session: string, options?: WatchOptions): Promise<string>;
  /**
   * Whether the lines of an export are as they were written, all there, in order, and known to this log. Exports of
   * earlier versions have no header: at best they are `end-unknown`, which is not `ok`. A text that is no export is
   * refused with `invalid-input`.
   */
  check(jsonl: string): Promise<LogCheck>;
}

/** The log behind these calls. */
export function logOf(calls: Calls): Log {
  return {
    verify: async (options = {}) => {
      known(options, "onProgress signal");
      return calls.ask("logVerify", {}, optionsIn(options));
    },
    export: async (session, options = {}) => {
      known(options, "onProgress signal");
      const lines = await calls.ask<string[]>("logExport", { session }, optionsIn(options));
      return lines.map((line) => `${line}\n`).join("");
    },
    check: async (jsonl) => {
      if (typeof jsonl !== "string") throw refused("jsonl", "must be a string: what `log.export` returned");
      // The end of the last line is no line.
      const text = jsonl.replace(/\r?\n$/, "");
      return calls.ask("logCheck", { lines: text === "" ? [] : text.split("\n") });
    },
  };
}

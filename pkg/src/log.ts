// The frozen log: whether it is whole, and a session of it as JSONL.

import type { Calls } from "./calls.js";
import { refused } from "./errors.js";

/** Whether every link of the chain follows from the one before. */
export interface LogVerdict {
  /** Whether it does. */
  ok: boolean;
  /** How many links there are. */
  links: number;
  /** The number of the link that does not. */
  seq?: number;
  /** What is wrong with it. */
  problem?: string;
}

/** Whether an export is what was exported. */
export interface LogCheck extends LogVerdict {
  /** The line that is not, counted from 1. */
  line?: number;
}

/** The log of everything that was written: a chain of hashes, which erasing leaves whole. */
export interface Log {
  /** Follows the chain from its beginning and compares what is stored with it. */
  verify(): Promise<LogVerdict>;
  /** What was said in a session, as JSONL: a line in one of the documented shapes each, with its `link`. */
  export(session: string): Promise<string>;
  /** Whether an export is as it was made. */
  check(jsonl: string): Promise<LogCheck>;
}

/** The log behind these calls. */
export function logOf(calls: Calls): Log {
  return {
    verify: () => calls.ask("logVerify", {}),
    export: async (session) => {
      const lines = await calls.ask<string[]>("logExport", { session });
      return lines.map((line) => `${line}\n`).join("");
    },
    check: async (jsonl) => {
      if (typeof jsonl !== "string") throw refused("jsonl", "must be a string");
      // The end of the last line is no line.
      const text = jsonl.replace(/\r?\n$/, "");
      return calls.ask("logCheck", { lines: text === "" ? [] : text.split("\n") });
    },
  };
}

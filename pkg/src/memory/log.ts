// The frozen log: verification of its hash chain, and export of a session as JSONL.

import { optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Calls } from "../engine/calls.js";
import type { LogCheck, LogVerdict } from "../wire/log.js";
import type { WatchOptions } from "../wire/progress.js";

/** The log of all writes: a tamper-evident hash chain that stays valid when data is erased. */
export interface Log {
  /** Verifies the hash chain from its beginning, and the stored records against it. Returns the verdict. */
  verify(options?: WatchOptions): Promise<LogVerdict>;
  /**
   * Exports the messages of a session as JSONL, each in the documented format, with its `link`. The first line is a
   * header with the number of links, the first link, the last link, and the end of the log at that time.
   */
  export(session: string, options?: WatchOptions): Promise<string>;
  /**
   * Checks that the lines of an export are unmodified, complete, in order, and part of this log. Exports of earlier
   * versions have no header; their best result is `end-unknown`, which is not `ok`. Rejects with `invalid-input` if the
   * string is not an export.
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
      const lines = await calls.ask("logExport", { session }, optionsIn(options));
      return lines.map((line) => `${line}\n`).join("");
    },
    check: async (jsonl) => {
      if (typeof jsonl !== "string") throw refused("jsonl", "must be a string: what `log.export` returned");
      // The trailing newline does not start another line.
      const text = jsonl.replace(/\r?\n$/, "");
      return calls.ask("logCheck", { lines: text === "" ? [] : text.split("\n") });
    },
  };
}

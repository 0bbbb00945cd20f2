// The frozen log: whether its chain is intact, and a session of it as JSONL.

import { optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Calls } from "../engine/calls.js";
import type { LogCheck, LogVerdict } from "../wire/log.js";
import type { WatchOptions } from "../wire/progress.js";

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
      const lines = await calls.ask("logExport", { session }, optionsIn(options));
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

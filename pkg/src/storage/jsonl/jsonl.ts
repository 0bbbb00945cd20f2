// The storage in a file, for Node: one line per commit.

import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { MemoryError, optionsIn, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { StorageAdapter } from "../adapter.js";
import { LogFile, type Seen } from "./log-file.js";
import { codeOf, problem } from "./problems.js";

/** Options of `jsonl`. */
export interface JsonlOptions {
  /**
   * How many obsolete bytes, such as changed or deleted values, the file may have before it is compacted; they must also
   * exceed the live bytes. Default: 1,000,000.
   */
  compactAbove?: number | undefined;
}

const COMPACT_ABOVE = 1_000_000;

/** Open files by real path: the content of a file is in memory once, for any number of handles. */
const files = new Map<string, { file: LogFile; handles: number }>();

/**
 * A storage in the file at `path`, for any number of users, handles and processes on one machine. The first write creates
 * the file; its folder must exist.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", storage: jsonl("./memory.jsonl") });
 */
export function jsonl(path: string, options: JsonlOptions = {}): StorageAdapter {
  if (typeof path !== "string" || path === "") throw refused("path", "must be the path of a file");
  known(options, "compactAbove");
  const { compactAbove = COMPACT_ABOVE } = optionsIn(options);
  if (typeof compactAbove !== "number" || !(compactAbove >= 0))
    throw refused("compactAbove", "must be a number of bytes, at least 0");
  // Resolved now: the working directory may change before the file is opened.
  const place = resolve(path);
  const seen: Seen = {};
  let open = true;
  let opening: Promise<LogFile> | undefined;
  const file = (): Promise<LogFile> => {
    if (!open) return Promise.reject(new MemoryError("closed", "the storage is closed"));
    opening ??= acquire(place).catch((error) => {
      opening = undefined;
      throw problem(error, place);
    });
    return opening;
  };
  return {
    get: async (space, keys) => (await file()).read((tables) => tables.get(space, keys), seen),
    scan: async (space, range, limit) =>
      (await file()).read((tables) => tables.scan(space, range, limit), seen),
    commit: async (batch) => (await file()).commit(batch, compactAbove, seen),
    close: async () => {
      const mine = opening;
      [open, opening] = [false, undefined];
      const opened = await mine?.catch(() => undefined);
      if (opened) await release(opened);
    },
  };
}

async function acquire(place: string): Promise<LogFile> {
  const path = await real(place);
  const shared = files.get(path) ?? { file: new LogFile(path), handles: 0 };
  shared.handles += 1;
  files.set(path, shared);
  return shared.file;
}

async function release(file: LogFile): Promise<void> {
  const shared = files.get(file.path);
  if (shared?.file !== file) return;
  shared.handles -= 1;
  if (shared.handles > 0) return;
  files.delete(file.path);
  await file.close();
}

/** The real path of the file. Compaction replaces the file, and must not replace a symbolic link to it. */
async function real(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const link = await lstat(place).catch(() => undefined);
    // Another process may have created the file in between.
    if (link?.isSymbolicLink()) {
      throw new MemoryError("unavailable", `${place} cannot be used: it is a dangling link`);
    }
    return join(await realpath(dirname(place)), basename(place));
  }
}

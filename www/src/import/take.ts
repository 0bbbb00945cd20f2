// Takes many entries in, several at a time, and tells how far it is.

import { type Memory, MemoryError } from "keepsake";
import type { Draft } from "./lines.js";

/** So many are under way at a time: the storage is kept busy, and cancelling is soon. */
const AT_ONCE = 25;

/** What became of an import. */
export interface Taken {
  added: number;
  /** How many were there already. */
  skipped: number;
}

/** Adds the drafts. Stops between two batches when `signal` says so; what was added stays. */
export async function takeAll(
  memory: Memory,
  drafts: readonly Draft[],
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<Taken> {
  const taken: Taken = { added: 0, skipped: 0 };
  for (let at = 0; at < drafts.length && !signal.aborted; at += AT_ONCE) {
    const batch = drafts.slice(at, at + AT_ONCE);
    await Promise.all(
      batch.map(async ({ content, ...draft }) => {
        try {
          await memory.add(content, draft);
          taken.added += 1;
        } catch (error) {
          // An import that was cancelled can be run again.
          if (!(error instanceof MemoryError) || error.code !== "already-exists") throw error;
          taken.skipped += 1;
        }
      }),
    );
    onProgress(taken.added + taken.skipped);
  }
  return taken;
}

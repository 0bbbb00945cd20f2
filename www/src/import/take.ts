// Imports many entries, several at a time, with progress.

import { type Memory, MemoryError } from "keepsake";
import type { Draft } from "./lines.js";

/** The size of a batch: large enough to keep the storage busy, small enough to cancel soon. */
const AT_ONCE = 25;

/** The result of an import. */
export interface Taken {
  added: number;
  /** The number of existing entries. */
  skipped: number;
}

/** Adds the drafts. Stops between two batches when `signal` aborts; added entries stay. */
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
          // A cancelled import can be repeated.
          if (!(error instanceof MemoryError) || error.code !== "already-exists") throw error;
          taken.skipped += 1;
        }
      }),
    );
    onProgress(taken.added + taken.skipped);
  }
  return taken;
}

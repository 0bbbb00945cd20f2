// The name by which folders know a memory.

import { RECORD } from "./record.js";
import { isConflict } from "./refusals.js";
import type { FileTree } from "./types.js";

/**
 * The name of a memory, made up when it first meets a folder. One that was emptied gets another: it does not know any
 * longer what it had, and what it lacks was not deleted by anybody.
 */
export async function memoryId(tree: Pick<FileTree, "read" | "write">): Promise<string> {
  for (;;) {
    const file = await tree.read(RECORD);
    const known = /"memory":"([0-9a-f]{32})"/.exec(file?.text ?? "")?.[1];
    if (known) return known;
    const dice = crypto.getRandomValues(new Uint8Array(16));
    const memory = Array.from(dice, (byte) => byte.toString(16).padStart(2, "0")).join("");
    try {
      await tree.write(RECORD, JSON.stringify({ memory }), { expect: file?.hash ?? null });
      return memory;
    } catch (error) {
      // Another tab was faster, and has made up one for both.
      if (!isConflict(error)) throw error;
    }
  }
}

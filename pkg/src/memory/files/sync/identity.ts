// The id by which folder records identify a memory.

import { RECORD } from "./record.js";
import { isConflict } from "./refusals.js";
import type { FileTree } from "./types.js";

/**
 * Returns the id of a memory, generated on its first sync. A cleared memory gets a new id: its missing files were not
 * deleted by the user and must not be deleted from the folder.
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
      // Lost a race with another tab: read its id.
      if (!isConflict(error)) throw error;
    }
  }
}

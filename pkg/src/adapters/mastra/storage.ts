/**
 * Threads, messages and working memory of Mastra in a memory of this library.
 *
 * @module keepsake/mastra
 */

import { MastraCompositeStore } from "@mastra/core/storage";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import { KeepsakeMemoryStorage, type KeepsakeStorageOptions } from "./memory-storage.js";

export { type FoundMessage, KeepsakeMemoryStorage, type KeepsakeStorageOptions } from "./memory-storage.js";

/** How a store is made. */
export interface KeepsakeStoreOptions extends KeepsakeStorageOptions {
  /** What the store is called among others. Default: `"keepsake"`. */
  id?: string | undefined;
  /** The store of everything else: workflows, traces, scores. Default: none. */
  default?: MastraCompositeStore | undefined;
}

/**
 * A store for `new Mastra({ storage })` and `new Memory({ storage })` whose memory domain is this memory. The memory stays
 * the app's to close.
 *
 * @example
 * const storage = keepsakeStore(await openMemory({ user: "u-42", storage: jsonl("./memory.jsonl") }));
 */
export function keepsakeStore(memory: Memory, options: KeepsakeStoreOptions = {}): MastraCompositeStore {
  known(options, "id default collection");
  const { id = "keepsake", default: others, ...rest } = options;
  const domains = { memory: new KeepsakeMemoryStorage(memory, rest) };
  return new MastraCompositeStore({ id, name: "keepsake", domains, ...(others && { default: others }) });
}

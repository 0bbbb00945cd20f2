/**
 * Mastra's threads, messages and working memory in a memory of this library.
 *
 * @module keepsake/mastra
 */

import { MastraCompositeStore } from "@mastra/core/storage";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import { KeepsakeMemoryStorage, type KeepsakeStorageOptions } from "./memory-storage.js";

export { type FoundMessage, KeepsakeMemoryStorage, type KeepsakeStorageOptions } from "./memory-storage.js";

/** Options of `keepsakeStore`. */
export interface KeepsakeStoreOptions extends KeepsakeStorageOptions {
  /** The name of the store. Default: `"keepsake"`. */
  id?: string | undefined;
  /** The store of all other domains: workflows, traces, scores. Default: none. */
  default?: MastraCompositeStore | undefined;
}

/**
 * A store for `new Mastra({ storage })` and `new Memory({ storage })` whose memory domain is this memory. The app closes the
 * memory.
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

// The documented functions under their own names, for apps that know them from elsewhere.

import type { MemoryFunctions } from "../wire/documented.js";
import type { Memory } from "./memory.js";

/**
 * The documented functions on a memory.
 *
 * @example
 * const { memoryAdd, memorySearch } = memoryFunctions(memory);
 */
export function memoryFunctions(memory: Pick<Memory, "documented" | "documentedAdd">): MemoryFunctions {
  return {
    memoryAdd: (content, namespace, options = {}) => memory.documentedAdd({ ...options, content, namespace }),
    memorySearch: (query, options = {}) => memory.documented("memorySearch", { ...options, query }),
    memoryStats: () => memory.documented("memoryStats", {}),
    memoryClearShortTerm: () => memory.documented("memoryClearShortTerm", {}),
    memoryClearAll: () => memory.documented("memoryClearAll", {}),
    memoryCleanup: () => memory.documented("memoryCleanup", {}),
    memoryDelete: (id) => memory.documented("memoryDelete", { id }),
    memoryGetContent: (id) => memory.documented("memoryGetContent", { id }),
  };
}

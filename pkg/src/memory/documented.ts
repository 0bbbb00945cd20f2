// The documented functions under their original names, for apps that already use them.

import type { MemoryFunctions } from "../wire/documented.js";
import type { Memory } from "./memory.js";

/**
 * Returns the documented functions for a memory.
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

/**
 * The documented memory system under its own names: a service for the process, on a backend or on your own store.
 *
 * @module keepsake/memory-service
 */

import { createStore, openMemory } from "../../entry/node.js";
import { functionsOf, type MemoryServices, servicesOn } from "./service.js";

export * from "./names.js";
export { createStore };

/** The documented service, on the backend that a configuration names or on your own store. */
export const MemoryService: MemoryServices = /* @__PURE__ */ servicesOn({ createStore, openMemory });

/** The documented functions on `MemoryService.getInstance()`. */
export const {
  memoryAdd,
  memorySearch,
  memoryStats,
  memoryClearShortTerm,
  memoryClearAll,
  memoryCleanup,
  memoryDelete,
  memoryGetContent,
} = /* @__PURE__ */ functionsOf(MemoryService);

// The documented memory system under its own names, for browsers and bundlers.

import { createStore, openMemory } from "../../entry/browser.js";
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

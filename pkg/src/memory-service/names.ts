// The names that every entry of the service exports besides the service itself.

export type { Backend, BackendConfig } from "../backends.js";
export type {
  MemoryAdded,
  MemoryAddOptions,
  MemoryCounts,
  MemoryFailure,
  MemoryFunctions,
  MemorySearched,
  MemorySearchOptions,
} from "../documented.js";
export { MemoryError, type MemoryErrorCode } from "../errors.js";
export type { MemoryServiceConfig } from "./limits.js";
export type { MemoryServices, OwnBackends } from "./service.js";
export type { MemoryEntry, MemorySearchResult, MemoryStore, StoreSearchOptions } from "./store.js";

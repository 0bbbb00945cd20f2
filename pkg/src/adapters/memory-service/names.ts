// The names that every entry point of the service exports besides the service.

export { MemoryError, type MemoryErrorCode } from "../../base/errors.js";
export type { Backend, BackendConfig } from "../../storage/backends.js";
export type {
  MemoryAdded,
  MemoryAddOptions,
  MemoryCounts,
  MemoryFailure,
  MemoryFunctions,
  MemorySearched,
  MemorySearchOptions,
} from "../../wire/documented.js";
export type { MemoryServiceConfig } from "./limits.js";
export type { MemoryServices, OwnBackends } from "./service.js";
export type { MemoryEntry, MemorySearchResult, MemoryStore, StoreSearchOptions } from "./store.js";

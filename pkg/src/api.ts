// What every entry of the package exports, beside its own `openMemory`.

export {
  type MemoryAdded,
  type MemoryAddOptions,
  type MemoryCounts,
  type MemoryFailure,
  type MemoryFunctions,
  type MemorySearched,
  type MemorySearchOptions,
  type MemorySearchResult,
  memoryFunctions,
} from "./documented.js";
export type { EmbedAllOptions, Embedder, Embedding, EmbedProgress } from "./embedding.js";
export { MemoryError, type MemoryErrorCode } from "./errors.js";
export type { Memory } from "./memory.js";
export type { OpenOptions } from "./open.js";
export type { MemoryHit, MemoryMiss, MemoryQuery, ReceiptPart, TagFilter } from "./search.js";
export type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
} from "./storage.js";
export type {
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryConfig,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
  NamespaceConfig,
  Time,
  Trust,
} from "./types.js";

// What every entry of the package exports, beside its own `openMemory`.

export type {
  Compression,
  CompressionResult,
  Progressive,
  Summarize,
  SummaryRequest,
  TreeReduce,
} from "./compression.js";
export type { Context, ContextKind, ContextLeft, ContextOptions, ContextUsed } from "./context.js";
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
export type { Fields, Format, Formats } from "./formats.js";
export type { Log, LogCheck, LogVerdict } from "./log.js";
export type { LongTerm, LongTermMode, LongTermOptions, LongTermTool, Recalled } from "./long-term.js";
export type { Memory } from "./memory.js";
export {
  type Block,
  type BlockInput,
  type FileBlock,
  isBlock,
  type KnownBlock,
  type Line,
  type Message,
  type MessageInput,
  type OtherBlock,
  type Role,
  type RoleInput,
  type TextBlock,
  type ThoughtBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
} from "./messages.js";
export type { OpenOptions } from "./open.js";
export type { Ingested, IngestOptions, Recall, RecallOptions } from "./recall.js";
export type { MemoryHit, MemoryMiss, MemoryQuery, ReceiptPart, TagFilter } from "./search.js";
export type {
  History,
  MessagePage,
  MessagesOptions,
  SavedComponents,
  Session,
  SessionInfo,
  SessionOptions,
  ViewItem,
} from "./session.js";
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

// What every entry of the package exports, beside its own `openMemory`.

export type { Backend, BackendConfig } from "./backends.js";
export type {
  Collection,
  CollectionChange,
  CollectionHit,
  CollectionItem,
  CollectionRange,
} from "./collection.js";
export type {
  Compression,
  CompressionResult,
  CompressOptions,
  Progressive,
  Summarize,
  SummaryRequest,
  TreeReduce,
} from "./compression.js";
export type {
  Context,
  ContextKind,
  ContextLeft,
  ContextOptions,
  ContextUsed,
  MessageRange,
} from "./context.js";
export type { Decision, Digest, DigestOptions, Recalls, SessionDigest } from "./digest.js";
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
export type { EntriesOptions } from "./entries.js";
export type { EntrySummaryRequest, SummarizeEntry } from "./entry-summary.js";
export { MemoryError, type MemoryErrorCode } from "./errors.js";
export type { MemoryChange, MemoryEvents, MemoryEviction, MemoryTrouble } from "./events.js";
export { keepsakeStores } from "./facade/core-stores.js";
export { type FacadeOpen, type FacadeOptions, MemoryFacade } from "./facade/facade.js";
export {
  afterNode,
  type BeforeNode,
  beforeNode,
  type NodeEvent,
  type NodeOutcome,
  type NodeStep,
  type RunNode,
  type WithMemory,
  withMemory,
} from "./facade/node.js";
export type { FullPolicy, MemoryPolicies, MemoryPolicy } from "./facade/policy.js";
export {
  byScope,
  type Either,
  type IMemory,
  type MemoryCaller,
  type MemoryPayloads,
  type MemoryQuery,
  type MemoryResultItem,
  MemoryScope,
  type MemoryWriteEvent,
  type MemoryWrites,
  type MemoryWritten,
  type Own,
  type StoreCaller,
  type TaskStepInput,
} from "./facade/scopes.js";
export type { Documented } from "./facade/spelling.js";
export type {
  DialogStore,
  ExperienceStore,
  MemoryStores,
  ProceduralStore,
  ProfileStore,
  SemanticStore,
  SessionStore,
  StateStore,
} from "./facade/stores.js";
export type {
  ActiveAgent,
  ActiveMember,
  AgentKnowledge,
  AgentLearnings,
  FoundPassage,
} from "./files/agent.js";
export type {
  ContextDocument,
  ContextParts,
  Dispatch,
  DispatchedSubtask,
  DispatchLogDocument,
  DocumentEntry,
  DocumentItem,
  DocumentKind,
  DocumentRow,
  DocumentSection,
  EntryFields,
  EntryStatus,
  FoundEntry,
  LogDocument,
  MemoryDocument,
  OtherDocument,
  SessionDocument,
  SessionParts,
  TeamContextDocument,
  TeamContextParts,
} from "./files/document.js";
export type {
  ArchiveInput,
  BlockerInput,
  ContextChanges,
  DecisionInput,
  DispatchInput,
  DocumentChanges,
  HandoffFilter,
  HandoffInput,
  IssueInput,
  ItemInput,
  LearningInput,
  RowInput,
  SessionChanges,
  SessionEndInput,
  TeamContextChanges,
} from "./files/drafts.js";
export type {
  ExpectOptions,
  FileWarning,
  MemoryFile,
  MemoryFileInfo,
  MergedFile,
  SectionConflict,
} from "./files/file.js";
export type { MemoryFiles, SessionFilesOptions } from "./files/files.js";
export { type DirectoryHandle, directoryFolder, type FileHandle } from "./files/folder/directory.js";
export type { Folder } from "./files/folder/folder.js";
export {
  type MemoryTool,
  type MemoryToolAnswer,
  type MemoryToolCommand,
  MemoryToolError,
  type MemoryToolInputs,
  type MemoryToolOptions,
} from "./files/memory-tool.js";
export type { AgentFile } from "./files/paths.js";
export type {
  FileConflict,
  FileResolution,
  FolderConflict,
  FolderOptions,
  FolderProgress,
  FolderSkip,
  FolderSync,
  SourceChanges,
} from "./files/sync/types.js";
export type { TeamFiles } from "./files/team.js";
export { type ZipFolder, zipFolder } from "./files/zip/zip-folder.js";
export type { Fields, Format, Formats } from "./formats.js";
export type { IdleLearning, IdleOptions } from "./learning/idle.js";
export type { ExtractRequest, ExtractSkill, Learned, LearnOptions } from "./learning/learn.js";
export type { Log, LogCheck, LogDamage, LogVerdict } from "./log.js";
export type {
  LongTerm,
  LongTermMemory,
  LongTermMode,
  LongTermOptions,
  LongTermTool,
  Recalled,
  RecordedEntry,
  RecordOutcome,
} from "./long-term.js";
export type { Memory } from "./memory.js";
export { MemoryStorage } from "./memory-storage.js";
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
export type { Rerank, RerankHit } from "./rerank.js";
export type { MemoryHit, MemoryMiss, ReceiptPart, SearchOptions, TagFilter } from "./search.js";
export type {
  History,
  MessagePage,
  MessagesOptions,
  SavedComponents,
  Session,
  SessionInfo,
  SessionOptions,
  ViewItem,
  ViewMessage,
} from "./session.js";
export type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
  StorageTurn,
} from "./storage.js";
export type { DialogContext, DialogMemory, SalientFact } from "./stores/dialog.js";
export {
  ErrorType,
  type ExperienceMemory,
  type ExperienceStats,
  type OwnFields,
  type StepData,
  type StepExperience,
  type StepInput,
  type StepPlace,
  type TaskStats,
  type ToolStats,
  type Trace,
  type WithOwn,
} from "./stores/experience.js";
export type {
  Entity,
  EntityInput,
  Graph,
  GraphChanges,
  KnowledgeGraph,
  Observations,
  Relation,
} from "./stores/graph.js";
export type { ExternalDocument, Knowledge, KnowledgeRequest } from "./stores/knowledge.js";
export type {
  FoundSkill,
  Lesson,
  ProceduralMemory,
  Skill,
  SkillInput,
  SOP,
  ToolStep,
  UseWhen,
} from "./stores/procedural.js";
export type {
  Preferences,
  ProfileChanges,
  ProfileDetails,
  ProfileField,
  ProfileMemory,
  ProfileUpdateOptions,
  UserProfile,
} from "./stores/profile.js";
export type {
  DocumentAdded,
  DocumentChunk,
  DocumentInput,
  RetrievalResult,
  SemanticFilters,
  SemanticMemory,
  SemanticSearchOptions,
} from "./stores/semantic.js";
export type {
  FlowState,
  SaveStateOptions,
  StateMemory,
  StateSnapshot,
  StateVersion,
  StepLog,
  TaskInput,
  TaskPlace,
  TaskState,
  TaskStatus,
  Variables,
} from "./stores/state.js";
export type { ToolForms, ToolName, ToolOptions, ToolResult, ToolSchema, ToolScope } from "./tools.js";
export type {
  ConversationConfig,
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
export type { StoredProblem, Verification, VerifyOptions } from "./verify.js";
export type { WatchOptions, WorkProgress } from "./watch.js";

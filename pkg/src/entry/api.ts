// What every entry of the package exports, beside its own `openMemory`.

export { MemoryError, type MemoryErrorCode } from "../base/errors.js";
export type { MemoryChange, MemoryEvents, MemoryEviction, MemoryTrouble } from "../engine/events.js";
export type {
  Collection,
  CollectionChange,
  CollectionHit,
  CollectionItem,
  CollectionRange,
} from "../memory/collection.js";
export type {
  Compression,
  CompressionResult,
  CompressOptions,
  Progressive,
  Summarize,
  SummaryRequest,
  TreeReduce,
} from "../memory/compression.js";
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
} from "../memory/documented.js";
export type { EntriesOptions } from "../memory/entries.js";
export type { EntrySummaryRequest, SummarizeEntry } from "../memory/entry-summary.js";
export { keepsakeStores } from "../memory/facade/core-stores.js";
export { type FacadeOpen, type FacadeOptions, MemoryFacade } from "../memory/facade/facade.js";
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
} from "../memory/facade/node.js";
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
} from "../memory/facade/scopes.js";
export type {
  DialogStore,
  ExperienceStore,
  MemoryStores,
  ProceduralStore,
  ProfileStore,
  SemanticStore,
  SessionStore,
  StateStore,
} from "../memory/facade/stores.js";
export type {
  ActiveAgent,
  ActiveMember,
  AgentKnowledge,
  AgentLearnings,
  FoundPassage,
} from "../memory/files/agent.js";
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
} from "../memory/files/document.js";
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
} from "../memory/files/drafts.js";
export type {
  ExpectOptions,
  FileWarning,
  MemoryFile,
  MemoryFileInfo,
  MergedFile,
  SectionConflict,
} from "../memory/files/file.js";
export type { MemoryFiles, SessionFilesOptions } from "../memory/files/files.js";
export { type DirectoryHandle, directoryFolder, type FileHandle } from "../memory/files/folder/directory.js";
export type { Folder } from "../memory/files/folder/folder.js";
export {
  type MemoryTool,
  type MemoryToolAnswer,
  type MemoryToolCommand,
  MemoryToolError,
  type MemoryToolInputs,
  type MemoryToolOptions,
} from "../memory/files/memory-tool.js";
export type { AgentFile } from "../memory/files/paths.js";
export type {
  FileConflict,
  FileResolution,
  FolderConflict,
  FolderOptions,
  FolderProgress,
  FolderSkip,
  FolderSync,
  SourceChanges,
} from "../memory/files/sync/types.js";
export type { TeamFiles } from "../memory/files/team.js";
export { type ZipFolder, zipFolder } from "../memory/files/zip/zip-folder.js";
export type { IdleLearning, IdleOptions } from "../memory/learning/idle.js";
export type { ExtractRequest, ExtractSkill, Learned, LearnOptions } from "../memory/learning/learn.js";
export type { Log, LogCheck, LogDamage, LogVerdict } from "../memory/log.js";
export type {
  LongTerm,
  LongTermMemory,
  LongTermMode,
  LongTermOptions,
  LongTermTool,
  Recalled,
  RecordedEntry,
  RecordOutcome,
} from "../memory/long-term.js";
export type { Memory } from "../memory/memory.js";
export type { Rerank, RerankHit } from "../memory/rerank.js";
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
} from "../memory/session.js";
export type { DialogContext, DialogMemory, SalientFact } from "../memory/stores/dialog.js";
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
} from "../memory/stores/experience.js";
export type {
  Entity,
  EntityInput,
  Graph,
  GraphChanges,
  KnowledgeGraph,
  Observations,
  Relation,
} from "../memory/stores/graph.js";
export type { ExternalDocument, Knowledge, KnowledgeRequest } from "../memory/stores/knowledge.js";
export type {
  FoundSkill,
  Lesson,
  ProceduralMemory,
  Skill,
  SkillInput,
  SOP,
  ToolStep,
  UseWhen,
} from "../memory/stores/procedural.js";
export type {
  Preferences,
  ProfileChanges,
  ProfileDetails,
  ProfileField,
  ProfileMemory,
  ProfileUpdateOptions,
  UserProfile,
} from "../memory/stores/profile.js";
export type {
  DocumentAdded,
  DocumentChunk,
  DocumentInput,
  RetrievalResult,
  SemanticMemory,
  SemanticSearchOptions,
} from "../memory/stores/semantic.js";
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
} from "../memory/stores/state.js";
export type { ToolForms, ToolName, ToolOptions, ToolResult, ToolSchema, ToolScope } from "../memory/tools.js";
export type { OpenOptions } from "../open/open.js";
export type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
  StorageTurn,
} from "../storage/adapter.js";
export type { Backend, BackendConfig } from "../storage/backends.js";
export { MemoryStorage } from "../storage/in-memory.js";
export type {
  Context,
  ContextKind,
  ContextLeft,
  ContextOptions,
  ContextUsed,
  MessageRange,
} from "../wire/context.js";
export type { Decision, Digest, DigestOptions, Recalls, SessionDigest } from "../wire/digest.js";
export type { EmbedAllOptions, Embedder, Embedding, EmbedProgress } from "../wire/embedding.js";
export type { Fields, Format, Formats } from "../wire/formats.js";
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
} from "../wire/messages.js";
export type { WriteOptions } from "../wire/once.js";
export type { FullPolicy, MemoryPolicies, MemoryPolicy } from "../wire/policy.js";
export type { WatchOptions, WorkProgress } from "../wire/progress.js";
export type { Ingested, IngestOptions, Recall, RecallOptions } from "../wire/recall.js";
export type {
  MemoryHit,
  MemoryMiss,
  ReceiptPart,
  SearchOptions,
  SemanticFilters,
  TagFilter,
} from "../wire/search.js";
export type { Documented } from "../wire/spelling.js";
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
} from "../wire/types.js";
export type { StoredProblem, Verification, VerifyOptions } from "../wire/verify.js";

// Exports of every entry of the package, beside its own `openMemory`.

export type { CoreErrorCode } from "../base/codes.js";
export { MemoryError, type MemoryErrorCode } from "../base/errors.js";
export type { Listed } from "../base/listed.js";
export type { MemoryChange, MemoryEvent, MemoryEvents, MemoryTrouble } from "../engine/events.js";
export type {
  Collection,
  CollectionChange,
  CollectionHit,
  CollectionItem,
  CollectionRange,
} from "../memory/collection.js";
export type {
  Compression,
  CompressOptions,
  Progressive,
  Summarize,
  TreeReduce,
} from "../memory/compression.js";
export { memoryFunctions } from "../memory/documented.js";
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
  type MemoryQuery,
  type MemoryWriteEvent,
  type MemoryWrites,
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
export type { ActiveAgent, ActiveMember, AgentKnowledge, AgentLearnings } from "../memory/files/agent.js";
export type { DocumentKind } from "../memory/files/document.js";
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
export type { ExpectOptions } from "../memory/files/file.js";
export type { MemoryFiles, SessionFilesOptions } from "../memory/files/files.js";
export { type DirectoryHandle, directoryFolder, type FileHandle } from "../memory/files/folder/directory.js";
export type { Folder } from "../memory/files/folder/folder.js";
export {
  type MemoryTool,
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
} from "../memory/files/sync/types.js";
export type { TeamFiles } from "../memory/files/team.js";
export { type ZipFolder, zipFolder } from "../memory/files/zip/zip-folder.js";
export type { IdleLearning, IdleOptions } from "../memory/learning/idle.js";
export type { ExtractRequest, ExtractSkill, LearnOptions } from "../memory/learning/learn.js";
export type { Log } from "../memory/log.js";
export type {
  LongTerm,
  LongTermMemory,
  LongTermMode,
  LongTermOptions,
  LongTermTool,
  Recalled,
} from "../memory/long-term.js";
export type { Memory } from "../memory/memory.js";
export type { Rerank } from "../memory/rerank.js";
export type { MessagesOptions, Session, SessionOptions } from "../memory/session.js";
export type { DialogMemory } from "../memory/stores/dialog.js";
export type {
  ExperienceMemory,
  StepData,
  StepInput,
  StepPlace,
  WithOwn,
} from "../memory/stores/experience.js";
export type { EntityInput, KnowledgeGraph, Observations } from "../memory/stores/graph.js";
export type { ExternalDocument, Knowledge, KnowledgeRequest } from "../memory/stores/knowledge.js";
export type { Lesson, ProceduralMemory, SkillInput, SOP } from "../memory/stores/procedural.js";
export type {
  Preferences,
  ProfileChanges,
  ProfileMemory,
  ProfileUpdateOptions,
} from "../memory/stores/profile.js";
export type {
  DocumentChunk,
  DocumentInput,
  SemanticMemory,
  SemanticSearchOptions,
} from "../memory/stores/semantic.js";
export type {
  FlowState,
  SaveStateOptions,
  StateMemory,
  TaskInput,
  TaskPlace,
} from "../memory/stores/state.js";
export type { ToolFormat, ToolForms, ToolOptions, ToolSchema, ToolScope } from "../memory/tools.js";
export type { Understand, UnderstoodFact } from "../memory/understand.js";
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
export type { FoundPassage } from "../wire/agents.js";
export type { CompressionResult, SummaryRequest } from "../wire/compression.js";
export type { Conflict, ConflictsOptions, Keep } from "../wire/conflicts.js";
export type {
  Context,
  ContextKind,
  ContextLeft,
  ContextOptions,
  ContextUsed,
  MessageRange,
} from "../wire/context.js";
export type { DialogContext, SalientFact } from "../wire/dialog.js";
export type { Decision, Digest, DigestOptions, Recalls, SessionDigest } from "../wire/digest.js";
export type {
  MemoryAdded,
  MemoryAddOptions,
  MemoryCounts,
  MemoryFailure,
  MemoryFunctions,
  MemorySearched,
  MemorySearchOptions,
  MemorySearchResult,
} from "../wire/documented.js";
export type {
  ContextDocument,
  ContextParts,
  Dispatch,
  DispatchedSubtask,
  DispatchLogDocument,
  DocumentEntry,
  DocumentItem,
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
} from "../wire/documents.js";
export type { EmbedAllOptions, Embedder, Embedding, EmbedProgress } from "../wire/embedding.js";
export {
  ErrorType,
  type ExperienceStats,
  type OwnFields,
  type StepExperience,
  type TaskStats,
  type ToolStats,
  type Trace,
} from "../wire/experience.js";
export type { SourceChanges } from "../wire/file-sync.js";
export type {
  DiffLine,
  FileWarning,
  MemoryFile,
  MemoryFileInfo,
  MemoryToolAnswer,
  MergedFile,
  SectionConflict,
} from "../wire/files.js";
export type { Fields, Format, Formats } from "../wire/formats.js";
export type { Entity, Graph, GraphChanges, Relation } from "../wire/graph.js";
export type { Learned } from "../wire/learning.js";
export type { LogCheck, LogDamage, LogVerdict } from "../wire/log.js";
export type { ForgetOptions, Forgotten, RecordedEntry, RecordOutcome } from "../wire/long-term.js";
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
export type { FoundSkill, Skill, ToolStep, UseWhen } from "../wire/procedural.js";
export type { ProfileDetails, ProfileField, UserProfile } from "../wire/profile.js";
export type { WatchOptions, WorkProgress } from "../wire/progress.js";
export type { Ingested, IngestOptions, Recall, RecallOptions } from "../wire/recall.js";
export type { RerankHit } from "../wire/rerank.js";
export type { Rollback, RollbackOptions, RolledBack } from "../wire/rollback.js";
export {
  type MemoryPayloads,
  type MemoryResultItem,
  MemoryScope,
  type MemoryWritten,
} from "../wire/scopes.js";
export type {
  MemoryHit,
  MemoryMiss,
  ReceiptPart,
  SearchOptions,
  SemanticFilters,
  TagFilter,
} from "../wire/search.js";
export type { DocumentAdded, RetrievalResult } from "../wire/semantic.js";
export type {
  History,
  MessagePage,
  SavedComponents,
  SessionInfo,
  ViewItem,
  ViewMessage,
} from "../wire/sessions.js";
export type { Documented } from "../wire/spelling.js";
export type {
  StateSnapshot,
  StateVersion,
  StepLog,
  TaskState,
  TaskStatus,
  Variables,
} from "../wire/state.js";
export type { ToolName } from "../wire/tool-names.js";
export type { ToolResult } from "../wire/tools.js";
export type {
  ConversationConfig,
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryConfig,
  MemoryDraft,
  MemoryDraftWithContent,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryEviction,
  MemoryStats,
  Metadata,
  NamespaceConfig,
  Promoted,
  Promotion,
  SecretRule,
  Time,
  Trust,
} from "../wire/types.js";
export type { StoredProblem, Verification, VerifyOptions } from "../wire/verify.js";

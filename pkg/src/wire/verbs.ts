// Generated from wit/ by `cargo xtask generate`. Do not edit.

import type { Activation, FoundPassage } from "./agents.js";
import type { CompressionStep } from "./compression.js";
import type { Conflict } from "./conflicts.js";
import type { Context } from "./context.js";
import type { DialogContext } from "./dialog.js";
import type { Digest, RecallAnswer } from "./digest.js";
import type { DocumentedAnswer } from "./documented.js";
import type { Dispatch, DocumentEntry, FoundEntry, MemoryDocument } from "./documents.js";
import type { Unembedded } from "./embedding.js";
import type { ExperienceStats, StepExperience, Trace } from "./experience.js";
import type { JudgedName, SourceChanges } from "./file-sync.js";
import type {
  DiffLine,
  FileWarning,
  MemoryFile,
  MemoryFileInfo,
  MemoryToolAnswer,
  MergedFile,
} from "./files.js";
import type { Graph, GraphChanges } from "./graph.js";
import type { LearnStep, UnlearnedTraces } from "./learning.js";
import type { LogCheck, LogVerdict } from "./log.js";
import type { Forgotten, RecordedEntry } from "./long-term.js";
import type { Line, Message, MessageInput } from "./messages.js";
import type { FullPolicy } from "./policy.js";
import type { FoundSkill, Skill } from "./procedural.js";
import type { ProfileDetails } from "./profile.js";
import type { WorkProgress } from "./progress.js";
import type { Ingested } from "./recall.js";
import type { Candidates } from "./rerank.js";
import type { Rollback } from "./rollback.js";
import type { MemoryResultItem, MemoryScope, MemoryWritten } from "./scopes.js";
import type { MemoryHit, MemoryMiss } from "./search.js";
import type { DocumentAdded, RetrievalResult } from "./semantic.js";
import type {
  History,
  MessagePage,
  SavedComponents,
  SessionInfo,
  ViewItem,
  ViewMessage,
} from "./sessions.js";
import type { StateSnapshot, StateVersion, StepLog } from "./state.js";
import type { ToolResult } from "./tools.js";
import type {
  Json,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryEviction,
  MemoryStats,
  Metadata,
  Time,
} from "./types.js";
import type { Verification } from "./verify.js";

/** The arguments of each verb, and its answer. */
export interface Verbs<M extends Metadata = Metadata, N extends string = never, T = Json> {
  activate: {
    args: {
      agent: string;
      member?: boolean | undefined;
    };
    answer: Activation;
  };
  add: {
    args: {
      agent?: string | undefined;
      at?: Time | undefined;
      content: string;
      createdAt?: Time | undefined;
      duplicates?: string | undefined;
      embedding?: readonly number[] | undefined;
      id?: string | undefined;
      importance?: number | undefined;
      key?: string | undefined;
      metadata?: unknown | undefined;
      namespace?: string | undefined;
      replaces?: string | undefined;
      secrets?: string | undefined;
      session?: string | undefined;
      source?: string | undefined;
      speaker?: string | undefined;
      summary?: string | undefined;
      tags?: readonly string[] | undefined;
      trust?: string | undefined;
      ttl?: number | undefined;
      validFrom?: Time | undefined;
      validUntil?: Time | undefined;
    };
    answer: MemoryEntry<M, N>;
  };
  addBlocker: {
    args: {
      blocking?: string | undefined;
      description?: string | undefined;
      identifiedAt?: string | undefined;
      identifiedBy?: string | undefined;
      owner?: string | undefined;
      proposed?: string | undefined;
      title: string;
    };
    answer: DocumentEntry;
  };
  addDocuments: {
    args: {
      documents?: unknown | undefined;
    };
    answer: DocumentAdded[];
  };
  addMany: {
    args: {
      drafts?: readonly unknown[] | undefined;
    };
    answer: MemoryEntry<M, N>[];
  };
  addSkill: {
    args: {
      id?: string | undefined;
      kind?: string | undefined;
      metadata?: unknown | undefined;
      preferences?: string | undefined;
      taskType?: string | undefined;
      toolSops?: unknown | undefined;
      tool_sops?: readonly unknown[] | undefined;
      trust?: string | undefined;
      useWhen?: unknown | undefined;
      use_when?: unknown | undefined;
    };
    answer: Skill;
  };
  append: {
    args: {
      agent?: string | undefined;
      messages?: readonly unknown[] | undefined;
      session: string;
    };
    answer: Message[];
  };
  appendFile: {
    args: {
      expect?: unknown | undefined;
      path: string;
      text: string;
    };
    answer: MemoryFile;
  };
  blockers: {
    args: {
      status?: string | undefined;
    };
    answer: DocumentEntry[];
  };
  callTool: {
    args: {
      agent?: string | undefined;
      args: unknown;
      embedding?: readonly number[] | undefined;
      name: string;
      only?: readonly string[] | undefined;
      readOnly?: boolean | undefined;
      session?: string | undefined;
      summary?: string | undefined;
      writable?: readonly string[] | undefined;
    };
    answer: ToolResult;
  };
  candidates: {
    args: {
      args: unknown;
      limit?: number | undefined;
      verb: string;
    };
    answer: Candidates;
  };
  cleanup: {
    args: object;
    answer: number;
  };
  clear: {
    args: {
      namespace?: string | undefined;
    };
    answer: number;
  };
  clearView: {
    args: {
      session: string;
    };
    answer: number;
  };
  close: {
    args: object;
    answer: null;
  };
  compress: {
    args: {
      hook?: boolean | undefined;
      session: string;
      way?: unknown | undefined;
    };
    answer: CompressionStep;
  };
  compressed: {
    args: {
      summaries?: readonly (string | null)[] | undefined;
      token: number;
    };
    answer: CompressionStep;
  };
  conflicts: {
    args: {
      agent?: string | undefined;
      limit?: number | undefined;
    };
    answer: Conflict<M, N>[];
  };
  context: {
    args: {
      agent?: string | undefined;
      budget: number;
      embedding?: readonly number[] | undefined;
      flow?: string | undefined;
      limit?: number | undefined;
      minTrust?: string | undefined;
      order?: readonly string[] | undefined;
      query?: string | undefined;
      session: string;
      system?: string | undefined;
      taskType?: string | undefined;
      window?: number | undefined;
    };
    answer: Context<unknown>;
  };
  count: {
    args: {
      namespace?: string | undefined;
    };
    answer: number;
  };
  countTokens: {
    args: {
      text: string;
    };
    answer: number;
  };
  delete: {
    args: {
      id: string;
    };
    answer: boolean;
  };
  deleteDocument: {
    args: {
      id: string;
    };
    answer: number;
  };
  deleteFile: {
    args: {
      expect?: unknown | undefined;
      path: string;
    };
    answer: boolean;
  };
  deleteSession: {
    args: {
      keepEntries?: boolean | undefined;
      session: string;
    };
    answer: number;
  };
  deleteSkill: {
    args: {
      id: string;
    };
    answer: boolean;
  };
  diff: {
    args: {
      after: string;
      before: string;
    };
    answer: DiffLine[];
  };
  digest: {
    args: {
      maxTokens?: number | undefined;
      sessions?: readonly string[] | undefined;
      since?: Time | undefined;
      topic?: string | undefined;
      until?: Time | undefined;
    };
    answer: Digest;
  };
  dispatch: {
    args: {
      date?: string | undefined;
      lead: string;
      plan?: readonly unknown[] | undefined;
      received?: string | undefined;
      status?: string | undefined;
      task: string;
    };
    answer: Dispatch;
  };
  dispatches: {
    args: {
      lead: string;
    };
    answer: Dispatch[];
  };
  editValues: {
    args: {
      changes?: readonly unknown[] | undefined;
      collection: string;
      expect?: readonly unknown[] | undefined;
    };
    answer: boolean;
  };
  embed: {
    args: {
      items?: readonly unknown[] | undefined;
    };
    answer: number;
  };
  embedTalk: {
    args: {
      items?: readonly unknown[] | undefined;
    };
    answer: number;
  };
  endSession: {
    args: {
      agent: string;
      archive?: unknown | undefined;
      context?: unknown | undefined;
      date?: string | undefined;
      decisions?: readonly unknown[] | undefined;
      learnings?: readonly unknown[] | undefined;
    };
    answer: MemoryFile[];
  };
  estimateTokens: {
    args: {
      text: string;
    };
    answer: number;
  };
  evicted: {
    args: object;
    answer: MemoryEviction[];
  };
  experienceStats: {
    args: {
      taskType?: string | undefined;
    };
    answer: ExperienceStats;
  };
  explainMiss: {
    args: {
      agent?: string | undefined;
      asOf?: Time | undefined;
      embedding?: readonly number[] | undefined;
      explain?: boolean | undefined;
      from?: Time | undefined;
      id: string;
      includeContent?: boolean | undefined;
      includePast?: boolean | undefined;
      limit?: number | undefined;
      metadata?: object | undefined;
      minScore?: number | undefined;
      minTrust?: string | undefined;
      namespace?: string | undefined;
      query: string;
      ranking?: string | undefined;
      session?: string | undefined;
      source?: string | undefined;
      tags?: object | undefined;
      until?: Time | undefined;
    };
    answer: MemoryMiss;
  };
  file: {
    args: {
      path: string;
    };
    answer: MemoryFile | null;
  };
  fileHistory: {
    args: {
      path: string;
    };
    answer: MemoryFile[];
  };
  fileNames: {
    args: {
      names?: readonly string[] | undefined;
    };
    answer: JudgedName[];
  };
  files: {
    args: {
      folder?: string | undefined;
    };
    answer: MemoryFileInfo[];
  };
  flush: {
    args: object;
    answer: null;
  };
  forget: {
    args: {
      agent?: string | undefined;
      messages?: boolean | undefined;
      query: string;
    };
    answer: Forgotten;
  };
  fork: {
    args: {
      at: string;
      session: string;
      to: string;
    };
    answer: SessionInfo;
  };
  fromFormat: {
    args: {
      format: string;
      value: unknown;
    };
    answer: MessageInput[];
  };
  fromLines: {
    args: {
      lines: unknown;
    };
    answer: MessageInput[];
  };
  get: {
    args: {
      id: string;
    };
    answer: MemoryEntryWithContent<M, N> | null;
  };
  getContext: {
    args: {
      limitTurns?: number | undefined;
      session: string;
    };
    answer: DialogContext;
  };
  getFailures: {
    args: {
      limit?: number | undefined;
      taskType?: string | undefined;
    };
    answer: StepExperience[];
  };
  getProfile: {
    args: object;
    answer: ProfileDetails<T & object>;
  };
  getSkill: {
    args: {
      id: string;
      version?: number | undefined;
    };
    answer: Skill | null;
  };
  getState: {
    args: {
      flow: string;
      session: string;
      version?: number | undefined;
    };
    answer: StateSnapshot<T & object> | null;
  };
  getSuccessfulTraces: {
    args: {
      limit?: number | undefined;
      taskType?: string | undefined;
    };
    answer: Trace[];
  };
  graphAdd: {
    args: {
      entities?: readonly unknown[] | undefined;
      relations?: readonly unknown[] | undefined;
    };
    answer: GraphChanges;
  };
  graphDelete: {
    args: {
      entities?: readonly unknown[] | undefined;
      relations?: readonly unknown[] | undefined;
    };
    answer: GraphChanges;
  };
  graphOpen: {
    args: {
      names?: readonly string[] | undefined;
    };
    answer: Graph;
  };
  graphRead: {
    args: object;
    answer: Graph;
  };
  graphSearch: {
    args: {
      limit?: number | undefined;
      query: string;
      steps?: number | undefined;
    };
    answer: Graph;
  };
  guidance: {
    args: object;
    answer: string;
  };
  handOver: {
    args: {
      context?: string | undefined;
      expectedDeliverable?: string | undefined;
      files?: string | undefined;
      fromAgent?: string | undefined;
      priority?: string | undefined;
      task?: string | undefined;
      timestamp?: string | undefined;
      toAgent?: string | undefined;
    };
    answer: DocumentEntry;
  };
  handoffs: {
    args: {
      status?: string | undefined;
      to?: string | undefined;
    };
    answer: DocumentEntry[];
  };
  hidden: {
    args: {
      session: string;
    };
    answer: string[];
  };
  hide: {
    args: {
      refs?: readonly string[] | undefined;
      session: string;
    };
    answer: number;
  };
  hint: {
    args: object;
    answer: null;
  };
  histories: {
    args: {
      session: string;
    };
    answer: History[];
  };
  history: {
    args: {
      id: string;
    };
    answer: MemoryEntryWithContent<M, N>[];
  };
  ingest: {
    args: {
      namespace?: string | undefined;
      source: string;
      tags?: readonly string[] | undefined;
      targetChars?: number | undefined;
      text: string;
      trust?: string | undefined;
    };
    answer: Ingested;
  };
  ingestSources: {
    args: object;
    answer: SourceChanges;
  };
  instructions: {
    args: {
      agent?: string | undefined;
    };
    answer: MemoryHit<N>[];
  };
  lastAsked: {
    args: {
      session: string;
    };
    answer: string | null;
  };
  learn: {
    args: {
      minConfidence?: number | undefined;
      minSupport?: number | undefined;
      taskType?: string | undefined;
    };
    answer: LearnStep;
  };
  learnApply: {
    args: {
      skills?: readonly unknown[] | undefined;
      taskType: string;
      traces?: readonly string[] | undefined;
      upTo: number;
    };
    answer: { skills: Skill[] };
  };
  learnTraces: {
    args: {
      taskType?: string | undefined;
    };
    answer: UnlearnedTraces | null;
  };
  lintFile: {
    args: {
      path: string;
      text?: string | undefined;
    };
    answer: FileWarning[];
  };
  list: {
    args: {
      after?: string | undefined;
      asOf?: Time | undefined;
      includePast?: boolean | undefined;
      limit?: number | undefined;
      namespace?: string | undefined;
    };
    answer: MemoryEntry<M, N>[];
  };
  listValues: {
    args: {
      after?: string | undefined;
      collection: string;
      limit?: number | undefined;
      prefix?: string | undefined;
    };
    answer: [string, T][];
  };
  loadComponents: {
    args: {
      session: string;
    };
    answer: SavedComponents | null;
  };
  logCheck: {
    args: {
      lines?: readonly string[] | undefined;
    };
    answer: LogCheck;
  };
  logExport: {
    args: {
      session: string;
    };
    answer: string[];
  };
  logStep: {
    args: {
      agent?: string | undefined;
      cost?: number | undefined;
      error?: unknown | undefined;
      errorType?: string | undefined;
      flow?: string | undefined;
      input?: unknown | undefined;
      latencyMs?: number | undefined;
      metadata?: unknown | undefined;
      node?: string | undefined;
      output?: unknown | undefined;
      session?: string | undefined;
      skillId?: string | undefined;
      success?: boolean | undefined;
      taskType?: unknown | undefined;
      toolName?: unknown | undefined;
      traceId?: string | undefined;
      trust?: string | undefined;
    };
    answer: StepExperience;
  };
  logTaskStep: {
    args: {
      error?: string | undefined;
      flow?: string | undefined;
      metadata?: unknown | undefined;
      session?: string | undefined;
      status?: string | undefined;
      step: string;
      taskId: string;
    };
    answer: StepLog;
  };
  logVerify: {
    args: object;
    answer: LogVerdict;
  };
  memoryAdd: {
    args: {
      agent?: string | undefined;
      at?: Time | undefined;
      content: string;
      createdAt?: Time | undefined;
      duplicates?: string | undefined;
      embedding?: readonly number[] | undefined;
      id?: string | undefined;
      importance?: number | undefined;
      key?: string | undefined;
      metadata?: unknown | undefined;
      namespace?: string | undefined;
      replaces?: string | undefined;
      secrets?: string | undefined;
      session?: string | undefined;
      source?: string | undefined;
      speaker?: string | undefined;
      summary?: string | undefined;
      tags?: readonly string[] | undefined;
      trust?: string | undefined;
      ttl?: number | undefined;
      validFrom?: Time | undefined;
      validUntil?: Time | undefined;
    };
    answer: DocumentedAnswer<"memoryAdd">;
  };
  memoryCleanup: {
    args: object;
    answer: DocumentedAnswer<"memoryCleanup">;
  };
  memoryClearAll: {
    args: object;
    answer: DocumentedAnswer<"memoryClearAll">;
  };
  memoryClearShortTerm: {
    args: object;
    answer: DocumentedAnswer<"memoryClearShortTerm">;
  };
  memoryDelete: {
    args: {
      id: string;
    };
    answer: DocumentedAnswer<"memoryDelete">;
  };
  memoryGetContent: {
    args: {
      id: string;
    };
    answer: DocumentedAnswer<"memoryGetContent">;
  };
  memorySearch: {
    args: {
      agent?: string | undefined;
      asOf?: Time | undefined;
      embedding?: readonly number[] | undefined;
      explain?: boolean | undefined;
      from?: Time | undefined;
      includeContent?: boolean | undefined;
      includePast?: boolean | undefined;
      limit?: number | undefined;
      metadata?: object | undefined;
      minScore?: number | undefined;
      minTrust?: string | undefined;
      namespace?: string | undefined;
      query: string;
      ranking?: string | undefined;
      session?: string | undefined;
      source?: string | undefined;
      tags?: object | undefined;
      until?: Time | undefined;
    };
    answer: DocumentedAnswer<"memorySearch">;
  };
  memoryStats: {
    args: object;
    answer: DocumentedAnswer<"memoryStats">;
  };
  memoryTool: {
    args: {
      command: unknown;
      root?: string | undefined;
      writable?: readonly string[] | undefined;
    };
    answer: MemoryToolAnswer;
  };
  mergeFile: {
    args: {
      base: string;
      path: string;
      text: string;
    };
    answer: MergedFile;
  };
  message: {
    args: {
      id: string;
      session: string;
    };
    answer: Message | null;
  };
  messages: {
    args: {
      before?: string | undefined;
      limit?: number | undefined;
      session: string;
    };
    answer: MessagePage;
  };
  missingPacks: {
    args: {
      forget?: string | undefined;
      messages?: boolean | undefined;
      texts?: readonly string[] | undefined;
    };
    answer: string[];
  };
  moveFile: {
    args: {
      expect?: unknown | undefined;
      from: string;
      to: string;
    };
    answer: MemoryFile;
  };
  once: {
    args: {
      args: unknown;
      idempotencyKey: string;
      request: string;
      verb: string;
    };
    answer: unknown;
  };
  parseFile: {
    args: {
      path: string;
      text?: string | undefined;
    };
    answer: MemoryDocument | null;
  };
  policy: {
    args: {
      agentId?: unknown | undefined;
      flowId?: unknown | undefined;
    };
    answer: FullPolicy;
  };
  progress: {
    args: {
      done?: number | undefined;
      total?: number | undefined;
      work: number;
    };
    answer: WorkProgress | null;
  };
  promote: {
    args: {
      by: string;
      id: string;
      trust: string;
      why: string;
    };
    answer: MemoryEntry<M, N>;
  };
  queryMemory: {
    args: {
      agent?: string | undefined;
      embedding?: readonly number[] | undefined;
      explain?: boolean | undefined;
      includeToolTraffic?: boolean | undefined;
      limit?: number | undefined;
      minTrust?: string | undefined;
      onlyAnswers?: boolean | undefined;
      query: string;
      ranking?: string | undefined;
      session?: string | undefined;
    };
    answer: RecallAnswer;
  };
  quoteMemories: {
    args: {
      texts?: readonly string[] | undefined;
    };
    answer: string;
  };
  read: {
    args: {
      agentId?: string | undefined;
      embedding?: number[] | undefined;
      extra?: object | undefined;
      flowId?: string | undefined;
      nodeId?: string | undefined;
      query?: string | undefined;
      scopes?: readonly string[] | undefined;
      sessionId?: string | undefined;
      taskType?: string | undefined;
      userId?: string | undefined;
    };
    answer: MemoryResultItem<T & MemoryScope>[];
  };
  record: {
    args: {
      agent?: string | undefined;
      messages?: readonly unknown[] | undefined;
      session?: string | undefined;
      source?: string | undefined;
      texts?: readonly string[] | undefined;
      understood?: readonly unknown[] | undefined;
    };
    answer: RecordedEntry[];
  };
  recordNotes: {
    args: {
      agent?: string | undefined;
      entries?: readonly unknown[] | undefined;
      file?: string | undefined;
      path?: string | undefined;
    };
    answer: MemoryFile;
  };
  recordSkillUse: {
    args: {
      id: string;
      success?: boolean | undefined;
    };
    answer: Skill;
  };
  recordToMemory: {
    args: {
      agent?: string | undefined;
      content?: readonly unknown[] | undefined;
      session?: string | undefined;
      source?: string | undefined;
      thinking?: string | undefined;
    };
    answer: string;
  };
  resolve: {
    args: {
      id: string;
      keep: string;
    };
    answer: string[];
  };
  restoreView: {
    args: {
      agent?: string | undefined;
      messages?: readonly unknown[] | undefined;
      session: string;
    };
    answer: number;
  };
  retrieve: {
    args: {
      agent?: string | undefined;
      embedding?: readonly number[] | undefined;
      instructions?: boolean | undefined;
      limit?: number | undefined;
      minTrust?: string | undefined;
      query: string;
    };
    answer: string;
  };
  retrieveFromMemory: {
    args: {
      agent?: string | undefined;
      embedding?: readonly number[] | undefined;
      keywords?: readonly string[] | undefined;
      limit?: number | undefined;
    };
    answer: string;
  };
  rollback: {
    args: {
      preview?: boolean | undefined;
      session?: string | undefined;
      since?: Time | undefined;
      source?: string | undefined;
    };
    answer: Rollback;
  };
  saveComponents: {
    args: {
      components: unknown;
      session: string;
    };
    answer: null;
  };
  saveState: {
    args: {
      expect?: number | undefined;
      flow: string;
      metadata?: unknown | undefined;
      session: string;
      state: unknown;
    };
    answer: StateSnapshot<T & object>;
  };
  search: {
    args: {
      agent?: string | undefined;
      asOf?: Time | undefined;
      embedding?: readonly number[] | undefined;
      explain?: boolean | undefined;
      from?: Time | undefined;
      includeContent?: boolean | undefined;
      includePast?: boolean | undefined;
      limit?: number | undefined;
      metadata?: object | undefined;
      minScore?: number | undefined;
      minTrust?: string | undefined;
      namespace?: string | undefined;
      query: string;
      ranking?: string | undefined;
      session?: string | undefined;
      source?: string | undefined;
      tags?: object | undefined;
      until?: Time | undefined;
    };
    answer: MemoryHit<N>[];
  };
  searchKnowledge: {
    args: {
      agent: string;
      limit?: number | undefined;
      query: string;
    };
    answer: FoundPassage[];
  };
  searchLearnings: {
    args: {
      agent: string;
      limit?: number | undefined;
      query: string;
    };
    answer: FoundEntry[];
  };
  searchSkills: {
    args: {
      includeDemoted?: boolean | undefined;
      kind?: string | undefined;
      query?: string | undefined;
      taskType?: string | undefined;
      topK?: number | undefined;
    };
    answer: FoundSkill[];
  };
  searchValues: {
    args: {
      collection: string;
      limit?: number | undefined;
      prefix?: string | undefined;
      query: string;
    };
    answer: [string, T, number][];
  };
  semanticSearch: {
    args: {
      embedding?: readonly number[] | undefined;
      external?: unknown | undefined;
      filters?: unknown | undefined;
      graph?: number | undefined;
      query: string;
      topK?: number | undefined;
    };
    answer: RetrievalResult[];
  };
  session: {
    args: {
      session: string;
    };
    answer: SessionInfo | null;
  };
  sessions: {
    args: object;
    answer: SessionInfo[];
  };
  setBlocker: {
    args: {
      heading: string;
      resolution?: string | undefined;
      resolvedBy?: string | undefined;
      status: string;
    };
    answer: DocumentEntry;
  };
  setHandoff: {
    args: {
      heading: string;
      result?: string | undefined;
      status: string;
      task?: string | undefined;
    };
    answer: DocumentEntry;
  };
  setTitle: {
    args: {
      session: string;
      title: string;
    };
    answer: SessionInfo;
  };
  skillVersions: {
    args: {
      id: string;
    };
    answer: Skill[];
  };
  skills: {
    args: object;
    answer: Skill[];
  };
  stateVersions: {
    args: {
      flow: string;
      session: string;
    };
    answer: StateVersion[];
  };
  stats: {
    args: object;
    answer: MemoryStats<N>;
  };
  stop: {
    args: {
      work: number;
    };
    answer: null;
  };
  taskSteps: {
    args: {
      session?: string | undefined;
      taskId: string;
    };
    answer: StepLog[];
  };
  toEmbed: {
    args: {
      query: string;
    };
    answer: string;
  };
  toFormat: {
    args: {
      format: string;
      messages?: readonly unknown[] | undefined;
    };
    answer: T;
  };
  toLines: {
    args: {
      ids?: boolean | undefined;
      messages?: readonly unknown[] | undefined;
    };
    answer: Line[];
  };
  toolQuery: {
    args: {
      args: unknown;
      name: string;
    };
    answer: string | null;
  };
  tools: {
    args: {
      agent?: string | undefined;
      format: string;
      only?: readonly string[] | undefined;
      readOnly?: boolean | undefined;
      session?: string | undefined;
      strict?: boolean | undefined;
      writable?: readonly string[] | undefined;
    };
    answer: T[];
  };
  unembedded: {
    args: {
      limit?: number | undefined;
    };
    answer: Unembedded;
  };
  unembeddedTalk: {
    args: {
      limit?: number | undefined;
    };
    answer: Unembedded;
  };
  update: {
    args: {
      content?: string | undefined;
      embedding?: readonly number[] | undefined;
      id: string;
      importance?: number | undefined;
      metadata?: unknown | undefined;
      namespace?: string | undefined;
      secrets?: string | undefined;
      source?: string | undefined;
      summary?: string | undefined;
      tags?: readonly string[] | undefined;
      trust?: string | undefined;
      ttl?: number | undefined;
      validFrom?: Time | undefined;
      validUntil?: Time | undefined;
    };
    answer: MemoryEntry<M, N>;
  };
  updateFile: {
    args: {
      changes: unknown;
      expect?: unknown | undefined;
      path: string;
    };
    answer: MemoryFile;
  };
  updateProfile: {
    args: {
      changes: unknown;
      metadata?: unknown | undefined;
      source?: string | undefined;
    };
    answer: ProfileDetails<T & object>;
  };
  updateSection: {
    args: {
      agent?: string | undefined;
      expect?: unknown | undefined;
      file?: string | undefined;
      path?: string | undefined;
      section: string;
      text: string;
    };
    answer: MemoryFile;
  };
  updateSummary: {
    args: {
      metadata?: unknown | undefined;
      session: string;
      summary: string;
    };
    answer: null;
  };
  useMeaning: {
    args: {
      file?: readonly number[] | undefined;
    };
    answer: null;
  };
  usePack: {
    args: {
      pack: string;
    };
    answer: null;
  };
  values: {
    args: {
      collection: string;
      keys?: readonly string[] | undefined;
    };
    answer: ([T] | null)[];
  };
  verify: {
    args: {
      repair?: boolean | undefined;
    };
    answer: Verification;
  };
  view: {
    args: {
      session: string;
    };
    answer: ViewItem[];
  };
  viewMessages: {
    args: {
      session: string;
    };
    answer: ViewMessage[];
  };
  watch: {
    args: {
      args: unknown;
      verb: string;
      work: number;
    };
    answer: { answer?: unknown };
  };
  write: {
    args: {
      agentId?: string | undefined;
      data?: unknown | undefined;
      flowId?: string | undefined;
      meta?: unknown | undefined;
      nodeId?: string | undefined;
      scope: string;
      sessionId?: string | undefined;
      userId?: string | undefined;
    };
    answer: MemoryWritten;
  };
  writeFile: {
    args: {
      agent?: string | undefined;
      expect?: unknown | undefined;
      file?: string | undefined;
      path?: string | undefined;
      text: string;
    };
    answer: MemoryFile;
  };
  writeSession: {
    args: {
      folder?: string | undefined;
      session: string;
    };
    answer: MemoryFile[];
  };
}

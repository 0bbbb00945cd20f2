// The public declarations, tried by the compiler: what is right compiles, and what is wrong does not. Nothing here runs.

import {
  type Block,
  type Compression,
  type CompressionResult,
  type Context,
  type DefaultNamespace,
  type Digest,
  type EmbedAllOptions,
  type Embedder,
  type Embedding,
  type EmbedProgress,
  type EntriesOptions,
  type Formats,
  type History,
  isBlock,
  type Json,
  type JsonlOptions,
  jsonl,
  type Line,
  type ListOptions,
  type LogCheck,
  type LogVerdict,
  type LongTerm,
  type LongTermMemory,
  type LongTermMode,
  type LongTermTool,
  type Memory,
  type MemoryChange,
  type MemoryDraft,
  type MemoryEntry,
  type MemoryEntryWithContent,
  MemoryError,
  type MemoryErrorCode,
  type MemoryEvents,
  type Message,
  type MessageInput,
  type MessagePage,
  type Metadata,
  type OpenOptions,
  openMemory,
  type Promoted,
  type Recalls,
  type RecordedEntry,
  type RecordOutcome,
  type Role,
  type SecretRule,
  type Session,
  type SessionInfo,
  type SessionOptions,
  type StorageAdapter,
  type StorageBatch,
  type StorageOp,
  type StoragePage,
  type StorageRange,
  type StorageSpace,
  type Summarize,
  type Trust,
  textOf,
  type Understand,
  type UnderstoodFact,
  type ViewItem,
} from "keepsake";
import {
  AutoContextConfig,
  AutoContextMemory,
  InMemoryMemory,
  keepsakeSession,
  type MessageList,
  SessionManager,
  type StateMessage,
  type StateModule,
} from "keepsake/agentscope";
import { jsonl as jsonlOfSubpath } from "keepsake/jsonl";
import { withWasm } from "keepsake/slim";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

type Page = { page: number; topic?: string };

export async function opening(adapter: StorageAdapter): Promise<void> {
  const plain = await openMemory({ user: "u-1" });
  same<Memory, typeof plain>(true);
  const noted = await openMemory({ user: "u-1", config: { namespaces: { notes: { ttlDays: 1 } } } });
  await noted.add("x", { namespace: "notes" });
  await noted.clear("notes");
  same<number, Awaited<ReturnType<typeof noted.stats>>["namespaces"]["notes"]>(true);
  // @ts-expect-error: not a namespace of this memory
  await plain.clear("notes");
  // @ts-expect-error: no such setting
  await openMemory({ user: "u-1", config: { retrieval: { topk: 3 } } });
  await openMemory({ user: "u-1", name: "app", storage: "indexeddb", now: Date.now });
  await openMemory({ user: "u-1", storage: "memory", random: (length) => new Uint8Array(length) });
  await openMemory({ user: "u-1", storage: adapter });
  await openMemory({ user: "u-1", name: undefined, storage: undefined, now: undefined, random: undefined });

  // @ts-expect-error: there is no memory without a user
  await openMemory({ storage: "memory" });
  // @ts-expect-error: nor without options
  await openMemory();
  // @ts-expect-error: a user is a text
  await openMemory({ user: 7 });
  // @ts-expect-error: no such option
  await openMemory({ user: "u-1", tenant: "t-1" });
  // @ts-expect-error: no such storage
  await openMemory({ user: "u-1", storage: "floppy" });
  // @ts-expect-error: half an adapter is none
  await openMemory({ user: "u-1", storage: { get: adapter.get, scan: adapter.scan } });
  // @ts-expect-error: a clock gives milliseconds
  await openMemory({ user: "u-1", now: () => new Date() });
  // @ts-expect-error: metadata is JSON
  await openMemory<{ when: Date }>({ user: "u-1" });
  // @ts-expect-error: a memory comes from `openMemory`
  new Memory();
}

export async function inAFile(options: JsonlOptions): Promise<void> {
  const storage = jsonl("./memory.jsonl", { compactAbove: 5_000_000 });
  same<StorageAdapter, typeof storage>(true);
  same<typeof jsonl, typeof jsonlOfSubpath>(true);
  await openMemory({ user: "u-1", storage });
  await openMemory({ user: "u-1", storage: jsonlOfSubpath("./memory.jsonl", options) });
  // @ts-expect-error: a file has a path
  jsonl();
  // @ts-expect-error: a number of bytes
  jsonl("./memory.jsonl", { compactAbove: "1 MB" });
}

export async function slim(bytes: ArrayBuffer, module: WebAssembly.Module): Promise<void> {
  const open = withWasm(async () => bytes);
  same<typeof open, typeof openMemory>(true);
  same<Memory<Page>, Awaited<ReturnType<typeof open<Page>>>>(true);
  withWasm(async () => module);
  withWasm(async () => new Uint8Array());
  // @ts-expect-error: a module has to be found
  withWasm(async () => null);
}

export async function adding(memory: Memory): Promise<void> {
  same<MemoryEntry, Awaited<ReturnType<typeof memory.add>>>(true);
  await memory.add("text");
  await memory.add("text", {});
  await memory.add("text", {
    id: "own",
    namespace: "long-term",
    tags: ["a", "b"],
    importance: 0.5,
    source: "handbook",
    metadata: { page: 12, nested: [null, { deep: true }] },
  });
  await memory.add("text", { id: undefined, namespace: undefined, tags: undefined, metadata: undefined });

  same<MemoryEntry[], Awaited<ReturnType<typeof memory.addMany>>>(true);
  await memory.addMany([]);
  await memory.addMany([{ content: "text" }, { content: "text", id: "own", namespace: "long-term" }], {
    onProgress: ({ done, total }) => void (done / total),
    signal: AbortSignal.timeout(1000),
  });
  // @ts-expect-error: a draft has a content
  await memory.addMany([{ id: "own" }]);
  // @ts-expect-error: an array
  await memory.addMany("text");

  // @ts-expect-error: nothing to remember
  await memory.add();
  // @ts-expect-error: content is a text
  await memory.add({ content: "text" });
  // @ts-expect-error: no such namespace
  await memory.add("text", { namespace: "mid-term" });
  // @ts-expect-error: importance is a number
  await memory.add("text", { importance: "high" });
  // @ts-expect-error: tags are a list
  await memory.add("text", { tags: "a,b" });
  // @ts-expect-error: no such field
  await memory.add("text", { contnet: "typo" });
  // @ts-expect-error: metadata is an object
  await memory.add("text", { metadata: "page 12" });
  // @ts-expect-error: metadata is JSON, and a date is not
  await memory.add("text", { metadata: { when: new Date() } });
  // @ts-expect-error: metadata is JSON, and a function is not
  await memory.add("text", { metadata: { act: () => 1 } });
}

export async function embedding(memory: Memory): Promise<void> {
  same<Embedding, Float32Array | number[]>(true);
  same<Embedder, (texts: string[]) => Promise<Embedding[]>>(true);
  const model: Embedder = async (texts) => texts.map(() => new Float32Array(3));
  await openMemory({ user: "u-1", embedder: model, onEmbedderError: (error: unknown) => void error });
  await openMemory({ user: "u-1", embedder: async (texts) => texts.map((text) => [text.length]) });
  await openMemory({ user: "u-1", embedder: undefined, onEmbedderError: undefined });
  await openMemory({ user: "u-1", config: { vectors: "f32" } });
  await memory.add("text", { embedding: [0.1, 0.2] });
  await memory.update("id", { content: "text", embedding: new Float32Array(2) });
  await memory.search("text", { embedding: [0.1, 0.2] });
  await memory.explainMiss("id", "text", { embedding: [0.1, 0.2] });
  same<Promise<number>, ReturnType<typeof memory.embedAll>>(true);
  same<EmbedProgress, { done: number; total: number }>(true);
  const options: EmbedAllOptions = {
    batchSize: 8,
    onProgress: (progress) => same<EmbedProgress, typeof progress>(true),
    signal: new AbortController().signal,
  };
  await memory.embedAll(options);
  await memory.embedAll();

  // @ts-expect-error: answers come later
  await openMemory({ user: "u-1", embedder: (texts: string[]) => texts.map(() => [1]) });
  // @ts-expect-error: one embedding is not one a text
  await openMemory({ user: "u-1", embedder: async () => new Float32Array(3) });
  // @ts-expect-error: no such kind of vectors
  await openMemory({ user: "u-1", config: { vectors: "int4" } });
  // @ts-expect-error: an embedding is numbers
  await memory.add("text", { embedding: ["0.1"] });
  // @ts-expect-error: nor is it bytes
  await memory.search("text", { embedding: new Uint8Array(3) });
  // @ts-expect-error: entries do not carry theirs
  (await memory.get("id"))?.embedding;
  // @ts-expect-error: a batch is so many
  await memory.embedAll({ batchSize: "all" });
}

export async function reading(memory: Memory): Promise<void> {
  same<MemoryEntryWithContent | null, Awaited<ReturnType<typeof memory.get>>>(true);
  same<MemoryEntry[], Awaited<ReturnType<typeof memory.list>>>(true);
  await memory.list();
  await memory.list({ namespace: "short-term", limit: 10, after: "id" });
  await memory.list({ namespace: undefined, limit: undefined, after: undefined });
  const found = await memory.get("id");

  // @ts-expect-error: there may be no such entry
  found.content;
  if (found !== null) same<string, typeof found.content>(true);
  // @ts-expect-error: a list has no contents
  (await memory.list())[0]?.content;
  // @ts-expect-error: an id is a text
  await memory.get(7);
  // @ts-expect-error: no such option
  await memory.list({ offset: 3 });
  // @ts-expect-error: a limit is a number
  await memory.list({ limit: "all" });
  // @ts-expect-error: no such namespace
  await memory.list({ namespace: "all" });
}

export async function goingThrough(memory: Memory<Page, "notes">, signal: AbortSignal): Promise<void> {
  const options: EntriesOptions<"notes"> = { namespace: "notes", pageSize: 10 };
  for await (const entry of memory.entries(options)) same<MemoryEntry<Page, "notes">, typeof entry>(true);
  for await (const { metadata } of memory.entries()) same<Page, typeof metadata>(true);
  await memory.ingest("text", { source: "a.md", signal });
  await memory.session("s").compress(undefined, { signal });
  // @ts-expect-error: no such namespace
  memory.entries({ namespace: "all" });
  // @ts-expect-error: pages are counted by themselves
  memory.entries({ after: "id" });
  // @ts-expect-error: a list is one promise, entries are many
  await memory.entries().then;
}

export function listening(memory: Memory): void {
  const off = memory.on("change", (change) => same<MemoryChange, typeof change>(true));
  same<() => void, typeof off>(true);
  memory.on("change", ({ local, session }) => {
    same<boolean, typeof local>(true);
    same<string | undefined, typeof session>(true);
  });
  for (const event of ["quota", "conflict", "superseded"] as const) {
    memory.on(event, ({ error }) => same<MemoryError, typeof error>(true));
  }
  memory.on("change", async () => {});
  memory.on("evicted", ({ id, namespace }) => same<[string, string], [typeof id, typeof namespace]>(true));
  same<"change" | "evicted" | "quota" | "conflict" | "superseded", keyof MemoryEvents>(true);
  // @ts-expect-error: no such event
  memory.on("changed", () => {});
  // @ts-expect-error: an event that could be any text is none in particular
  memory.on("change" as string, () => {});
  // @ts-expect-error: a change has no error
  memory.on("change", ({ error }) => error);
  // @ts-expect-error: and trouble is not local
  memory.on("quota", ({ local }) => local);
  // @ts-expect-error: somebody has to listen
  memory.on("change");
}

export async function metadata(): Promise<void> {
  const memory = await openMemory<Page>({ user: "u-1" });
  same<Memory<Page>, typeof memory>(true);
  const added = await memory.add("text", { metadata: { page: 12, topic: "keys" } });
  same<Page, typeof added.metadata>(true);
  for (const { metadata } of await memory.list()) same<Page, typeof metadata>(true);
  const found = await memory.get("id");
  if (found !== null) same<string | undefined, typeof found.metadata.topic>(true);

  // @ts-expect-error: this memory's metadata has a page
  await memory.add("text", { metadata: { topic: "keys" } });
  // @ts-expect-error: which is a number
  await memory.add("text", { metadata: { page: "12" } });
  // @ts-expect-error: and nothing else
  await memory.add("text", { metadata: { page: 12, chapter: 1 } });
  // @ts-expect-error: nothing else comes out either
  found?.metadata.chapter;

  const untyped = await openMemory({ user: "u-1" });
  for (const { metadata } of await untyped.list()) same<Metadata, typeof metadata>(true);
}

export async function handle(memory: Memory): Promise<void> {
  same<boolean, typeof memory.persistent>(true);
  same<string | undefined, typeof memory.storageProblem>(true);
  same<Promise<void>, ReturnType<typeof memory.flush>>(true);
  same<Promise<void>, ReturnType<typeof memory.close>>(true);
  await using disposed = memory;
  same<Memory, typeof disposed>(true);
  // @ts-expect-error: readonly
  memory.persistent = true;
  // @ts-expect-error: readonly
  memory.storageProblem = "none";
  // @ts-expect-error: what it runs on is its own business
  memory.engine;
}

export function entry(entry: MemoryEntryWithContent<Page>): void {
  same<
    MemoryEntryWithContent<Page>,
    {
      id: string;
      namespace: DefaultNamespace;
      summary: string;
      contentLength: number;
      truncated: boolean;
      tags: string[];
      importance: number;
      source?: string;
      metadata: Page;
      key?: string;
      session?: string;
      agent?: string;
      speaker?: string;
      trust: Trust;
      version: number;
      at: string;
      validFrom?: string;
      validUntil?: string;
      replaces?: string;
      secrets?: string[];
      promoted?: Promoted;
      count?: number;
      seenAt?: string;
      createdAt: string;
      updatedAt: string;
      expiresAt: string;
      content: string;
    }
  >(true);
  const short: MemoryEntry<Page> = entry;
  same<DefaultNamespace, typeof short.namespace>(true);
}

export function errors(caught: unknown): void {
  if (!(caught instanceof MemoryError)) return;
  const error: Error = caught;
  same<"MemoryError", typeof caught.name>(true);
  same<MemoryErrorCode, typeof caught.code>(true);
  same<string | undefined, typeof caught.field>(true);
  if (caught.code === "quota-exceeded") error.message;
  // @ts-expect-error: no such code
  if (caught.code === "disk-full") error.message;
  // @ts-expect-error: readonly
  caught.code = "closed";
  // @ts-expect-error: readonly
  caught.field = "content";
  // @ts-expect-error: readonly
  caught.name = "MemoryError";
  // @ts-expect-error: no such code
  new MemoryError("disk-full", "no room");
  new MemoryError("quota-exceeded", "no room", { field: "content", cause: caught });
}

export function codes(code: MemoryErrorCode): string {
  switch (code) {
    case "invalid-input":
    case "too-large":
    case "already-exists":
    case "not-found":
    case "conflict":
    case "quota-exceeded":
    case "blocked":
    case "superseded":
    case "newer-version":
    case "unavailable":
    case "store-lost":
    case "storage-failed":
    case "corrupt":
    case "closed":
    case "environment":
    case "crashed":
      return code;
    default:
      // A code that is not above would not be `never` here.
      return code satisfies never;
  }
}

export function storage(): void {
  const adapter: StorageAdapter = {
    get: async (space, keys) => {
      same<StorageSpace, typeof space>(true);
      return keys.map((key) => (key.length > 0 ? key : undefined));
    },
    scan: async (_space, range, limit) => {
      same<StorageRange, typeof range>(true);
      same<number, typeof limit>(true);
      return { items: [[range.start, range.end ?? range.start]], next: range.end };
    },
    commit: async (batch) => {
      same<StorageBatch, typeof batch>(true);
      return batch.ops.every((op) => op.type !== "delete-range");
    },
    close: async () => {},
  };
  // @ts-expect-error: `commit` says whether it wrote
  const silent: StorageAdapter = { ...adapter, commit: async () => {} };
  // @ts-expect-error: a scan answers a page
  const flat: StorageAdapter = { ...adapter, scan: async () => [] };
  // @ts-expect-error: values are bytes
  const texts: StorageAdapter = { ...adapter, get: async (_space, keys) => keys.map(() => "text") };
  // @ts-expect-error: answers come later
  const hasty: StorageAdapter = { ...adapter, get: () => [] };
  // @ts-expect-error: `close` is there
  const open: StorageAdapter = { get: adapter.get, scan: adapter.scan, commit: adapter.commit };
  void [silent, flat, texts, hasty, open];
}

export function operations(bytes: Uint8Array): StorageOp[] {
  return [
    { type: "put", space: "records", key: bytes, value: bytes },
    { type: "delete", space: "log", key: bytes },
    { type: "delete-range", space: "index", range: { start: bytes } },
    // @ts-expect-error: a put has a value
    { type: "put", space: "records", key: bytes },
    // @ts-expect-error: no such space
    { type: "delete", space: "cellar", key: bytes },
    // @ts-expect-error: no such change
    { type: "rename", space: "meta", key: bytes },
  ];
}

export function plain(): void {
  const json: Json = [1, "two", null, { three: [false] }];
  const draft: MemoryDraft<Page> = { metadata: { page: 1 } };
  const options: OpenOptions = { user: "u-1" };
  const listing: ListOptions = {};
  const page: StoragePage = { items: [] };
  same<DefaultNamespace, "short-term" | "long-term">(true);
  same<Trust, "low" | "normal" | "high">(true);
  same<SecretRule, "redact" | "refuse">(true);
  same<StorageSpace, "meta" | "records" | "bodies" | "log" | "index">(true);
  // @ts-expect-error: `undefined` is not JSON
  const hole: Json = { a: undefined };
  void [json, draft, options, listing, page, hole];
}

export async function talking(memory: Memory): Promise<void> {
  const chat = memory.session("s-1", { agent: "helper" });
  same<Session, typeof chat>(true);
  const one = await chat.append({ role: "user", content: "hello" });
  same<Message, typeof one>(true);
  const several = await chat.append([
    { role: "USER", content: [{ type: "text", text: "hello" }], at: 0, pinned: true, metadata: { a: 1 } },
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "t", input: { city: "Beijing" } }] },
    { role: "tool", content: [{ type: "tool_result", toolUseId: "c", output: "Sunny" }] },
    { role: "tool", content: [{ type: "weather_map", layers: [1, null] }] },
  ]);
  same<Message[], typeof several>(true);
  await chat.append(several);
  same<Role, typeof one.role>(true);
  same<MessagePage, Awaited<ReturnType<typeof chat.messages>>>(true);
  same<Message | null, Awaited<ReturnType<typeof chat.message>>>(true);
  same<SessionInfo | null, Awaited<ReturnType<typeof chat.info>>>(true);
  same<ViewItem[], Awaited<ReturnType<typeof chat.view>>>(true);
  same<History[], Awaited<ReturnType<typeof chat.histories>>>(true);
  same<Session, Awaited<ReturnType<typeof chat.fork>>>(true);
  same<number, Awaited<ReturnType<typeof chat.delete>>>(true);
  same<SessionInfo[], Awaited<ReturnType<typeof memory.sessions>>>(true);
  for await (const message of chat.all()) same<Message, typeof message>(true);
  await chat.messages({ limit: 10, before: one.id });

  // @ts-expect-error: no such role
  await chat.append({ role: "robot", content: "x" });
  // @ts-expect-error: somebody says it
  await chat.append({ content: "x" });
  // @ts-expect-error: something is said
  await chat.append({ role: "user" });
  // @ts-expect-error: a block has a type
  await chat.append({ role: "user", content: [{ text: "x" }] });
  // @ts-expect-error: no such field
  await chat.append({ role: "user", content: "x", contnt: 1 });
  // @ts-expect-error: blocks are JSON
  await chat.append({ role: "user", content: [{ type: "chart", act: () => 1 }] });
  // @ts-expect-error: a fork has a beginning
  await chat.fork({ to: "s-2" });
  // @ts-expect-error: readonly
  chat.id = "s-2";
  // @ts-expect-error: a session comes from `memory.session`
  new Session();
}

export function blocks(block: Block, message: MessageInput): void {
  if (isBlock(block, "tool_result")) same<Block[], typeof block.output>(true);
  if (isBlock(block, "text")) same<string, typeof block.text>(true);
  same<string, ReturnType<typeof textOf>>(true);
  textOf(message);
  // @ts-expect-error: no such kind
  isBlock(block, "chart");
}

export async function compressing(memory: Memory, summarize: Summarize): Promise<void> {
  const ways: (Compression | false)[] = [
    "tree-reduce",
    "progressive",
    false,
    { type: "tree-reduce", contextTokens: 8000, compressionThreshold: 0.8, chunkSize: 10 },
    { type: "progressive", msgThreshold: 30, tokenRatio: 0.3, lastKeep: 10, largePayload: 1, preview: 1 },
  ];
  const options: SessionOptions = { summarize, summarizeTimeout: 1000, onError: console.warn };
  for (const compression of ways) memory.session("s", { ...options, compression });
  memory.session("s", {
    summarize: async (messages, { maxTokens, texts, task, signal }) => {
      same<Message[], typeof messages>(true);
      same<"summarise" | "merge", typeof task>(true);
      same<AbortSignal, typeof signal>(true);
      return texts.join().slice(0, maxTokens);
    },
  });
  const chat = memory.session("s");
  same<CompressionResult, Awaited<ReturnType<typeof chat.compress>>>(true);
  await chat.compress({ type: "progressive" });
  await chat.idle();
  // @ts-expect-error: no such way
  memory.session("s", { compression: "zip" });
  // @ts-expect-error: a setting of the other way
  memory.session("s", { compression: { type: "tree-reduce", lastKeep: 3 } });
  // @ts-expect-error: a summary is a text
  memory.session("s", { summarize: async () => 7 });
}

export async function prompting(memory: Memory, chat: Session): Promise<void> {
  const plain = () =>
    chat.context({ query: "snacks", budget: 4000, include: ["turn", "memory"], window: 20 });
  same<Context, Awaited<ReturnType<typeof plain>>>(true);
  const openai = await chat.context({ budget: 4000, format: "openai" });
  same<Formats["openai"], typeof openai.messages>(true);
  const anthropic = await memory.format("anthropic", []);
  same<"user" | "assistant" | undefined, (typeof anthropic.messages)[0]["role"] | undefined>(true);
  same<MessageInput[], Awaited<ReturnType<typeof memory.parse>>>(true);
  same<Line[], Awaited<ReturnType<typeof memory.toLines>>>(true);
  await memory.fromLines([{ type: "action", tool: "t", params: {}, ts: "2025-01-02" }]);
  const used = (await chat.context()).used[0];
  if (used?.kind === "memory") used.ref;
  // @ts-expect-error: no such kind
  if (used?.kind === "dream") used.ref;
  // @ts-expect-error: no such form
  await chat.context({ format: "morse" });
  // @ts-expect-error: no such form
  await memory.format("morse", []);
  // @ts-expect-error: no such kind
  await chat.context({ include: ["dreams"] });
}

export async function remembering(memory: Memory): Promise<void> {
  const longTerm = memory.longTerm({ mode: "BOTH", recordFilter: (messages) => messages.map(textOf) });
  same<LongTerm, typeof longTerm>(true);
  same<LongTermTool[], typeof longTerm.tools>(true);
  same<LongTermMode, typeof longTerm.mode>(true);
  same<string, Awaited<ReturnType<typeof longTerm.retrieve>>>(true);
  const [recorded] = await longTerm.record([]);
  same<RecordedEntry | undefined, typeof recorded>(true);
  same<RecordOutcome | undefined, NonNullable<typeof recorded>["outcome"] | undefined>(true);
  const store: LongTermMemory = { record: async () => 1, retrieve: () => "" };
  memory.longTerm({ store });
  const understand: Understand = async ({ role }) =>
    role === "user" ? [{ text: "Likes tea", slot: "tea" }] : null;
  memory.longTerm({ understand, understandTimeout: 100 });
  // @ts-expect-error: a fact has a text
  const fact: UnderstoodFact = { slot: "tea" };
  memory.longTerm({ understand: () => [fact] });
  const sent = await longTerm.beforeReasoning([{ role: "user", content: "hi" }]);
  await memory.format("openai", sent);
  same<void, ReturnType<typeof longTerm.afterReply>>(true);
  same<Recalls, Awaited<ReturnType<typeof memory.queryMemory>>>(true);
  same<Digest, Awaited<ReturnType<typeof memory.digest>>>(true);
  same<LogVerdict, Awaited<ReturnType<typeof memory.log.verify>>>(true);
  same<LogCheck, Awaited<ReturnType<typeof memory.log.check>>>(true);
  same<string, Awaited<ReturnType<typeof memory.log.export>>>(true);
  same<number, Awaited<ReturnType<typeof memory.countTokens>>>(true);
  await memory.ingest("text", { source: "a.md", tags: ["x"], namespace: "long-term" });
  await openMemory({ user: "u-1", countTokens: (text) => text.length });
  // @ts-expect-error: no such mode
  memory.longTerm({ mode: "MANUAL" });
  // @ts-expect-error: a document has a name
  await memory.ingest("text", {});
  // @ts-expect-error: tokens are a number
  await openMemory({ user: "u-1", countTokens: () => "many" });
}

export async function agentscope(memory: Memory): Promise<void> {
  const list = new InMemoryMemory();
  same<readonly StateMessage[], ReturnType<typeof list.getMessages>>(true);
  // @ts-expect-error: to be read only
  list.getMessages().push({ role: "user", content: [] });
  const config = AutoContextConfig.builder().msgThreshold(30).tokenRatio(0.3).lastKeep(10).build();
  const auto = new AutoContextMemory(config, { memory, sessionId: "s" });
  const lists: MessageList[] = [list, auto];
  for (const each of lists) await each.addMessage({ role: "USER", content: "hi" });
  const agent: StateModule = { saveState: () => ({ on: true }), loadState: ({ on }) => void on };
  const manager = SessionManager.forSessionId("user123")
    .withSession(keepsakeSession(memory))
    .addComponent(agent)
    .addComponent(list);
  same<boolean, Awaited<ReturnType<typeof manager.loadIfExists>>>(true);
  // @ts-expect-error: a manager has an id
  new SessionManager("user123");
  // @ts-expect-error: what cannot be saved cannot join
  manager.addComponent({ loadState: () => {} });
}

/// <reference lib="esnext.disposable" preserve="true" />
// The handle that apps hold: one user's memory.

import { Background } from "../base/background.js";
import { optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Answer, Args, Verb } from "../engine/calls.js";
import type { EngineSeam } from "../engine/engine.js";
import type { MemoryEvents } from "../engine/events.js";
import { type Digest, type DigestOptions, type Recalls, recalls } from "../wire/digest.js";
import type { MemoryFunctions } from "../wire/documented.js";
import type { EmbedAllOptions } from "../wire/embedding.js";
import type { Format, Formats } from "../wire/formats.js";
import type { Learned } from "../wire/learning.js";
import type { Line, MessageInput } from "../wire/messages.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { FullPolicy } from "../wire/policy.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Ingested, IngestOptions, RecallOptions } from "../wire/recall.js";
import type { MemoryResultItem, MemoryScope, MemoryWritten } from "../wire/scopes.js";
import type { MemoryHit, MemoryMiss, SearchOptions } from "../wire/search.js";
import type { SessionInfo } from "../wire/sessions.js";
import { spelled } from "../wire/spelling.js";
import type { ToolResult } from "../wire/tools.js";
import type {
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
} from "../wire/types.js";
import type { Verification, VerifyOptions } from "../wire/verify.js";
import { Collection } from "./collection.js";
import { Core, type CoreOptions } from "./core.js";
import { said } from "./embedder.js";
import { type EntriesOptions, entriesOf } from "./entries.js";
import type { Either, IMemory, MemoryQuery, MemoryWriteEvent, Own } from "./facade/scopes.js";
import { MemoryFiles } from "./files/files.js";
import { type IdleLearning, type IdleOptions, learnWhenIdle } from "./learning/idle.js";
import { type LearnOptions, learn } from "./learning/learn.js";
import { type Log, logOf } from "./log.js";
import { LongTerm, type LongTermOptions } from "./long-term.js";
import { Session, type SessionOptions } from "./session.js";
import { DialogMemory } from "./stores/dialog.js";
import { ExperienceMemory } from "./stores/experience.js";
import { KnowledgeBase, type KnowledgeOptions } from "./stores/knowledge.js";
import { ProceduralMemory } from "./stores/procedural.js";
import { ProfileMemory } from "./stores/profile.js";
import { plainDocument, plainDocuments, SemanticMemory } from "./stores/semantic.js";
import { StateMemory } from "./stores/state.js";
import { inWords } from "./stores/thrown.js";
import { callTool, type ToolForms, type ToolName, type ToolOptions, type ToolScope } from "./tools.js";

/** What a memory is made with. */
export interface MemoryOptions extends CoreOptions, KnowledgeOptions {
  user: string;
  persistent: boolean;
  problem?: string | undefined;
}

/** The stores of a memory, and its files. */
type Stores = Pick<
  Memory,
  "dialog" | "state" | "semantic" | "procedural" | "profile" | "experience" | "files"
>;

/**
 * One user's memory. Calls may overlap; writes happen in the order they were made. Every call that fails rejects with a
 * `MemoryError` and leaves nothing half done.
 */
export class Memory<M extends Metadata = Metadata, N extends string = never> implements IMemory<"own"> {
  /** Whose memory it is. */
  readonly user: string;
  /** Whether what is added is there after the program ends. */
  readonly persistent: boolean;
  /** Why it is not persistent although it could have been: the storage was refused. */
  readonly storageProblem: string | undefined;
  /** The log of everything that was written: whether it is whole, and a session of it as JSONL. */
  readonly log: Log;
  readonly #core: Core;
  readonly #background = new Background();
  readonly #knowledge: KnowledgeBase | undefined;
  readonly #stores: Partial<Stores> = {};

  /** @internal Use `openMemory`. */
  constructor(engine: EngineSeam, options: MemoryOptions) {
    this.#core = new Core(engine, options);
    this.#knowledge = KnowledgeBase.of(options, this.#background);
    this.log = logOf(this.#core.calls);
    this.user = options.user;
    this.persistent = options.persistent;
    this.storageProblem = options.problem;
  }

  /**
   * Remembers `content`. Answers what is kept of it, without the content. A draft with the `key` of another entry takes
   * that entry's place. Without a `namespace` the entry is short-term: it expires after 14 days, and a namespace with
   * 2,000 entries drops its least important one. Pass `namespace: "long-term"` to keep it.
   */
  async add(
    content: string,
    draft: MemoryDraft<M, N> = {},
    options?: WriteOptions,
  ): Promise<MemoryEntry<M, N>> {
    const text = () => said(content, draft?.speaker);
    const args = { ...once(options), ...draft, content };
    return this.#core.writeText<"add", M, N>("add", args, content, text, () => draft?.namespace);
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string): Promise<MemoryEntryWithContent<M, N> | null> {
    return this.#core.calls.ask<"get", M, N>("get", { id });
  }

  /** Changes an entry. What it was stays in its `history`. Rejects with `not-found` if there is none. */
  async update(id: string, changes: MemoryChanges<M, N>, options?: WriteOptions): Promise<MemoryEntry<M, N>> {
    const content = changes?.content;
    // An update keeps speaker and namespace, which only the stored entry has.
    const before = async () => this.get(id).catch(() => null);
    const text = async () => said(content ?? "", (await before())?.speaker);
    const namespace = async () => changes?.namespace ?? (await before())?.namespace;
    const args = { ...once(options), ...changes, id };
    return this.#core.writeText<"update", M, N>("update", args, content, text, namespace);
  }

  /** What the entry was before, oldest first; empty if it was never changed, or is no longer there. */
  async history(id: string): Promise<MemoryEntryWithContent<M, N>[]> {
    return this.#core.calls.ask<"history", M, N>("history", { id });
  }

  /** Takes an entry away for good, with its history. Answers whether it was there. */
  async delete(id: string, options?: WriteOptions): Promise<boolean> {
    return this.#core.write<"delete", M, N>("delete", { ...once(options), id });
  }

  /** Searches everything there is. Hits come best first, without their contents. */
  async search(query: string, options: SearchOptions<N> = {}): Promise<MemoryHit<N>[]> {
    return this.#core.ask<"search", M, N>("search", { ...options, query });
  }

  /** Why the entry with this id is not among the hits of a search, or that it is. */
  async explainMiss(id: string, query: string, options: SearchOptions<N> = {}): Promise<MemoryMiss> {
    return this.#core.ask<"explainMiss", M, N>("explainMiss", { ...options, id, query });
  }

  /**
   * Gives an embedding to every entry, message and history that has none: after an embedder was added to an app, or could not
   * be reached.
   * Answers how many have got one. Rejects if the embedder does; what was embedded before stays.
   */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    return this.#core.embedAll(options);
  }

  /** @internal Use `memoryFunctions`. */
  async documented<F extends keyof MemoryFunctions & Verb>(name: F, args: Args<F>): Promise<Answer<F>> {
    return DOCUMENTED_READS.includes(name) ? this.#core.calls.ask(name, args) : this.#core.write(name, args);
  }

  /** @internal Use `memoryFunctions`. */
  async documentedAdd(args: Args<"memoryAdd">): Promise<Answer<"memoryAdd">> {
    return this.#core.documentedAdd(args);
  }

  /** @internal A verb with arguments that the core checks, for the HTTP API. With `write` it may change something. */
  async byVerb(verb: string, args: Record<string, unknown>, write?: WriteOptions): Promise<unknown> {
    return this.#core.calls.unchecked(verb, { ...once(write), ...args }, write !== undefined);
  }

  /** Entries without their contents, newest first. */
  async list(options: ListOptions<N> = {}): Promise<MemoryEntry<M, N>[]> {
    return this.#core.calls.ask<"list", M, N>("list", { ...options });
  }

  /**
   * All entries without their contents, newest first, read in pages: `for await (const entry of memory.entries())`.
   * Each comes once; of what is added or taken away meanwhile some may be missing.
   */
  entries(options: EntriesOptions<N> = {}): AsyncGenerator<MemoryEntry<M, N>, void, undefined> {
    return entriesOf((page) => this.list(page), options);
  }

  /** How many entries there are, in one namespace or in all. */
  async count(namespace?: DefaultNamespace | N): Promise<number> {
    return this.#core.calls.ask<"count", M, N>("count", { namespace });
  }

  /** How many entries there are, in all and in each namespace. */
  async stats(): Promise<MemoryStats<N>> {
    return this.#core.calls.ask<"stats", M, N>("stats", {});
  }

  /** Takes away everything, or everything in one namespace. Answers how many entries that were. */
  async clear(namespace?: DefaultNamespace | N, options: WatchOptions & WriteOptions = {}): Promise<number> {
    known(options, "onProgress signal idempotencyKey");
    const { idempotencyKey, ...watch } = optionsIn(options);
    return this.#core.write<"clear", M, N>("clear", { ...once({ idempotencyKey }), namespace }, watch);
  }

  /** Takes away what has expired, which nothing shows any more. Answers how many entries that were. */
  async cleanup(options: WatchOptions = {}): Promise<number> {
    known(options, "onProgress signal");
    return this.#core.write<"cleanup", M, N>("cleanup", {}, optionsIn(options));
  }

  /**
   * Checks everything that is stored: the log, each record that it speaks of, the counts of sessions, and the index. With
   * `repair`, the index, counts and ids are rebuilt, and things of which nothing is left are given up, so that the rest can
   * be used. Each is named in `problems`.
   */
  async verify(options: VerifyOptions = {}): Promise<Verification> {
    known(options, "repair onProgress signal");
    const { repair, ...watch } = optionsIn(options);
    return this.#core.write<"verify", M, N>("verify", { repair }, watch);
  }

  /** The conversation of this id, which begins with the first `append`. */
  session(id: string, options: SessionOptions = {}): Session {
    return new Session(this.#core, this.#background, id, options);
  }

  /** All conversations, the last used first. */
  async sessions(): Promise<SessionInfo[]> {
    return this.#core.calls.ask("sessions", {});
  }

  /**
   * The tools of this memory, for a model of that maker.
   *
   * @example
   * const tools = await memory.tools("anthropic", { agent: "planner" });
   */
  async tools<F extends keyof ToolForms>(format: F, options: ToolOptions = {}): Promise<ToolForms[F][]> {
    return this.#core.calls.ask<"tools", M, N, ToolForms[F]>("tools", { ...options, format });
  }

  /**
   * Does what a model asks for. What the model did wrong is an answer, with `isError`; it rejects only for what no model
   * can mend, such as a full disk.
   *
   * @param args - The arguments as the model gave them: an object, or its JSON text.
   */
  async call(name: ToolName | (string & {}), args: unknown, scope: ToolScope = {}): Promise<ToolResult> {
    return callTool(this.#core, this.files, name, args, scope);
  }

  /**
   * How an agent works with its memory, in a few lines for its system prompt: short answers, references instead of
   * repetitions, `query_memory` for what was earlier, and trust in the summaries.
   */
  async guidance(): Promise<string> {
    return this.#core.calls.ask("guidance", {});
  }

  /** Long-term memory for an agent's loop. */
  longTerm(options: LongTermOptions = {}): LongTerm {
    return new LongTerm(this.#core, this.#background, options);
  }

  /**
   * Looks through everything: memories, all conversations, their histories, and documents. Best first. If the question asks
   * for an overview or an order, the array's `digest` has that.
   */
  async queryMemory(query: string, options: RecallOptions = {}): Promise<Recalls> {
    this.#core.catchUp(this.#background);
    return recalls(await this.#core.ask("queryMemory", { ...options, query }));
  }

  /**
   * Topics, decisions and dates of the conversations, in the order of time and within a budget. It is made of
   * stored summaries, and of messages where there are none; it calls no model and stores nothing. If there is more than
   * the budget can hold, the newest conversations are in it.
   *
   * @example
   * const { sessions, left } = await memory.digest({ since: "2026-03-01T00:00:00Z", maxTokens: 500 });
   */
  async digest(options: DigestOptions = {}): Promise<Digest> {
    return this.#core.calls.ask("digest", { ...options });
  }

  /** Takes a document in, split where its meaning is. An earlier one of the same source is replaced. */
  async ingest(text: string, options: IngestOptions<N>): Promise<Ingested> {
    const { onProgress, signal, ...how } = { ...options };
    return this.#core.remember("ingest", { ...how, text }, { onProgress, signal });
  }

  /** What the asked scopes know, in the asked order and in one view; only those that the policy lets through. */
  async read<S extends MemoryScope>(query: Either<Own<MemoryQuery<S>>>): Promise<MemoryResultItem<S>[]> {
    const asked: Args<"read"> = { ...query };
    const semantic = Array.isArray(asked.scopes) && asked.scopes.includes("semantic");
    if (!semantic) return this.#core.calls.ask<"read", M, N, S>("read", asked);
    const ask = (external?: unknown) => {
      const extra = external ? { ...asked.extra, external } : asked.extra;
      return this.#core.ask<"read", M, N, S>("read", { ...asked, extra });
    };
    if (!this.#knowledge || typeof asked.query !== "string") return ask();
    const place = { flowId: spelled(asked, "flowId"), agentId: spelled(asked, "agentId") };
    const policy = await this.#core.calls.ask("policy", place);
    return policy.use_semantic ? this.#knowledge.fused(asked.query, policy.max_docs, ask) : ask();
  }

  /** Keeps something in the scope that the event names. Answers whether it did: a policy may say no. */
  async write(event: Either<Own<MemoryWriteEvent>>): Promise<MemoryWritten> {
    const told = { ...event, data: plainData(event) };
    const remembers = told.scope === "semantic";
    const written = await (remembers ? this.#core.remember("write", told) : this.#core.write("write", told));
    const session = spelled(told, "sessionId");
    if (told.scope === "dialog" && typeof session === "string") this.session(session).compressSoon();
    return written;
  }

  /** Takes away everything of a session: what was said and recorded, its states and its experience. */
  async deleteSession(userId: string, sessionId: string): Promise<void> {
    if (userId !== this.user) throw refused("userId", "must be the user of this memory");
    await this.session(sessionId).delete();
  }

  /** The policy that holds for a flow and an agent, every field of it. Default: of none in particular. */
  async policy(of: { flowId?: string | undefined; agentId?: string | undefined } = {}): Promise<FullPolicy> {
    return this.#core.calls.ask("policy", { ...of });
  }

  /** Conversations: what was said, in short and in full. */
  get dialog(): DialogMemory {
    return this.#store("dialog", () => new DialogMemory(this.#core, (id) => this.session(id)));
  }

  /** Where flows stand, and stood. */
  get state(): StateMemory {
    return this.#store("state", () => new StateMemory(this.#core));
  }

  /** Knowledge: documents, and a graph. */
  get semantic(): SemanticMemory {
    return this.#store("semantic", () => new SemanticMemory(this.#core, this.#knowledge));
  }

  /** Skills: how something is done. */
  get procedural(): ProceduralMemory {
    return this.#store("procedural", () => new ProceduralMemory(this.#core));
  }

  /** Who the user is and what they want. */
  get profile(): ProfileMemory {
    return this.#store("profile", () => new ProfileMemory(this.#core));
  }

  /** What was tried, and how it went. */
  get experience(): ExperienceMemory {
    return this.#store("experience", () => new ExperienceMemory(this.#core));
  }

  /** Files of Markdown: agents' own, in documented shapes, and any other; in real folders, too. */
  get files(): MemoryFiles {
    return this.#store("files", () => new MemoryFiles(this.#core, this.#background.stopped));
  }

  /** An app's own values by key, in a collection of this name. */
  collection<T = Json>(name: string): Collection<T> {
    return new Collection(this.#core.calls, name);
  }

  /**
   * Learns from experience: what went well becomes skills, what went wrong becomes guards. Nothing is learned twice from
   * a trace. Rejects if `extractSkill` does; what was learned before stays, and the traces are there the next time.
   */
  async learn(options: LearnOptions = {}): Promise<Learned> {
    return learn(this.#core, this.#background, options);
  }

  /** Learns again and again, when nothing else is to be done, until it is stopped or the memory is closed. */
  learnWhenIdle(options: IdleOptions = {}): IdleLearning {
    return learnWhenIdle((how) => this.learn(how), this.#background.stopped, options);
  }

  /** A conversation in the form that a provider takes. What the form cannot hold is named in a note. */
  async format<F extends Format>(format: F, messages: readonly MessageInput[]): Promise<Formats[F]> {
    return this.#core.calls.ask<"toFormat", M, N, Formats[F]>("toFormat", { format, messages });
  }

  /** The messages out of a provider's form, to be appended; ids and times only where the form has them. */
  async parse(format: Format, value: unknown): Promise<MessageInput[]> {
    return this.#core.calls.ask("fromFormat", { format, value });
  }

  /** Messages as lines of a log in the documented shapes; with their ids, if `ids` says so. Default: without. */
  async toLines(
    messages: readonly MessageInput[],
    options: { ids?: boolean | undefined } = {},
  ): Promise<Line[]> {
    return this.#core.calls.ask("toLines", { ...options, messages });
  }

  /** The messages out of lines of a log, or out of the text of `log.export`, to be appended. */
  async fromLines(lines: readonly Line[] | string): Promise<MessageInput[]> {
    return this.#core.calls.ask("fromLines", { lines });
  }

  /** How many tokens a text has: by the app's `countTokens` if there is one, otherwise estimated for `config.tokenizer`. */
  async countTokens(text: string): Promise<number> {
    return this.#core.calls.ask("countTokens", { text });
  }

  /** The documented estimate: a quarter of the text's length, rounded down. */
  async estimateTokens(text: string): Promise<number> {
    return this.#core.calls.ask("estimateTokens", { text });
  }

  /**
   * Calls `listener` whenever that happens, until the function that it answers is called, or the memory is closed. Listeners
   * are called before the call that they are told of is answered.
   */
  on<E extends keyof MemoryEvents>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    return this.#core.calls.on(event, listener);
  }

  /**
   * Resolves once everything written so far has been handed to the disk. What `add` acknowledges survives a crash of the
   * program in any case; this also survives a power cut, as far as the browser and the disk keep their word.
   */
  async flush(): Promise<void> {
    await this.#core.inTurn(() => this.#core.calls.ask("flush", {}));
  }

  /** Waits for the writes under way, then lets go of the storage. `idle` of a session or a long-term memory comes first. */
  async close(): Promise<void> {
    this.#background.stop();
    await this.#core.close();
  }

  /** `await using memory = …` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A store, made when it is first asked for. */
  #store<K extends keyof Stores>(name: K, make: () => Stores[K]): Stores[K] {
    const store: Stores[K] = this.#stores[name] ?? make();
    this.#stores[name] = store;
    return store;
  }
}

/** The documented functions that change nothing. */
const DOCUMENTED_READS: readonly string[] = ["memorySearch", "memoryStats", "memoryGetContent"];

/** The `data` of an event as plain JSON: errors as strings, embeddings as numbers. The core validates the rest. */
function plainData(event: { data?: unknown } | null | undefined): unknown {
  const data = event?.data;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const told = inWords(data);
  const one = plainDocument(told);
  return "documents" in told ? { ...one, documents: plainDocuments(told.documents) } : one;
}

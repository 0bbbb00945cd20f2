/// <reference lib="esnext.disposable" preserve="true" />
// The public handle to one user's memory.

import { Background } from "../base/background.js";
import { optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Answer, Args, Verb } from "../engine/calls.js";
import type { EngineSeam } from "../engine/engine.js";
import type { MemoryEvent, MemoryEvents } from "../engine/events.js";
import type { Conflict, ConflictsOptions, Keep } from "../wire/conflicts.js";
import { type Digest, type DigestOptions, type Recalls, recalls } from "../wire/digest.js";
import type { MemoryFunctions } from "../wire/documented.js";
import type { EmbedAllOptions } from "../wire/embedding.js";
import type { Format, Formats } from "../wire/formats.js";
import type { Learned } from "../wire/learning.js";
import type { ForgetOptions, Forgotten } from "../wire/long-term.js";
import type { Line, MessageInput } from "../wire/messages.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { FullPolicy } from "../wire/policy.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Ingested, IngestOptions, RecallOptions } from "../wire/recall.js";
import type { Rollback, RollbackOptions } from "../wire/rollback.js";
import type { MemoryResultItem, MemoryScope, MemoryWritten } from "../wire/scopes.js";
import type { MemoryHit, MemoryMiss, SearchOptions } from "../wire/search.js";
import type { SessionInfo } from "../wire/sessions.js";
import { spelled } from "../wire/spelling.js";
import type { ToolName } from "../wire/tool-names.js";
import type { ToolResult } from "../wire/tools.js";
import type {
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryDraft,
  MemoryDraftWithContent,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
  Promotion,
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
import { addMany } from "./many.js";
import { Session, type SessionOptions } from "./session.js";
import { DialogMemory } from "./stores/dialog.js";
import { ExperienceMemory } from "./stores/experience.js";
import { KnowledgeBase, type KnowledgeOptions } from "./stores/knowledge.js";
import { ProceduralMemory } from "./stores/procedural.js";
import { ProfileMemory } from "./stores/profile.js";
import { plainDocument, plainDocuments, SemanticMemory } from "./stores/semantic.js";
import { StateMemory } from "./stores/state.js";
import { inWords } from "./stores/thrown.js";
import { callTool, type ToolFormat, type ToolForms, type ToolOptions, type ToolScope } from "./tools.js";

/** Constructor options of `Memory`. */
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
 * One user's memory. Calls may overlap; writes are applied in call order. A read does not wait for a write that is not
 * awaited. A call that fails rejects with a `MemoryError` and leaves no partial changes.
 */
export class Memory<M extends Metadata = Metadata, N extends string = never> implements IMemory<"own"> {
  /** The user id. */
  readonly user: string;
  /** Whether entries survive the end of the program. */
  readonly persistent: boolean;
  /** Why the memory is not persistent although storage exists, for example because access was denied. */
  readonly storageProblem: string | undefined;
  /** The log of all writes: verifies its hash chain and exports a session as JSONL. */
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
   * Adds an entry with this `content` and returns the entry without its content. A draft with the `key` of an existing
   * entry replaces that entry. Default for `namespace`: `"short-term"`, where entries expire after 14 days, and a
   * namespace with 2,000 entries evicts its least important one. Pass `namespace: "long-term"` to keep the entry.
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

  /**
   * Adds many entries and returns them in the order of their drafts, without their contents: an import, or the results of
   * a crawl. It takes a fraction of the time of as many calls of `add`. The drafts are written in parts of up to 1,000.
   * Each part is checked before any of it is written, so a wrong draft among the first 1,000 leaves nothing behind; the
   * error's `field` names it, as `drafts[17].content`. A `signal` ends the call between two parts. With an
   * `idempotencyKey` all drafts are one part.
   *
   * @example
   * await memory.addMany(lines.map((content) => ({ content, namespace: "long-term" })));
   */
  async addMany(
    drafts: readonly MemoryDraftWithContent<M, N>[],
    options: WatchOptions & WriteOptions = {},
  ): Promise<MemoryEntry<M, N>[]> {
    return addMany(this.#core, drafts, options);
  }

  /** Returns the entry with this id and its full content, or `null` if it does not exist or has expired. */
  async get(id: string): Promise<MemoryEntryWithContent<M, N> | null> {
    return this.#core.calls.ask<"get", M, N>("get", { id });
  }

  /**
   * Updates an entry and returns it without its content. The previous version stays in the entry's `history`. Rejects
   * with `not-found` if no entry has this id.
   */
  async update(id: string, changes: MemoryChanges<M, N>, options?: WriteOptions): Promise<MemoryEntry<M, N>> {
    const content = changes?.content;
    // An update keeps the speaker and the namespace, so they are read from the stored entry.
    const before = async () => this.get(id).catch(() => null);
    const text = async () => said(content ?? "", (await before())?.speaker);
    const namespace = async () => changes?.namespace ?? (await before())?.namespace;
    const args = { ...once(options), ...changes, id };
    return this.#core.writeText<"update", M, N>("update", args, content, text, namespace);
  }

  /**
   * Raises the trust in an entry and returns it. The entry, and so the log, keep who did it and why; `history` has the
   * version before. Only this raises trust: `update` lowers it. Rejects with `invalid-input` if the level is not higher
   * than before.
   */
  async promote(id: string, promotion: Promotion): Promise<MemoryEntry<M, N>> {
    known(promotion, "trust by why");
    return this.#core.write<"promote", M, N>("promote", { ...promotion, id });
  }

  /**
   * Takes back what came from a source, from a session or since a time, with everything derived from it, in one commit.
   * Entries that it had replaced are valid again. With `preview`, nothing is changed.
   */
  async rollback(options: RollbackOptions): Promise<Rollback> {
    known(options, "source session since preview");
    return this.#core.write<"rollback", M, N>("rollback", options);
  }

  /**
   * Returns statements of long-term memory that contradict each other and are both held to be true, newest first.
   * Recording settles most contradictions; the rest were added by the app or imported, or are from a source with too
   * little trust. The newest 1,000 statements are compared.
   */
  async conflicts(options: ConflictsOptions = {}): Promise<Conflict<M, N>[]> {
    known(options, "agent limit");
    return this.#core.calls.ask<"conflicts", M, N>("conflicts", options);
  }

  /**
   * Settles a conflict and returns the ids of the entries that are in the past from now on: `history` and `includePast`
   * still find them. Rejects with `not-found` if there is no such conflict any more.
   */
  async resolve(id: string, keep: Keep): Promise<string[]> {
    return this.#core.write<"resolve", M, N>("resolve", { id, keep });
  }

  /** Returns the previous versions of an entry, oldest first. Empty if it was never updated or does not exist. */
  async history(id: string): Promise<MemoryEntryWithContent<M, N>[]> {
    return this.#core.calls.ask<"history", M, N>("history", { id });
  }

  /** Deletes an entry and its history permanently. Returns `true` if the entry existed. */
  async delete(id: string, options?: WriteOptions): Promise<boolean> {
    return this.#core.write<"delete", M, N>("delete", { ...once(options), id });
  }

  /** Searches all entries. Returns hits without their contents, best first. */
  async search(query: string, options: SearchOptions<N> = {}): Promise<MemoryHit<N>[]> {
    return this.#core.ask<"search", M, N>("search", { ...options, query });
  }

  /** Explains why a search does not return the entry with this id, or reports that it does. */
  async explainMiss(id: string, query: string, options: SearchOptions<N> = {}): Promise<MemoryMiss> {
    return this.#core.ask<"explainMiss", M, N>("explainMiss", { ...options, id, query });
  }

  /**
   * Embeds every entry, message and history without an embedding and returns how many were embedded. Call it after
   * adding an embedder to an app, or after the embedder was unreachable. Rejects if the embedder rejects; embeddings
   * stored until then stay.
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
    return this.#core.documentedAdd({ ...args });
  }

  /** @internal Calls a verb for the HTTP API; the core validates the arguments. Pass `write` for a verb that may write. */
  async byVerb(verb: string, args: Record<string, unknown>, write?: WriteOptions): Promise<unknown> {
    return this.#core.calls.unchecked(verb, { ...once(write), ...args }, write !== undefined);
  }

  /** Returns entries without their contents, newest first. */
  async list(options: ListOptions<N> = {}): Promise<MemoryEntry<M, N>[]> {
    return this.#core.calls.ask<"list", M, N>("list", { ...options });
  }

  /**
   * Iterates over all entries without their contents, newest first, read in pages:
   * `for await (const entry of memory.entries())`. Each entry is yielded at most once; entries added or deleted during
   * the iteration may be missing.
   */
  entries(options: EntriesOptions<N> = {}): AsyncGenerator<MemoryEntry<M, N>, void, undefined> {
    return entriesOf((page) => this.list(page), options);
  }

  /** Counts the entries of a namespace. Default: of all namespaces. */
  async count(namespace?: DefaultNamespace | N): Promise<number> {
    return this.#core.calls.ask<"count", M, N>("count", { namespace });
  }

  /** Returns the number of entries, in total and per namespace. */
  async stats(): Promise<MemoryStats<N>> {
    return this.#core.calls.ask<"stats", M, N>("stats", {});
  }

  /** Deletes all entries of a namespace and returns how many were deleted. Default: of all namespaces. */
  async clear(namespace?: DefaultNamespace | N, options: WatchOptions & WriteOptions = {}): Promise<number> {
    known(options, "onProgress signal idempotencyKey");
    const { idempotencyKey, ...watch } = optionsIn(options);
    return this.#core.write<"clear", M, N>("clear", { ...once({ idempotencyKey }), namespace }, watch);
  }

  /**
   * Erases the entries that `query` means, in every namespace and in the past too, with their history and the entries
   * that they replaced. An entry is meant if no other shares more words with the query; "where I live" means all that say
   * it, in any words. With `messages`, also erases the text of messages in all sessions that said it, and its copies in
   * tool results, histories, summaries, titles and embeddings: `[forgotten]` is in its place. Documents, files, states and
   * the app's own values stay. Returns the ids of the erased entries and the number of messages. Rejects with
   * `invalid-input` if `query` names nothing.
   *
   * @example
   * await memory.forget({ query: "my PIN", messages: true });
   */
  async forget(options: ForgetOptions, write: WatchOptions & WriteOptions = {}): Promise<Forgotten> {
    known(options, "query messages agent");
    known(write, "onProgress signal idempotencyKey");
    const { query, messages, agent } = optionsIn(options);
    const { idempotencyKey, ...watch } = optionsIn(write);
    return this.#core.write<"forget", M, N>(
      "forget",
      { ...once({ idempotencyKey }), query, messages, agent },
      watch,
    );
  }

  /** Deletes expired entries, which no call returns any more. Returns how many were deleted. */
  async cleanup(options: WatchOptions = {}): Promise<number> {
    known(options, "onProgress signal");
    return this.#core.write<"cleanup", M, N>("cleanup", {}, optionsIn(options));
  }

  /**
   * Verifies all stored data: the log, each record it refers to, the session counts, and the index. With `repair`, it
   * rebuilds the index, counts and ids, and drops records that cannot be recovered, so that the rest stays usable. Each
   * dropped record is listed in `problems`.
   */
  async verify(options: VerifyOptions = {}): Promise<Verification> {
    known(options, "repair onProgress signal");
    const { repair, ...watch } = optionsIn(options);
    return this.#core.write<"verify", M, N>("verify", { repair }, watch);
  }

  /** Returns a handle to the session with this id. The first `append` creates the session. */
  session(id: string, options: SessionOptions = {}): Session {
    if (typeof id !== "string") throw refused("session", "must be a string");
    return new Session(this.#core, this.#background, id, options);
  }

  /**
   * Returns the user's standing instructions that hold now, such as "always answer in French", the oldest first. `record`
   * keeps them, and they are in every prompt; an entry of `long-term` with the tag `instruction` is one, too. With an
   * `agent`, only its own and those of no agent.
   */
  async instructions(
    options: {
      /** The agent: only its own and those of no agent. Default: all. */
      agent?: string | undefined;
    } = {},
  ): Promise<MemoryHit<N>[]> {
    return this.#core.calls.ask<"instructions", M, N>("instructions", { ...optionsIn(options) });
  }

  /** Returns all sessions, most recently used first. */
  async sessions(): Promise<SessionInfo[]> {
    return this.#core.calls.ask("sessions", {});
  }

  /**
   * Returns the tool definitions of this memory in a provider's format.
   *
   * @example
   * const tools = await memory.tools("anthropic", { agent: "planner" });
   */
  async tools<F extends ToolFormat>(format: F, options: ToolOptions = {}): Promise<ToolForms[F][]> {
    return this.#core.calls.ask<"tools", M, N, ToolForms[F]>("tools", { ...options, format });
  }

  /**
   * Runs a tool call of a model and returns its result. A mistake of the model resolves with `isError`; the call rejects
   * only for failures that the model cannot correct, such as a full disk.
   *
   * @param args - The arguments from the model: an object, or a JSON string of one.
   */
  async call(name: ToolName | (string & {}), args: unknown, scope: ToolScope = {}): Promise<ToolResult> {
    return callTool(this.#core, this.files, name, args, scope);
  }

  /**
   * Returns a few lines for an agent's system prompt on how to use its memory: keep answers short, refer instead of
   * repeating, call `memory_search` for earlier messages, and trust the summaries.
   */
  async guidance(): Promise<string> {
    return this.#core.calls.ask("guidance", {});
  }

  /** Returns long-term memory for an agent loop. Throws `invalid-input` for invalid options. */
  longTerm(options: LongTermOptions = {}): LongTerm {
    return new LongTerm(this.#core, this.#background, options);
  }

  /**
   * Searches entries, all sessions, their histories, and documents. Returns hits, best first. If the query asks for an
   * overview or a chronology, the array's `digest` property has it.
   */
  async queryMemory(query: string, options: RecallOptions = {}): Promise<Recalls> {
    this.#core.catchUp(this.#background);
    return recalls(await this.#core.ask("queryMemory", { ...options, query }));
  }

  /**
   * Returns topics, decisions and dates of the sessions, in chronological order and within a budget. The digest is built
   * from stored summaries, or from messages where there are none; it calls no model and stores nothing. If the budget is
   * too small for all sessions, the newest are included.
   *
   * @example
   * const { sessions, left } = await memory.digest({ since: "2026-03-01T00:00:00Z", maxTokens: 500 });
   */
  async digest(options: DigestOptions = {}): Promise<Digest> {
    return this.#core.calls.ask("digest", { ...options });
  }

  /** Ingests a document, split at semantic boundaries. Replaces an earlier document with the same source. */
  async ingest(text: string, options: IngestOptions<N>): Promise<Ingested> {
    const { onProgress, signal, ...how } = { ...options };
    return this.#core.remember("ingest", { ...how, text }, { onProgress, signal });
  }

  /** Reads the given scopes in one snapshot and returns an item per scope, in order. Omits scopes the policy denies. */
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

  /** Writes the event's data to its scope. The result says whether it was stored: a policy may deny the write. */
  async write(event: Either<Own<MemoryWriteEvent>>): Promise<MemoryWritten> {
    const told = { ...event, data: plainData(event) };
    const remembers = told.scope === "semantic";
    const written = await (remembers ? this.#core.remember("write", told) : this.#core.write("write", told));
    const session = spelled(told, "sessionId");
    if (told.scope === "dialog" && typeof session === "string") this.session(session).compressSoon();
    return written;
  }

  /**
   * Deletes a session with its messages, recorded entries, states and experience. Rejects with `invalid-input` if
   * `userId` is not the user of this memory.
   */
  async deleteSession(userId: string, sessionId: string): Promise<void> {
    if (userId !== this.user) throw refused("userId", "must be the user of this memory");
    await this.session(sessionId).delete();
  }

  /** Returns the effective policy for a flow and an agent, with every field. Default: the policy for no flow or agent. */
  async policy(
    of: {
      /** The flow. Default: none. */
      flowId?: string | undefined;
      /** The agent. Default: none. */
      agentId?: string | undefined;
    } = {},
  ): Promise<FullPolicy> {
    return this.#core.calls.ask("policy", { ...of });
  }

  /** Dialog store: the messages, summary and facts of sessions. */
  get dialog(): DialogMemory {
    return this.#store("dialog", () => new DialogMemory(this.#core, (id) => this.session(id)));
  }

  /** State store: current and previous states of flows. */
  get state(): StateMemory {
    return this.#store("state", () => new StateMemory(this.#core));
  }

  /** Semantic store: documents and a knowledge graph. */
  get semantic(): SemanticMemory {
    return this.#store("semantic", () => new SemanticMemory(this.#core, this.#knowledge));
  }

  /** Procedural store: skills. */
  get procedural(): ProceduralMemory {
    return this.#store("procedural", () => new ProceduralMemory(this.#core));
  }

  /** Profile store: facts about the user and their preferences. */
  get profile(): ProfileMemory {
    return this.#store("profile", () => new ProfileMemory(this.#core));
  }

  /** Experience store: executed steps and their outcomes. */
  get experience(): ExperienceMemory {
    return this.#store("experience", () => new ExperienceMemory(this.#core));
  }

  /** Markdown files: agents' files in the documented formats, and any others. Can be synced with real folders. */
  get files(): MemoryFiles {
    return this.#store("files", () => new MemoryFiles(this.#core, this.#background.stopped));
  }

  /** Returns the collection with this name: the app's own JSON values by key. */
  collection<T = Json>(name: string): Collection<T> {
    return new Collection(this.#core.calls, name);
  }

  /**
   * Learns from experience: successes become skills, failures become guards. Each trace is learned from once. Rejects if
   * `extractSkill` rejects; skills learned until then stay, and the remaining traces are retried on the next call.
   */
  async learn(options: LearnOptions = {}): Promise<Learned> {
    return learn(this.#core, this.#background, options);
  }

  /** Calls `learn` repeatedly while the app is idle, until it is stopped or the memory is closed. */
  learnWhenIdle(options: IdleOptions = {}): IdleLearning {
    return learnWhenIdle((how) => this.learn(how), this.#background.stopped, options);
  }

  /** Converts messages to a provider's format. Content that the format cannot hold is replaced by a note. */
  async format<F extends Format>(format: F, messages: readonly MessageInput[]): Promise<Formats[F]> {
    return this.#core.calls.ask<"toFormat", M, N, Formats[F]>("toFormat", { format, messages });
  }

  /** Converts messages from a provider's format, ready for `append`. Ids and times are set only if the format has them. */
  async parse(format: Format, value: unknown): Promise<MessageInput[]> {
    return this.#core.calls.ask("fromFormat", { format, value });
  }

  /** Converts messages to log lines in the documented format. Default for `ids`: `false`, lines without ids. */
  async toLines(
    messages: readonly MessageInput[],
    options: {
      /** Whether the lines have the ids of their messages. Default: `false`. */
      ids?: boolean | undefined;
    } = {},
  ): Promise<Line[]> {
    return this.#core.calls.ask("toLines", { ...options, messages });
  }

  /** Converts log lines, or the string returned by `log.export`, to messages, ready for `append`. */
  async fromLines(lines: readonly Line[] | string): Promise<MessageInput[]> {
    return this.#core.calls.ask("fromLines", { lines });
  }

  /** Counts the tokens of a string with the app's `countTokens`. Default: an estimate for `config.tokenizer`. */
  async countTokens(text: string): Promise<number> {
    return this.#core.calls.ask("countTokens", { text });
  }

  /** Returns the documented estimate of a string's tokens: its length divided by four, rounded down. */
  async estimateTokens(text: string): Promise<number> {
    return this.#core.calls.ask("estimateTokens", { text });
  }

  /**
   * Calls `listener` on each event and returns an unsubscribe function. Closing the memory unsubscribes as well.
   * Listeners are called before the call that caused the event resolves.
   */
  on<E extends MemoryEvent>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    return this.#core.calls.on(event, listener);
  }

  /**
   * Resolves once all writes so far are flushed to disk. A resolved `add` survives a crash of the program without it;
   * flushed writes also survive a power failure, as far as the browser and the disk honour the flush.
   */
  async flush(): Promise<void> {
    await this.#core.inTurn(() => this.#core.calls.ask("flush", {}));
  }

  /**
   * Waits for pending writes, then releases the storage. To finish background work first, await `idle` of the session
   * or long-term memory.
   */
  async close(): Promise<void> {
    this.#background.stop();
    await this.#core.close();
  }

  /** `await using memory = …` closes the memory at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Creates a store on first access. */
  #store<K extends keyof Stores>(name: K, make: () => Stores[K]): Stores[K] {
    const store: Stores[K] = this.#stores[name] ?? make();
    this.#stores[name] = store;
    return store;
  }
}

/** The documented functions that only read. */
const DOCUMENTED_READS: readonly string[] = ["memorySearch", "memoryStats", "memoryGetContent"];

/** The `data` of an event as plain JSON: errors as strings, embeddings as numbers. The core validates the rest. */
function plainData(event: { data?: unknown } | null | undefined): unknown {
  const data = event?.data;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const told = inWords(data);
  const one = plainDocument(told);
  return "documents" in told ? { ...one, documents: plainDocuments(told.documents) } : one;
}

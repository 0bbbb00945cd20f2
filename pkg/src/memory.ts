/// <reference lib="esnext.disposable" preserve="true" />
// The handle that apps hold: one user's memory.

import { Background } from "./background.js";
import { Calls } from "./calls.js";
import {
  type EmbedAllOptions,
  type Embedder,
  type Embedding,
  embedded,
  embedOne,
  plain,
  said,
} from "./embedding.js";
import type { Engine } from "./engine.js";
import { MemoryError } from "./errors.js";
import type { Format, Formats } from "./formats.js";
import type { Hints } from "./hints.js";
import { type Log, logOf } from "./log.js";
import { LongTerm, type LongTermOptions } from "./long-term.js";
import type { Line, MessageInput } from "./messages.js";
import type { Ingested, IngestOptions, Recall, RecallOptions } from "./recall.js";
import type { MemoryHit, MemoryMiss, MemoryQuery } from "./search.js";
import { Session, type SessionInfo, type SessionOptions } from "./session.js";
import type {
  DefaultNamespace,
  ListOptions,
  MemoryChanges,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
} from "./types.js";

/** What a memory is made with. */
interface MemoryOptions {
  persistent: boolean;
  problem?: string;
  hints?: Hints | undefined;
  embedder?: Embedder | undefined;
  onEmbedderError?: ((error: unknown) => void) | undefined;
}

/** Arguments among which there may be an embedding of the app's own. */
interface Embeddable {
  embedding?: Embedding | undefined;
  [field: string]: unknown;
}

/** What the core answers that has no embedding. */
interface Unembedded {
  items: { id: string; version: number; text: string }[];
  total: number;
}

/**
 * One user's memory. Calls may overlap; writes happen in the order they were made. Every call that fails rejects with a
 * `MemoryError` and leaves nothing half done.
 */
export class Memory<M extends Metadata = Metadata, N extends string = never> {
  /** Whether what is added is there after the program ends. */
  readonly persistent: boolean;
  /** Why it is not persistent although it could have been: the storage was refused. */
  readonly storageProblem: string | undefined;
  /** The log of everything that was written: whether it is whole, and a session of it as JSONL. */
  readonly log: Log;
  readonly #calls: Calls;
  readonly #background = new Background();
  readonly #embedder: Embedder | undefined;
  readonly #onEmbedderError: (error: unknown) => void;
  /** Settles with the last write that was called for, where there is an embedder to wait for. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @internal Use `openMemory`. */
  constructor(engine: Engine, options: MemoryOptions) {
    this.#calls = new Calls(engine, options.hints);
    this.log = logOf(this.#calls);
    this.#embedder = options.embedder;
    this.#onEmbedderError =
      options.onEmbedderError ?? ((error) => console.warn("keepsake: embedder:", error));
    this.persistent = options.persistent;
    this.storageProblem = options.problem;
  }

  /**
   * Remembers `content`. Answers what is kept of it, without the content. A draft with the `key` of another entry takes
   * that entry's place.
   */
  async add(content: string, draft: MemoryDraft<M, N> = {}): Promise<MemoryEntry<M, N>> {
    const text = () => said(content, draft?.speaker);
    return (await this.#writeText("add", { ...draft, content }, content, text)) as MemoryEntry<M, N>;
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string): Promise<MemoryEntryWithContent<M, N> | null> {
    return (await this.#call("get", { id })) as MemoryEntryWithContent<M, N> | null;
  }

  /** Changes an entry. What it was stays in its `history`. Rejects with `not-found` if there is none. */
  async update(id: string, changes: MemoryChanges<M, N>): Promise<MemoryEntry<M, N>> {
    const content = changes?.content;
    // Who says it stays, and is known only there.
    const text = async () => said(content ?? "", (await this.get(id).catch(() => null))?.speaker);
    return (await this.#writeText("update", { ...changes, id }, content, text)) as MemoryEntry<M, N>;
  }

  /** What the entry was before, oldest first; empty if it was never changed, or is no longer there. */
  async history(id: string): Promise<MemoryEntryWithContent<M, N>[]> {
    return (await this.#call("history", { id })) as MemoryEntryWithContent<M, N>[];
  }

  /** Takes an entry away for good, with its history. Answers whether it was there. */
  async delete(id: string): Promise<boolean> {
    return (await this.#write("delete", { id })) as boolean;
  }

  /** Searches everything there is. Hits come best first, without their contents. */
  async search(query: string, options: MemoryQuery<N> = {}): Promise<MemoryHit<N>[]> {
    return (await this.#ask("search", { ...options, query })) as MemoryHit<N>[];
  }

  /** Why the entry with this id is not among the hits of a search, or that it is. */
  async explainMiss(id: string, query: string, options: MemoryQuery<N> = {}): Promise<MemoryMiss> {
    return (await this.#ask("explainMiss", { ...options, id, query })) as MemoryMiss;
  }

  /**
   * Gives an embedding to every entry that has none: after an embedder was added to an app, or could not be reached.
   * Answers how many have got one. Rejects if the embedder does; what was embedded before stays.
   */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    const { batchSize = 32, onProgress, signal } = options;
    const embedder = this.#embedder;
    if (!embedder) throw refused("embedder", "must be given to openMemory");
    if (!Number.isSafeInteger(batchSize) || batchSize < 1)
      throw refused("batchSize", "must be a whole number from 1 on");
    let done = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { items, total } = (await this.#call("unembedded", { limit: batchSize })) as Unembedded;
      if (items.length === 0) return done;
      const embeddings = await embedded(
        embedder,
        items.map(({ text }) => text),
      );
      const found = items.map(({ id, version }, at) => ({ id, version, embedding: embeddings[at] }));
      done += (await this.#write("embed", { items: found })) as number;
      onProgress?.({ done, total: done + total - items.length });
    }
  }

  /** @internal Use `memoryFunctions`. */
  async documented(name: string, args: object): Promise<unknown> {
    const reads = ["memorySearch", "memoryStats", "memoryGetContent"].includes(name);
    if (reads) return this.#call(name, { ...args });
    const { content, embedding } = args as { content?: unknown; embedding?: unknown };
    const asks = this.#embedder && name === "memoryAdd" && !embedding && typeof content === "string";
    if (!asks) return this.#write(name, { ...args });
    const asked = this.#asked(async () => content);
    const answer = (await this.#write(name, { ...args })) as { referenceId?: string };
    const id = answer.referenceId;
    const vector = await asked;
    // Afterwards, because here a vector that is refused must not be the answer.
    if (id && vector) {
      const items = [{ id, version: 1, embedding: vector }];
      await this.#write("embed", { items }).catch(this.#onEmbedderError);
    }
    return answer;
  }

  /** Entries without their contents, newest first. */
  async list(options: ListOptions<N> = {}): Promise<MemoryEntry<M, N>[]> {
    return (await this.#call("list", { ...options })) as MemoryEntry<M, N>[];
  }

  /** How many entries there are, in one namespace or in all. */
  async count(namespace?: DefaultNamespace | N): Promise<number> {
    return (await this.#call("count", { namespace })) as number;
  }

  /** How many entries there are, in all and in each namespace. */
  async stats(): Promise<MemoryStats<N>> {
    return (await this.#call("stats", {})) as MemoryStats<N>;
  }

  /** Takes away everything, or everything in one namespace. Answers how many entries that were. */
  async clear(namespace?: DefaultNamespace | N): Promise<number> {
    return (await this.#write("clear", { namespace })) as number;
  }

  /** Takes away what has expired, which nothing shows any more. Answers how many entries that were. */
  async cleanup(): Promise<number> {
    return (await this.#write("cleanup", {})) as number;
  }

  /** The conversation of this id, which begins with the first `append`. */
  session(id: string, options: SessionOptions = {}): Session {
    const ask = <T>(verb: string, args: Record<string, unknown>) => this.#ask(verb, args) as Promise<T>;
    return new Session({ calls: this.#calls, ask }, this.#background, id, options);
  }

  /** All conversations, the last used first. */
  async sessions(): Promise<SessionInfo[]> {
    return this.#calls.ask("sessions", {});
  }

  /** Long-term memory for an agent's loop. */
  longTerm(options: LongTermOptions = {}): LongTerm {
    const remember = <T>(verb: string, args: Record<string, unknown>) => this.#remember<T>(verb, args);
    const ask = <T>(verb: string, args: Record<string, unknown>) => this.#ask(verb, args) as Promise<T>;
    return new LongTerm({ ask, remember }, this.#background, options);
  }

  /** Looks through everything: memories, all conversations, their histories, and documents. Best first. */
  async queryMemory(query: string, options: RecallOptions = {}): Promise<Recall[]> {
    return (await this.#ask("queryMemory", { ...options, query })) as Recall[];
  }

  /** Takes a document in, split where its meaning is. An earlier one of the same source is replaced. */
  async ingest(text: string, options: IngestOptions<N>): Promise<Ingested> {
    return this.#remember("ingest", { ...options, text });
  }

  /** A conversation in the form that a provider takes. What the form cannot hold is named in a note. */
  async format<F extends Format>(format: F, messages: readonly MessageInput[]): Promise<Formats[F]> {
    return this.#calls.ask("toFormat", { format, messages });
  }

  /** The messages out of a provider's form, to be appended; ids and times only where the form has them. */
  async parse(format: Format, value: unknown): Promise<MessageInput[]> {
    return this.#calls.ask("fromFormat", { format, value });
  }

  /** Messages as lines of a log in the documented shapes; with their ids, if `ids` says so. Default: without. */
  async toLines(
    messages: readonly MessageInput[],
    options: { ids?: boolean | undefined } = {},
  ): Promise<Line[]> {
    return this.#calls.ask("toLines", { ...options, messages });
  }

  /** The messages out of lines of a log, to be appended. */
  async fromLines(lines: readonly Line[]): Promise<MessageInput[]> {
    return this.#calls.ask("fromLines", { lines });
  }

  /** How many tokens a text has: by the app's `countTokens` if there is one, otherwise about as models count. */
  async countTokens(text: string): Promise<number> {
    return this.#calls.ask("countTokens", { text });
  }

  /** The documented estimate: a quarter of the text's length, rounded down. */
  async estimateTokens(text: string): Promise<number> {
    return this.#calls.ask("estimateTokens", { text });
  }

  /**
   * Resolves once everything written so far has been handed to the disk. What `add` acknowledges survives a crash of the
   * program in any case; this also survives a power cut, as far as the browser and the disk keep their word.
   */
  async flush(): Promise<void> {
    await this.#inTurn(() => this.#call("flush", {}));
  }

  /** Waits for the writes under way, then lets go of the storage. `idle` of a session or a long-term memory comes first. */
  async close(): Promise<void> {
    this.#background.stop();
    // At once where it can be: what is called for after this is refused.
    if (this.#embedder) await this.#writing;
    await this.#calls.close();
  }

  /** `await using memory = …` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(verb: string, args: Record<string, unknown>): Promise<unknown> {
    const answer = await this.#inTurn(() => this.#call(verb, args));
    this.#calls.tell();
    return answer;
  }

  /** A write of entries that the embedder has not seen. */
  async #remember<T>(verb: string, args: Record<string, unknown>): Promise<T> {
    const answer = (await this.#write(verb, args)) as T;
    if (this.#embedder) await this.embedAll().catch(this.#onEmbedderError);
    return answer;
  }

  /**
   * Writes `content` with what the embedder says of `text`, unless the app has said it itself. The embedder is asked at
   * once, also about several at a time.
   */
  async #writeText(
    verb: string,
    args: Embeddable,
    content: unknown,
    text: () => string | Promise<string>,
  ): Promise<unknown> {
    if (!this.#embedder || args.embedding || typeof content !== "string")
      return this.#write(verb, { ...args, embedding: plain(args.embedding) });
    const asked = this.#asked(text);
    const answer = await this.#inTurn(async () => this.#callWith(verb, args, await asked));
    this.#calls.tell();
    return answer;
  }

  /** Runs writes in the order of the calls where some wait for the embedder; otherwise the core keeps it. */
  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    if (!this.#embedder) return write();
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Asks the core, with what the embedder says of the query unless the app has said it itself. */
  async #ask(verb: string, args: Embeddable): Promise<unknown> {
    const { query, embedding, ranking } = args;
    if (!this.#embedder || embedding || ranking === "formula" || typeof query !== "string")
      return this.#call(verb, { ...args, embedding: plain(embedding) });
    // Not the names of those who speak: they say who is meant, and not what.
    const text = async () => (await this.#call("toEmbed", { query })) as string;
    return this.#callWith(verb, args, await this.#asked(text));
  }

  /** What the embedder says of a text; nothing if it fails, which is told. */
  #asked(text: () => string | Promise<string>): Promise<number[] | undefined> {
    const embedder = this.#embedder;
    if (!embedder) return Promise.resolve(undefined);
    const asked = (async () => embedOne(embedder, await text(), this.#onEmbedderError))();
    // Whoever waits for it may come later; what it rejects with is theirs.
    asked.catch(() => {});
    return asked;
  }

  /** Calls with an embedding of the embedder's. If it is refused, that is the embedder's failure: without it, then. */
  async #callWith(verb: string, args: object, embedding: number[] | undefined): Promise<unknown> {
    try {
      return await this.#call(verb, { ...args, embedding });
    } catch (error) {
      if (!embedding || !(error instanceof MemoryError) || !error.field?.startsWith("embedding")) throw error;
      this.#onEmbedderError(error);
      return this.#call(verb, { ...args, embedding: undefined });
    }
  }

  #call(verb: string, args: Record<string, unknown>): Promise<unknown> {
    return this.#calls.ask(verb, args);
  }
}

function refused(field: string, reason: string): MemoryError {
  return new MemoryError("invalid-input", `\`${field}\` ${reason}`, { field });
}

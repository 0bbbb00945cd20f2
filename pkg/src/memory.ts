/// <reference lib="esnext.disposable" preserve="true" />
// The handle that apps hold: one user's memory.

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
import type { Hints } from "./hints.js";
import { encode } from "./json.js";
import type { MemoryHit, MemoryMiss, MemoryQuery } from "./search.js";
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
  readonly #engine: Engine;
  readonly #hints: Hints | undefined;
  readonly #embedder: Embedder | undefined;
  readonly #onEmbedderError: (error: unknown) => void;
  /** Settles when everything that waited for the embedder has been handed on: writes keep their order. */
  #embedding: Promise<unknown> = Promise.resolve();

  /** @internal Use `openMemory`. */
  constructor(engine: Engine, options: MemoryOptions) {
    this.#engine = engine;
    this.#hints = options.hints;
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
    const { embedding, ...rest } = draft;
    const write = (vector: unknown) => this.#write("add", { ...rest, content, embedding: vector });
    return (await this.#embed(said(content, draft.speaker), embedding, write)) as MemoryEntry<M, N>;
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string): Promise<MemoryEntryWithContent<M, N> | null> {
    return (await this.#call("get", { id })) as MemoryEntryWithContent<M, N> | null;
  }

  /** Changes an entry. What it was stays in its `history`. Rejects with `not-found` if there is none. */
  async update(id: string, changes: MemoryChanges<M, N>): Promise<MemoryEntry<M, N>> {
    const { embedding, ...rest } = changes;
    const write = (vector: unknown) => this.#write("update", { ...rest, id, embedding: vector });
    return (await this.#embed(changes.content, embedding, write)) as MemoryEntry<M, N>;
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
    const embedding = await this.#embeddingOf(query, options);
    return (await this.#call("search", { ...options, query, embedding })) as MemoryHit<N>[];
  }

  /** Why the entry with this id is not among the hits of a search, or that it is. */
  async explainMiss(id: string, query: string, options: MemoryQuery<N> = {}): Promise<MemoryMiss> {
    const embedding = await this.#embeddingOf(query, options);
    return (await this.#call("explainMiss", { ...options, id, query, embedding })) as MemoryMiss;
  }

  /**
   * Gives an embedding to every entry that has none: after an embedder was added to an app, or could not be reached.
   * Answers how many have got one. Rejects if the embedder does; what was embedded before stays.
   */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    const { batchSize = 32, onProgress, signal } = options;
    const embedder = this.#embedder;
    if (!embedder) {
      throw new MemoryError("invalid-input", "`embedder` must be given to openMemory", { field: "embedder" });
    }
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
      onProgress?.({ done, total: Math.max(done, done + total - items.length) });
    }
  }

  /** @internal Use `memoryFunctions`. */
  async documented(name: string, args: object): Promise<unknown> {
    const reads = ["memorySearch", "memoryStats", "memoryGetContent"].includes(name);
    if (reads) return this.#call(name, { ...args });
    const answer = await this.#write(name, { ...args });
    if (this.#embedder && name === "memoryAdd") await this.embedAll().catch(this.#onEmbedderError);
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

  /**
   * Resolves once everything written so far has been handed to the disk. What `add` acknowledges survives a crash of the
   * program in any case; this also survives a power cut, as far as the browser and the disk keep their word.
   */
  async flush(): Promise<void> {
    await this.#call("flush", {});
  }

  /** Waits for the writes under way, then lets go of the storage. */
  async close(): Promise<void> {
    this.#hints?.close();
    await this.#engine.close();
  }

  /** `await using memory = …` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(verb: string, args: Record<string, unknown>): Promise<unknown> {
    const answer = await this.#call(verb, args);
    this.#hints?.tell();
    return answer;
  }

  /** Asks the embedder about `text` unless the app knows better, and writes with what it says, each in its turn. */
  async #embed(
    text: string | undefined,
    given: Embedding | undefined,
    write: (embedding: unknown) => Promise<unknown>,
  ): Promise<unknown> {
    if (!this.#embedder || given || typeof text !== "string") return write(plain(given));
    const asked = embedOne(this.#embedder, text, this.#onEmbedderError);
    const before = this.#embedding;
    const written = (async () => {
      const embedding = await asked;
      await before;
      return write(embedding);
    })();
    this.#embedding = written.catch(() => {});
    return written;
  }

  async #embeddingOf(query: string, options: MemoryQuery<N>): Promise<unknown> {
    if (options.embedding || !this.#embedder || options.ranking === "formula")
      return plain(options.embedding);
    const text = (await this.#call("toEmbed", { query })) as string;
    return embedOne(this.#embedder, text, this.#onEmbedderError);
  }

  #call(verb: string, args: Record<string, unknown>): Promise<unknown> {
    return this.#engine.call(verb, encode(args));
  }
}

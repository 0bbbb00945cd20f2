/// <reference lib="esnext.disposable" preserve="true" />
// The handle that apps hold: one user's memory.

import type { Engine } from "./engine.js";
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

  /** @internal Use `openMemory`. */
  constructor(engine: Engine, storage: { persistent: boolean; problem?: string; hints?: Hints | undefined }) {
    this.#engine = engine;
    this.#hints = storage.hints;
    this.persistent = storage.persistent;
    this.storageProblem = storage.problem;
  }

  /**
   * Remembers `content`. Answers what is kept of it, without the content. A draft with the `key` of another entry takes
   * that entry's place.
   */
  async add(content: string, draft: MemoryDraft<M, N> = {}): Promise<MemoryEntry<M, N>> {
    return (await this.#write("add", { ...draft, content })) as MemoryEntry<M, N>;
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string): Promise<MemoryEntryWithContent<M, N> | null> {
    return (await this.#call("get", { id })) as MemoryEntryWithContent<M, N> | null;
  }

  /** Changes an entry. What it was stays in its `history`. Rejects with `not-found` if there is none. */
  async update(id: string, changes: MemoryChanges<M, N>): Promise<MemoryEntry<M, N>> {
    return (await this.#write("update", { ...changes, id })) as MemoryEntry<M, N>;
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
    return (await this.#call("search", { ...options, query })) as MemoryHit<N>[];
  }

  /** Why the entry with this id is not among the hits of a search, or that it is. */
  async explainMiss(id: string, query: string, options: MemoryQuery<N> = {}): Promise<MemoryMiss> {
    return (await this.#call("explainMiss", { ...options, id, query })) as MemoryMiss;
  }

  /** @internal Use `memoryFunctions`. */
  async documented(name: string, args: object): Promise<unknown> {
    const reads = ["memorySearch", "memoryStats", "memoryGetContent"].includes(name);
    return reads ? this.#call(name, { ...args }) : this.#write(name, { ...args });
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

  #call(verb: string, args: Record<string, unknown>): Promise<unknown> {
    return this.#engine.call(verb, encode(args));
  }
}

/// <reference lib="esnext.disposable" preserve="true" />
// The handle that apps hold: one user's memory.

import type { Engine } from "./engine.js";
import { encode } from "./json.js";
import type { ListOptions, MemoryDraft, MemoryEntry, MemoryEntryWithContent, Metadata } from "./types.js";

/**
 * One user's memory. Calls may overlap; writes happen in the order they were made. Every call that fails rejects with a
 * `MemoryError` and leaves nothing half done.
 */
export class Memory<M extends Metadata = Metadata> {
  /** Whether what is added is there after the program ends. */
  readonly persistent: boolean;
  /** Why it is not persistent although it could have been: the storage was refused. */
  readonly storageProblem: string | undefined;
  readonly #engine: Engine;

  /** @internal Use `openMemory`. */
  constructor(engine: Engine, persistent: boolean, storageProblem?: string) {
    this.#engine = engine;
    this.persistent = persistent;
    this.storageProblem = storageProblem;
  }

  /** Remembers `content`. Answers what is kept of it, without the content. */
  async add(content: string, draft: MemoryDraft<M> = {}): Promise<MemoryEntry<M>> {
    return (await this.#call("add", { ...draft, content })) as MemoryEntry<M>;
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string): Promise<MemoryEntryWithContent<M> | null> {
    return (await this.#call("get", { id })) as MemoryEntryWithContent<M> | null;
  }

  /** Entries without their contents, newest first. */
  async list(options: ListOptions = {}): Promise<MemoryEntry<M>[]> {
    return (await this.#call("list", { ...options })) as MemoryEntry<M>[];
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
    await this.#engine.close();
  }

  /** `await using memory = …` closes it at the end of the block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #call(verb: string, args: Record<string, unknown>): Promise<unknown> {
    return this.#engine.call(verb, encode(args));
  }
}

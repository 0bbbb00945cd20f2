// The way to the core with the app's embedder beside it: what is written and what is asked for gets its embedding here.

import { Calls } from "./calls.js";
import {
  type EmbedAllOptions,
  type Embedder,
  type Embedding,
  embedded,
  embedOne,
  plain,
} from "./embedding.js";
import type { EngineSeam } from "./engine.js";
import { MemoryError, optionsIn, refused } from "./errors.js";
import type { Listen } from "./hints.js";

/** What the core is reached with. */
export interface CoreOptions {
  /** How other handles of the same memory are heard. */
  listen?: Listen | undefined;
  embedder?: Embedder | undefined;
  onEmbedderError?: ((error: unknown) => void) | undefined;
}

/** Arguments among which there may be an embedding of the app's own. */
export interface Embeddable {
  embedding?: Embedding | undefined;
  [field: string]: unknown;
}

/** What the core answers that has no embedding. */
interface Unembedded {
  items: { id: string; version: number; text: string }[];
  total: number;
}

/** Calls of one memory. Those that the embedder has a say in go through it; all others are `calls`. */
export class Core {
  /** The calls as they are. */
  readonly calls: Calls;
  readonly #embedder: Embedder | undefined;
  readonly #onEmbedderError: (error: unknown) => void;
  /** Settles with the last write that was called for, where there is an embedder to wait for. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(engine: EngineSeam, options: CoreOptions) {
    this.calls = new Calls(engine, options.listen);
    this.#embedder = options.embedder;
    this.#onEmbedderError =
      options.onEmbedderError ?? ((error) => console.warn("keepsake: embedder:", error));
  }

  /** Asks the core, with what the embedder says of the query unless the app has said it itself. */
  async ask<T>(verb: string, args: Embeddable): Promise<T> {
    const { query, embedding, ranking } = args;
    if (!this.#embedder || embedding || ranking === "formula" || typeof query !== "string")
      return this.calls.ask(verb, { ...args, embedding: plain(embedding) });
    // Not the names of those who speak: they say who is meant, and not what.
    const text = async () => this.calls.ask<string>("toEmbed", { query });
    return this.#callWith<T>(verb, args, await this.#asked(text));
  }

  /** A call that may change something, after those before it. */
  async write<T>(verb: string, args: Record<string, unknown>): Promise<T> {
    return this.inTurn(() => this.calls.write<T>(verb, args));
  }

  /** A write of entries that the embedder has not seen. The signal ends the embedding, which is what takes long. */
  async remember<T>(verb: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const answer = await this.write<T>(verb, args);
    if (this.#embedder) {
      await this.embedAll({ signal }).catch((error) => {
        signal?.throwIfAborted();
        this.#onEmbedderError(error);
      });
    }
    return answer;
  }

  /**
   * Writes `content` with what the embedder says of `text`, unless the app has said it itself. The embedder is asked at
   * once, also about several at a time.
   */
  async writeText<T>(
    verb: string,
    args: Embeddable,
    content: unknown,
    text: () => string | Promise<string>,
  ): Promise<T> {
    if (!this.#embedder || args.embedding || typeof content !== "string")
      return this.write(verb, { ...args, embedding: plain(args.embedding) });
    const asked = this.#asked(text);
    const answer = await this.inTurn(async () => this.#callWith<T>(verb, args, await asked));
    this.calls.tell(args);
    return answer;
  }

  /** One of the documented functions, which embed what they add once it is there. */
  async documented(name: string, args: object): Promise<unknown> {
    const reads = ["memorySearch", "memoryStats", "memoryGetContent"].includes(name);
    if (reads) return this.calls.ask(name, { ...args });
    const { content, embedding } = { ...args } as { content?: unknown; embedding?: unknown };
    const asks = this.#embedder && name === "memoryAdd" && !embedding && typeof content === "string";
    if (!asks) return this.write(name, { ...args });
    const asked = this.#asked(async () => content);
    const answer = await this.write<{ referenceId?: string }>(name, { ...args });
    const id = answer.referenceId;
    const vector = await asked;
    // Afterwards, because here a vector that is refused must not be the answer.
    if (id && vector) {
      const items = [{ id, version: 1, embedding: vector }];
      await this.write("embed", { items }).catch(this.#onEmbedderError);
    }
    return answer;
  }

  /** Gives an embedding to every entry that has none. */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    const { batchSize = 32, onProgress, signal } = optionsIn(options);
    const embedder = this.#embedder;
    if (!embedder) throw refused("embedder", "must be given to openMemory");
    if (!Number.isSafeInteger(batchSize) || batchSize < 1)
      throw refused("batchSize", "must be a whole number from 1 on");
    let done = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { items, total } = await this.calls.ask<Unembedded>("unembedded", { limit: batchSize });
      if (items.length === 0) return done;
      const embeddings = await embedded(
        embedder,
        items.map(({ text }) => text),
      );
      const found = items.map(({ id, version }, at) => ({ id, version, embedding: embeddings[at] }));
      done += await this.write<number>("embed", { items: found });
      onProgress?.({ done, total: done + total - items.length });
    }
  }

  /** Runs writes in the order of the calls where some wait for the embedder; otherwise the core keeps it. */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    if (!this.#embedder) return write();
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Waits for the writes under way, then lets go of the storage. */
  async close(): Promise<void> {
    // At once where it can be: what is called for after this is refused.
    if (this.#embedder) await this.#writing;
    await this.calls.close();
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
  async #callWith<T>(verb: string, args: object, embedding: number[] | undefined): Promise<T> {
    try {
      return await this.calls.ask(verb, { ...args, embedding });
    } catch (error) {
      if (!embedding || !(error instanceof MemoryError) || !error.field?.startsWith("embedding")) throw error;
      this.#onEmbedderError(error);
      return this.calls.ask(verb, { ...args, embedding: undefined });
    }
  }
}

// The way to the core with the app's embedder beside it: what is written and what is asked for gets its embedding here.

import type { Background } from "../base/background.js";
import { MemoryError, optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import { type Answer, type Args, Calls, type Verb } from "../engine/calls.js";
import type { EngineSeam } from "../engine/engine.js";
import type { Listen } from "../engine/hints.js";
import {
  type EmbedAllOptions,
  type Embedder,
  type Embedding,
  type EmbedProgress,
  plain,
} from "../wire/embedding.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Json, Metadata } from "../wire/types.js";
import { embedded, embedOne } from "./embedder.js";
import { type EntrySummaryOptions, entrySummary } from "./entry-summary.js";
import { RANKED_VERBS, RERANK_TOP, type RerankOptions, reranked } from "./rerank.js";

/** What the core is reached with. */
export interface CoreOptions extends EntrySummaryOptions, RerankOptions {
  /** How other handles of the same memory are heard. */
  listen?: Listen | undefined;
  embedder?: Embedder | undefined;
  onEmbedderError?: ((error: unknown) => void) | undefined;
}

/** Arguments among which there may be an embedding of the app's own. */
export type Embeddable<V extends Verb> = Omit<Args<V>, "embedding"> & {
  embedding?: Embedding | undefined;
  query?: unknown;
  ranking?: unknown;
  summary?: string | undefined;
};

/** The verbs that list items without an embedding and that store one: of entries, and of messages and histories. */
type EmbedVerbs = readonly ["unembedded" | "unembeddedTalk", "embed" | "embedTalk"];
const ENTRIES: EmbedVerbs = ["unembedded", "embed"];
const TALK: EmbedVerbs = ["unembeddedTalk", "embedTalk"];

/** How many texts the embedder gets at once. */
const BATCH = 32;

/** How many messages and histories one run in the background embeds, the newest first: the rest is for the next run. */
const MOST_IN_BACKGROUND = 256;

/** Debounce (ms) after an append before the embedder is asked about what was said. */
const EMBED_DEBOUNCE_MS = 50;

/** Where embedding in the background waits for itself. */
export const EMBED_LANE = "embed";

/** Calls of one memory. Those that the embedder has a say in go through it; all others are `calls`. */
export class Core {
  /** The calls as they are. */
  readonly calls: Calls;
  readonly #embedder: Embedder | undefined;
  readonly #onEmbedderError: (error: unknown) => void;
  readonly #summaries: EntrySummaryOptions;
  readonly #ranking: RerankOptions;
  /** Settles with the last write that was called for, where there is a model to wait for. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Whether a run in the background is to begin that will see everything said so far. */
  #embedQueued = false;
  /** Whether what lacked an embedding when the memory was opened was looked for. */
  #caughtUp = false;

  constructor(engine: EngineSeam, options: CoreOptions) {
    this.calls = new Calls(engine, options.listen);
    this.#embedder = options.embedder;
    this.#summaries = options;
    this.#ranking = options;
    this.#onEmbedderError =
      options.onEmbedderError ?? ((error) => console.warn("keepsake: embedder:", error));
  }

  /** Asks the core, with what the embedder says of the query unless the app has said it itself. */
  async ask<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Embeddable<V>,
  ): Promise<Answer<V, M, N, T>> {
    const { query, embedding, ranking } = args;
    if (!this.#embedder || embedding || ranking === "formula" || typeof query !== "string")
      return this.#ranked(verb, { ...args, embedding: plain(embedding) });
    return this.askAbout<V, M, N, T>(verb, args, async () => query);
  }

  /** Asks the core, with what the embedder says of a text that has to be found out first; as it is if there is none. */
  async askAbout<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    about: () => Promise<string | null>,
  ): Promise<Answer<V, M, N, T>> {
    const query = this.#embedder ? await about() : null;
    if (query === null) return this.#ranked(verb, args);
    // Not the names of those who speak: they say who is meant, and not what.
    const text = async () => this.calls.ask("toEmbed", { query });
    return this.#callWith(verb, args, await this.#asked(text));
  }

  /** A call that may change something, after those before it. */
  async write<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    return this.inTurn(() => this.calls.write(verb, args, undefined, watch));
  }

  /** A write of entries that the embedder has not seen. The signal ends the write, and then the embedding. */
  async remember<V extends Verb>(verb: V, args: Args<V>, watch: WatchOptions = {}): Promise<Answer<V>> {
    const { signal } = watch;
    signal?.throwIfAborted();
    const answer = await this.write(verb, args, watch);
    if (this.#embedder) {
      await this.#embed(ENTRIES, { signal }).catch((error) => {
        signal?.throwIfAborted();
        this.#onEmbedderError(error);
      });
    }
    return answer;
  }

  /**
   * Writes `content` with what the embedder says of `text` and the summary that the app's function writes, unless the app has
   * said them itself. Both are asked at once, also about several contents at a time.
   */
  async writeText<V extends Verb, M extends Metadata = Metadata, N extends string = never>(
    verb: V,
    args: Embeddable<V>,
    content: unknown,
    text: () => string | Promise<string>,
    namespace: () => unknown,
  ): Promise<Answer<V, M, N>> {
    const embeds = this.#embedder && !args.embedding;
    const told = { ...args, embedding: plain(args.embedding) };
    if (typeof content !== "string" || !(embeds || this.#summaries.summarizeEntry))
      return this.write(verb, told);
    const asked = embeds ? this.#asked(text) : undefined;
    const summary = this.#summary(args, content, namespace);
    const answer = await this.inTurn(async () =>
      this.#callWith(verb, { ...told, summary: await summary }, await asked),
    );
    this.calls.tell(args);
    return answer;
  }

  /** The summary that the app's function writes of a content, if there is one to be written. */
  async summaryOf(content: unknown, namespace: unknown): Promise<string | undefined> {
    return entrySummary(this.#summaries, content, namespace);
  }

  /** The documented function `memoryAdd`, which embeds the entry once it is there. */
  async documentedAdd(args: Args<"memoryAdd">): Promise<Answer<"memoryAdd">> {
    const { content, embedding, namespace } = args;
    if (typeof content !== "string") return this.write("memoryAdd", args);
    const asked = embedding ? undefined : this.#asked(async () => content);
    const summary = await this.#summary(args, content, () => namespace);
    const answer = await this.write("memoryAdd", { ...args, summary });
    const vector = await asked;
    // Afterwards, because here a vector that is refused must not be the answer.
    if (answer.success && vector) {
      const items = [{ id: answer.referenceId, version: 1, embedding: vector }];
      await this.write("embed", { items }).catch(this.#onEmbedderError);
    }
    return answer;
  }

  /** Gives an embedding to every entry, message and history that has none. */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    known(options, "batchSize onProgress signal");
    const { batchSize = BATCH, onProgress, signal } = optionsIn(options);
    if (!this.#embedder) throw refused("embedder", "must be given to openMemory");
    if (!Number.isSafeInteger(batchSize) || batchSize < 1)
      throw refused("batchSize", "must be a whole number from 1 on");
    signal?.throwIfAborted();
    const { total: said } = await this.calls.ask("unembeddedTalk", { limit: 0 });
    const more =
      (count: number) =>
      ({ done, total }: EmbedProgress) =>
        onProgress?.({ done: done + count, total: total + count });
    const entries = await this.#embed(ENTRIES, {
      batchSize,
      signal,
      onProgress: ({ done, total }) => onProgress?.({ done, total: total + said }),
    });
    return entries + (await this.#embed(TALK, { batchSize, signal, onProgress: more(entries) }));
  }

  /**
   * Embeds in the background what was said and has no embedding, soon: one run that has not begun yet is enough for any number
   * of messages. If the embedder fails, that is told, and the next run comes back to it.
   */
  embedSoon(background: Background): void {
    if (!this.#embedder || this.#embedQueued) return;
    this.#embedQueued = true;
    this.#caughtUp = true;
    const run = background.run(EMBED_LANE, async () => {
      await background.rest(EMBED_DEBOUNCE_MS);
      this.#embedQueued = false;
      if (!background.stopped.aborted) {
        await this.#embed(TALK, { signal: background.stopped }, MOST_IN_BACKGROUND);
      }
    });
    run.catch((error) => {
      if (!background.stopped.aborted) this.#onEmbedderError(error);
    });
  }

  /** The same once for each handle, for what was said while there was no embedder, or none that could be reached. */
  catchUp(background: Background): void {
    if (!this.#caughtUp) this.embedSoon(background);
  }

  /** Embeds what these verbs say that has no embedding, at most so much of it. */
  async #embed(
    [unembedded, embed]: EmbedVerbs,
    { batchSize = BATCH, onProgress, signal }: EmbedAllOptions,
    most = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    const embedder = this.#embedder;
    let done = 0;
    while (embedder && done < most) {
      signal?.throwIfAborted();
      const limit = Math.min(batchSize, most - done);
      const { items, total } = await this.calls.ask(unembedded, { limit });
      if (items.length === 0) break;
      const embeddings = await embedded(
        embedder,
        items.map(({ text }) => text),
      );
      const found = items.map(({ text: _, ...item }, at) => ({ ...item, embedding: embeddings[at] }));
      done += await this.write(embed, { items: found });
      onProgress?.({ done, total: done + total - items.length });
    }
    return done;
  }

  #summary(
    { summary }: { summary?: string | undefined },
    content: string,
    namespace: () => unknown,
  ): Promise<string | undefined> {
    if (summary !== undefined || !this.#summaries.summarizeEntry) return Promise.resolve(summary);
    const asked = (async () => this.summaryOf(content, await namespace()))();
    // The write that waits for it comes later, and is told then.
    asked.catch(() => {});
    return asked;
  }

  /** Runs writes in the order of the calls where some wait for a model; otherwise the core keeps it. */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    if (!this.#waits) return write();
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Waits for the writes under way, then lets go of the storage. */
  async close(): Promise<void> {
    // At once where it can be: what is called for after this is refused.
    if (this.#waits) await this.#writing;
    await this.calls.close();
  }

  /** Whether writes may wait for a model of the app's. */
  get #waits(): boolean {
    return this.#embedder !== undefined || this.#summaries.summarizeEntry !== undefined;
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
  async #callWith<V extends Verb>(
    verb: V,
    args: Args<V>,
    embedding: number[] | undefined,
  ): Promise<Answer<V>> {
    try {
      return await this.#ranked(verb, embedding ? Object.assign({}, args, { embedding }) : args);
    } catch (error) {
      if (!embedding || !(error instanceof MemoryError) || !error.field?.startsWith("embedding")) throw error;
      this.#onEmbedderError(error);
      return this.#ranked(verb, Object.assign({}, args, { embedding: undefined }));
    }
  }

  /** Calls, with the order of the app's reranker if hits are to be ordered. */
  async #ranked<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    const { rerank, rerankTop: limit = RERANK_TOP } = this.#ranking;
    if (!rerank || !RANKED_VERBS.includes(verb)) return this.calls.ask(verb, args);
    const ranked = await reranked(rerank, await this.calls.ask("candidates", { verb, args, limit }));
    return this.calls.ask(verb, ranked.length > 0 ? Object.assign({}, args, { ranked }) : args);
  }
}

// Calls to the core, combined with the app's embedder, summaries and reranker.

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
import type { Once } from "../wire/once.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Json, MemoryDraft, MemoryEntry, Metadata } from "../wire/types.js";
import { embedded, embedOne } from "./embedder.js";
import { type EntrySummaryOptions, entrySummary } from "./entry-summary.js";
import { RANKED_VERBS, RERANK_TOP, type RerankOptions, reranked } from "./rerank.js";

/** Options of `Core`. */
export interface CoreOptions extends EntrySummaryOptions, RerankOptions {
  /** Subscribes to changes by other handles of the same memory. */
  listen?: Listen | undefined;
  embedder?: Embedder | undefined;
  onEmbedderError?: ((error: unknown) => void) | undefined;
}

/** Arguments that may include an embedding from the app. */
export type Embeddable<V extends Verb> = Omit<Args<V>, "embedding"> & {
  embedding?: Embedding | undefined;
  query?: unknown;
  ranking?: unknown;
  summary?: string | undefined;
  secrets?: unknown;
};

/** The verbs that list items without an embedding and that store embeddings: for entries, or messages and histories. */
type EmbedVerbs = readonly ["unembedded" | "unembeddedTalk", "embed" | "embedTalk"];
const ENTRIES: EmbedVerbs = ["unembedded", "embed"];
const TALK: EmbedVerbs = ["unembeddedTalk", "embedTalk"];

/** Strings per call of the embedder. */
const BATCH = 32;

/** The maximum of messages and histories per background run, newest first. The next run continues. */
const MOST_IN_BACKGROUND = 256;

/** Debounce (ms) of embedding after an append. */
const EMBED_DEBOUNCE_MS = 50;

/** The background queue of embedding. */
export const EMBED_LANE = "embed";

/** The calls of one memory. Calls that need an embedding go through `Core`; all others use `calls` directly. */
export class Core {
  /** Direct calls, without an embedding. */
  readonly calls: Calls;
  readonly #embedder: Embedder | undefined;
  readonly #onEmbedderError: (error: unknown) => void;
  readonly #summaries: EntrySummaryOptions;
  readonly #ranking: RerankOptions;
  /** Settles with the last queued write, if writes may wait for a model. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Whether a background run is queued and not yet started, so that it will see all messages so far. */
  #embedQueued = false;
  /** Whether a run was queued for messages that had no embedding when the memory was opened. */
  #caughtUp = false;

  constructor(engine: EngineSeam, options: CoreOptions) {
    this.calls = new Calls(engine, options.listen);
    this.#embedder = options.embedder;
    this.#summaries = options;
    this.#ranking = options;
    this.#onEmbedderError =
      options.onEmbedderError ?? ((error) => console.warn("keepsake: embedder:", error));
  }

  /** A read with the embedding of the query: the app's, or the embedder's. */
  async ask<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Embeddable<V>,
  ): Promise<Answer<V, M, N, T>> {
    const { query, embedding, ranking } = args;
    if (!this.#embedder || embedding || ranking === "formula" || typeof query !== "string")
      return this.#ranked(verb, { ...args, embedding: plain(embedding) });
    return this.askAbout<V, M, N, T>(verb, args, async () => query);
  }

  /** A read with the embedding of the string from `about`; without an embedding if it returns `null`. */
  async askAbout<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    about: () => Promise<string | null>,
  ): Promise<Answer<V, M, N, T>> {
    const query = this.#embedder ? await about() : null;
    if (query === null) return this.#ranked(verb, args);
    // Speaker names are removed: they identify a person, not a topic.
    const text = async () => this.calls.ask("toEmbed", { query });
    return this.#callWith(verb, args, await this.#asked(text));
  }

  /** A write, after all writes called before it. */
  async write<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    return this.inTurn(() => this.calls.write(verb, args, undefined, watch));
  }

  /** A write of entries, which are embedded afterwards. The signal aborts the write or the embedding. */
  async remember<V extends Verb>(verb: V, args: Args<V>, watch: WatchOptions = {}): Promise<Answer<V>> {
    const { signal } = watch;
    signal?.throwIfAborted();
    const answer = await this.write(verb, args, watch);
    await this.#embedStored(signal);
    return answer;
  }

  /** Adds entries, with summaries by the app's function where they have none. They are embedded afterwards. */
  async rememberMany<M extends Metadata, N extends string>(
    drafts: readonly (Omit<MemoryDraft<M, N>, "embedding"> & { content: string; embedding?: unknown })[],
    once: Once,
    signal: AbortSignal | undefined,
  ): Promise<MemoryEntry<M, N>[]> {
    const summarizes = this.#summaries.summarizeEntry !== undefined;
    const summary = (draft: (typeof drafts)[number]) =>
      this.#summary(draft, draft.content, () => draft.namespace);
    const answer = await this.inTurn(async () => {
      const told = summarizes
        ? await Promise.all(drafts.map(async (draft) => ({ ...draft, summary: await summary(draft) })))
        : drafts;
      return this.calls.write<"addMany", M, N>("addMany", { ...once, drafts: told });
    });
    await this.#embedStored(signal);
    return answer;
  }

  /**
   * Writes `content` with an embedding of `text` and a summary by the app's function, unless the arguments have them. Both
   * are requested concurrently, also for several writes at a time.
   */
  async writeText<V extends Verb, M extends Metadata = Metadata, N extends string = never>(
    verb: V,
    args: Embeddable<V>,
    content: unknown,
    text: () => string | Promise<string>,
    namespace: () => unknown,
  ): Promise<Answer<V, M, N>> {
    // With a rule for secrets the stored text is embedded, afterwards.
    const later = this.#embedder && !args.embedding && args.secrets !== undefined;
    const embeds = this.#embedder && !args.embedding && !later;
    const told = { ...args, embedding: plain(args.embedding) };
    if (typeof content !== "string" || !(embeds || this.#summaries.summarizeEntry))
      return later ? this.remember(verb, told) : this.write(verb, told);
    const asked = embeds ? this.#asked(text) : undefined;
    const summary = this.#summary(args, content, namespace);
    const answer = await this.inTurn(async () =>
      this.#callWith(verb, { ...told, summary: await summary }, await asked),
    );
    this.calls.tell(args);
    if (later) await this.#embedStored();
    return answer;
  }

  /** The summary of a content by the app's function, if it needs one. */
  async summaryOf(content: unknown, namespace: unknown): Promise<string | undefined> {
    return entrySummary(this.#summaries, content, namespace);
  }

  /** The documented function `memoryAdd`, which embeds the entry after storing it. */
  async documentedAdd(args: Args<"memoryAdd">): Promise<Answer<"memoryAdd">> {
    const { content, embedding, namespace } = args;
    if (typeof content !== "string") return this.write("memoryAdd", args);
    const asked = embedding ? undefined : this.#asked(async () => content);
    const summary = await this.#summary(args, content, () => namespace);
    const answer = await this.write("memoryAdd", { ...args, summary });
    const vector = await asked;
    // Stored afterwards, because an invalid vector must not fail the add.
    if (answer.success && vector) {
      const items = [{ id: answer.referenceId, version: 1, embedding: vector }];
      await this.write("embed", { items }).catch(this.#onEmbedderError);
    }
    return answer;
  }

  /** Embeds every entry, message and history without an embedding. Returns how many were embedded. */
  async embedAll(options: EmbedAllOptions = {}): Promise<number> {
    known(options, "batchSize onProgress signal");
    const { batchSize = BATCH, onProgress, signal } = optionsIn(options);
    if (!this.#embedder) throw refused("embedder", "must be given to openMemory");
    if (!Number.isSafeInteger(batchSize) || batchSize < 1)
      throw refused("batchSize", "must be a positive integer");
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
   * Embeds messages and histories in the background, debounced: one queued run covers any number of appends. If the
   * embedder fails, the error is reported and the next run retries.
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

  /** Runs `embedSoon` once per handle, for messages appended while there was no embedder or it was unreachable. */
  catchUp(background: Background): void {
    if (!this.#caughtUp) this.embedSoon(background);
  }

  /** Embeds the entries without an embedding, if there is an embedder. Its failure is reported. */
  async #embedStored(signal?: AbortSignal): Promise<void> {
    if (!this.#embedder) return;
    await this.#embed(ENTRIES, { signal }).catch((error) => {
      signal?.throwIfAborted();
      this.#onEmbedderError(error);
    });
  }

  /** Embeds up to `most` items without an embedding, listed and stored by these verbs. */
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
    // Avoids an unhandled rejection; the write that awaits it gets the error.
    asked.catch(() => {});
    return asked;
  }

  /** Runs writes in call order if some may wait for a model. Otherwise the core keeps the order. */
  inTurn<T>(write: () => Promise<T>): Promise<T> {
    if (!this.#waits) return write();
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Waits for pending writes, then releases the storage. */
  async close(): Promise<void> {
    // Without a model, closes synchronously, so that calls made after this one are rejected.
    if (this.#waits) await this.#writing;
    await this.calls.close();
  }

  /** Whether writes may wait for one of the app's models. */
  get #waits(): boolean {
    return this.#embedder !== undefined || this.#summaries.summarizeEntry !== undefined;
  }

  /** The embedding of a string; `undefined` if the embedder fails, which is reported. */
  #asked(text: () => string | Promise<string>): Promise<number[] | undefined> {
    const embedder = this.#embedder;
    if (!embedder) return Promise.resolve(undefined);
    const asked = (async () => embedOne(embedder, await text(), this.#onEmbedderError))();
    // Avoids an unhandled rejection; the caller that awaits it later gets the error.
    asked.catch(() => {});
    return asked;
  }

  /** Calls with an embedding from the embedder. If the core rejects it, reports the error and retries without. */
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

  /** Calls a verb, with the order of the app's reranker if the verb ranks hits. */
  async #ranked<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    const { rerank, rerankTop: limit = RERANK_TOP } = this.#ranking;
    if (!rerank || !RANKED_VERBS.includes(verb)) return this.calls.ask(verb, args);
    const ranked = await reranked(rerank, await this.calls.ask("candidates", { verb, args, limit }));
    return this.calls.ask(verb, ranked.length > 0 ? Object.assign({}, args, { ranked }) : args);
  }
}

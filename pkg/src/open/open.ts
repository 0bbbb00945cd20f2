// Opening a memory: the options, of which some are for the engine and others for what stands around it.

import { checkFunction, optionsIn, refused } from "../base/errors.js";
import { encode } from "../base/json.js";
import { known } from "../base/options.js";
import type { SummarizeEntry } from "../memory/entry-summary.js";
import { Memory } from "../memory/memory.js";
import type { Rerank } from "../memory/rerank.js";
import type { Knowledge } from "../memory/stores/knowledge.js";
import type { StorageAdapter } from "../storage/adapter.js";
import type { Embedder } from "../wire/embedding.js";
import type { MemoryConfig, Metadata } from "../wire/types.js";
import { meaningText } from "./meaning/text.js";
import type { Start } from "./start.js";

/** How to open a memory. */
export interface OpenOptions<N extends string = never> {
  /** Whose memory it is. There is no default: memories of two users never mix. */
  user: string;
  /** Which app's. Two names are two databases. Default: `"default"`. */
  name?: string | undefined;
  /**
   * Where it is kept: `"indexeddb"`, `"memory"` (gone when the program ends), in Node a file with `jsonl(path)`, or a
   * storage of your own.
   * Default: IndexedDB; where there is none, in memory, with `persistent: false`.
   */
  storage?: "indexeddb" | "memory" | StorageAdapter | undefined;
  /**
   * What a browser loads to begin with. `"small"`: a module of a third the size that adds and searches, and the full one
   * when anything else is called for the first time. `"full"`: that one at once, for an app that will need it anyway.
   * Elsewhere there is only the full one. Default: `"small"`.
   */
  core?: "small" | "full" | undefined;
  /** Namespaces and limits. Default: the two namespaces as they are described in `NamespaceConfig`. */
  config?: MemoryConfig<N> | undefined;
  /**
   * Turns texts into vectors: what is added, what is said in sessions and what is searched for then is compared by meaning as
   * well as by words. `add` waits for it; messages get their vectors in the background, which `session.idle` waits for.
   * Default: none is needed.
   */
  embedder?: Embedder | undefined;
  /**
   * Called when the embedder fails, or answers what is no embedding or one of another length than the others. What was
   * being added is kept without a vector, for `embedAll` to come back to; what was being searched for is searched by
   * its words. Default: a warning on the console.
   */
  onEmbedderError?: ((error: unknown) => void) | undefined;
  /**
   * The bytes of a file of word meanings, from `loadMeaning` of `keepsake/meaning`: an English question then also finds what
   * says the same in other words (`"pets"`: dog). A browser loads the full module for it. Default: none, and only words
   * count.
   */
  meaning?: Uint8Array | ArrayBuffer | undefined;
  /**
   * Orders the best hits anew, with a model of the app's: of `search`, `queryMemory`, `session.context`, long-term memory
   * and the tools that search; not for the ranking `"formula"`. A call waits for it, as long as it takes, and fails with
   * it. Scores stay those of the memory's own ranking. A browser loads the full module for it. Default: none.
   */
  rerank?: Rerank | undefined;
  /** How many hits `rerank` is shown. Default: 50. */
  rerankTop?: number | undefined;
  /**
   * Writes the summaries of entries whose contents are longer than a summary may be; `add` waits for it.
   * Default: the content's beginning.
   */
  summarizeEntry?: SummarizeEntry | undefined;
  /** How many milliseconds `summarizeEntry` may take. Default: 60,000. */
  summarizeEntryTimeout?: number | undefined;
  /**
   * Called when `summarizeEntry` fails, is late, or returns no summary; the content's beginning is taken then.
   * Default: a warning on the console.
   */
  onSummarizeEntryError?: ((error: unknown) => void) | undefined;
  /**
   * Asks a knowledge base or a graph of the app's own; what it finds is fused into `memory.semantic.search` and into a
   * `memory.read` of that scope. Default: none.
   */
  knowledge?: Knowledge | undefined;
  /** How many milliseconds `knowledge` may take. Default: 5,000. */
  knowledgeTimeout?: number | undefined;
  /**
   * Called when `knowledge` fails, is late, or answers what are no documents; the search goes on without it.
   * Default: a warning on the console.
   */
  onKnowledgeError?: ((error: unknown) => void) | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Random bytes, for ids. Default: `crypto.getRandomValues`. */
  random?: ((length: number) => Uint8Array) | undefined;
  /** How many tokens a text has, as the app's model counts them. Default: an estimate for `config.tokenizer`. */
  countTokens?: ((text: string) => number) | undefined;
}

/** Opens a memory on an engine that is started for it. What needs no engine is checked before there is one. */
export async function openOn<M extends Metadata, N extends string>(
  start: Start,
  options: OpenOptions<N>,
): Promise<Memory<M, N>> {
  known(
    options,
    "user name storage core config embedder onEmbedderError meaning rerank rerankTop knowledge knowledgeTimeout onKnowledgeError summarizeEntry summarizeEntryTimeout onSummarizeEntryError now random countTokens",
  );
  const {
    storage,
    core,
    now,
    random,
    countTokens,
    embedder,
    onEmbedderError,
    meaning,
    rerank,
    rerankTop,
    ...others
  } = optionsIn(options);
  const { summarizeEntry, summarizeEntryTimeout, onSummarizeEntryError, ...more } = others;
  const { knowledge, knowledgeTimeout, onKnowledgeError, ...rest } = more;
  for (const [name, hook] of Object.entries({ embedder, rerank, summarizeEntry, knowledge })) {
    if (hook) checkFunction(name, hook);
  }
  if (rerankTop !== undefined && !(Number.isSafeInteger(rerankTop) && rerankTop > 0))
    throw refused("rerankTop", "must be a positive integer");
  const { user, name = "default" } = options;
  const opening = meaning === undefined ? rest : { ...rest, meaning: meaningText(meaning) };
  const full = meaning === undefined ? undefined : true;
  const request = { open: encode(opening), name, user, storage, core, full, now, random, countTokens };
  const { engine, ...found } = await start(request);
  const summaries = { summarizeEntry, summarizeEntryTimeout, onSummarizeEntryError, config: options.config };
  const hooks = {
    rerank,
    rerankTop,
    embedder,
    onEmbedderError,
    knowledge,
    knowledgeTimeout,
    onKnowledgeError,
    ...summaries,
  };
  return new Memory<M, N>(engine, { ...found, ...hooks, user });
}

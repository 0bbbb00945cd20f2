// Opens a memory: options for the engine, and options for the layers around it.

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

/** Options of `openMemory`. */
export interface OpenOptions<N extends string = never> {
  /** The user whose memory it is. Required: memories of two users never mix. */
  user: string;
  /** The name of the app, which is the name of the database. Default: `"default"`. */
  name?: string | undefined;
  /**
   * The storage: `"indexeddb"`, `"memory"` (lost when the program ends), in Node a file with `jsonl(path)`, or your own
   * adapter. Default: IndexedDB; where it is not available, in memory, with `persistent: false` and a warning on the console.
   */
  storage?: "indexeddb" | "memory" | StorageAdapter | undefined;
  /**
   * The module that a browser loads first. `"small"`: a module of a third of the size that adds and searches; the full one
   * is loaded on the first other call. `"full"`: the full one at once, for an app that chooses at run time. No effect on
   * other platforms and in `keepsake/full`, which have only the full one. Default: `"small"`.
   */
  core?: "small" | "full" | undefined;
  /** Namespaces and limits. Default: the two namespaces that `NamespaceConfig` describes. */
  config?: MemoryConfig<N> | undefined;
  /**
   * Computes embeddings: entries, messages and queries are then compared by meaning as well as by words. `add` waits for it;
   * messages are embedded in the background, which `session.idle` waits for. Default: none.
   */
  embedder?: Embedder | undefined;
  /**
   * Called when the embedder fails, or returns an invalid embedding or one of another length. The entry is stored without a
   * vector, which `embedAll` adds later; a query is searched by its words. Default: a warning on the console.
   */
  onEmbedderError?: ((error: unknown) => void) | undefined;
  /**
   * The bytes of a file of word meanings, from `loadMeaning` of `keepsake/meaning`: an English query then also finds
   * synonyms and related words (`"pets"`: dog). A browser loads the full module for it. Default: none.
   */
  meaning?: Uint8Array | ArrayBuffer | undefined;
  /**
   * Reranks the best hits with a model of the app: for `search`, `queryMemory`, `session.context`, long-term memory and the
   * tools that search; not for the ranking `"formula"`. A call waits for it without a timeout, and rejects if it rejects.
   * Scores remain those of the memory's own ranking. A browser loads the full module for it. Default: none.
   */
  rerank?: Rerank | undefined;
  /** The number of hits passed to `rerank`. Default: 50. */
  rerankTop?: number | undefined;
  /**
   * Writes the summary of an entry whose content is longer than a summary may be; `add` waits for it. Default: the beginning
   * of the content.
   */
  summarizeEntry?: SummarizeEntry | undefined;
  /** The timeout of `summarizeEntry` in milliseconds. Default: 60,000. */
  summarizeEntryTimeout?: number | undefined;
  /**
   * Called when `summarizeEntry` fails, times out or returns no summary. The summary is then the beginning of the content.
   * Default: a warning on the console.
   */
  onSummarizeEntryError?: ((error: unknown) => void) | undefined;
  /**
   * Queries a knowledge base or graph of the app. Its results are merged into `memory.semantic.search` and into
   * `memory.read` of that scope. Default: none.
   */
  knowledge?: Knowledge | undefined;
  /** The timeout of `knowledge` in milliseconds. Default: 5,000. */
  knowledgeTimeout?: number | undefined;
  /**
   * Called when `knowledge` fails, times out or returns invalid documents. The search continues without it. Default: a
   * warning on the console.
   */
  onKnowledgeError?: ((error: unknown) => void) | undefined;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Random bytes, for ids. Default: `crypto.getRandomValues`. */
  random?: ((length: number) => Uint8Array) | undefined;
  /** Counts the tokens of a string as the app's model does. Default: an estimate for `config.tokenizer`. */
  countTokens?: ((text: string) => number) | undefined;
}

/** Opens a memory on a new engine. Options that need no engine are validated before it starts. */
export async function openOn<M extends Metadata, N extends string>(
  start: Start,
  options: OpenOptions<N>,
): Promise<Memory<M, N>> {
  const given: object = optionsIn(options);
  if ("path" in given && given.path !== undefined)
    throw refused("path", 'is unknown; for a file in Node: storage: jsonl("memory.jsonl")');
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

// Opening a memory: the options, and the wasm module that each entry of the package finds in its own way.

import { instantiate } from "../wasm/keepsake.js";
import type { Embedder } from "./embedding.js";
import { Engine } from "./engine.js";
import { MemoryError, refused } from "./errors.js";
import { hints, type Listen } from "./hints.js";
import { encode } from "./json.js";
import { Memory } from "./memory.js";
import { MemoryStorage } from "./memory-storage.js";
import type { StorageAdapter } from "./storage.js";
import type { Knowledge } from "./stores/knowledge.js";
import type { MemoryConfig, Metadata } from "./types.js";

/** How to open a memory. */
export interface OpenOptions<N extends string = never> {
  /** Whose memory it is. There is no default: memories of two users never mix. */
  user: string;
  /** Which app's. Two names are two databases. Default: `"default"`. */
  name?: string | undefined;
  /**
   * Where it is kept: `"indexeddb"`, `"memory"` (gone when the program ends), or a storage of your own.
   * Default: IndexedDB; where there is none, in memory, with `persistent: false`.
   */
  storage?: "indexeddb" | "memory" | StorageAdapter | undefined;
  /** Namespaces and limits. Default: the two namespaces as they are described in `NamespaceConfig`. */
  config?: MemoryConfig<N> | undefined;
  /**
   * Turns texts into vectors: what is added and what is searched for then is compared by meaning as well as by words.
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
  /** How many tokens a text has, as the app's model counts them. Default: about as most models do, in any language. */
  countTokens?: ((text: string) => number) | undefined;
}

/** What an entry's loader answers. */
export type Load = () => Promise<WasmModule>;

/** A compiled `WebAssembly.Module`. By another name, so that apps without the DOM library can read these types. */
export type WasmModule = object;

/** `openMemory` for one way of finding the wasm module. It is looked for once, when the first memory is opened. */
export function opener(load: Load) {
  let loading: Promise<WasmModule> | undefined;
  return async function openMemory<M extends Metadata = Metadata, N extends string = never>(
    options: OpenOptions<N>,
  ): Promise<Memory<M, N>> {
    const { storage, now, random, countTokens, embedder, onEmbedderError, ...others } = options;
    const { knowledge, knowledgeTimeout, onKnowledgeError, ...rest } = others;
    for (const [name, hook] of Object.entries({ embedder, knowledge })) {
      if (hook && typeof hook !== "function") throw refused(name, "must be a function");
    }
    const open = encode(rest);
    loading ??= compiled(load);
    loading.catch(() => {
      loading = undefined;
    });
    const wasm = { instantiate, module: await loading };
    const on = (adapter: StorageAdapter | undefined) =>
      Engine.open(wasm, {
        open,
        adapter,
        now: now ?? Date.now,
        random: random ?? dice(),
        countTokens,
      });
    const hooks = { embedder, onEmbedderError, knowledge, knowledgeTimeout, onKnowledgeError };
    const opened = { ...hooks, user: options.user };
    const inMemory = () => on(new MemoryStorage().connect());
    const inIndexedDb = async () => {
      const engine = await on(undefined);
      const listen: Listen = (told) => hints(options.name ?? "default", options.user, told);
      return new Memory<M, N>(engine, { persistent: true, listen, ...opened });
    };
    if (storage === "memory") return new Memory<M, N>(await inMemory(), { persistent: false, ...opened });
    if (storage === "indexeddb") return inIndexedDb();
    if (typeof storage === "object")
      return new Memory<M, N>(await on(storage), { persistent: true, ...opened });
    if (storage !== undefined) {
      throw refused("storage", 'must be "indexeddb", "memory" or an adapter');
    }
    try {
      return await inIndexedDb();
    } catch (error) {
      // Where storage is refused (private mode, a sandboxed frame, no browser at all), to forget later is better than
      // to fail now, as long as it is said.
      if (!(error instanceof MemoryError) || error.code !== "unavailable") throw error;
      return new Memory<M, N>(await inMemory(), { persistent: false, problem: error.message, ...opened });
    }
  };
}

/** Random bytes, fetched many at a time: a write needs a few several times, and each look at the real dice is slow. */
function dice(): (length: number) => Uint8Array {
  let cast = new Uint8Array(0);
  return (length) => {
    if (length > cast.length) cast = crypto.getRandomValues(new Uint8Array(Math.max(length, 1024)));
    const some = cast.subarray(0, length);
    cast = cast.subarray(length);
    return some;
  };
}

async function compiled(load: Load): Promise<WasmModule> {
  try {
    return await load();
  } catch (cause) {
    const message =
      "the WebAssembly module could not be loaded: is it served, and does the page's content security policy allow 'wasm-unsafe-eval'?";
    throw new MemoryError("unavailable", message, { cause });
  }
}

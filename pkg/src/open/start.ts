// Starts engines on this thread: loads the wasm module, with the loader of each entry, and opens the storage.

import { instantiate } from "../../wasm/keepsake.js";
import { MemoryError, refused } from "../base/errors.js";
import { Engine, type EngineSeam } from "../engine/engine.js";
import { hints, type Listen } from "../engine/hints.js";
import type { StorageAdapter, StorageTurn } from "../storage/adapter.js";
import { MemoryStorage } from "../storage/in-memory.js";
import { indexedDb } from "../storage/indexeddb/store.js";
import { Relay } from "../storage/relay.js";

/** Options of a new engine. */
export interface StartRequest {
  /** The JSON that an instance opens with. */
  open: string;
  /** The app and the user, as in the JSON. */
  name: string;
  user: string;
  storage: "indexeddb" | "memory" | StorageAdapter | undefined;
  /** The module to load first, where there are two. */
  core?: "small" | "full" | undefined;
  /** Whether the memory needs the full module from its first call on. */
  full?: boolean | undefined;
  now: (() => number) | undefined;
  random: ((length: number) => Uint8Array) | undefined;
  countTokens: ((text: string) => number) | undefined;
}

/** An engine, and properties of its storage. */
export interface Started {
  engine: EngineSeam;
  persistent: boolean;
  problem?: string | undefined;
  /** The channel to other handles of the same memory, if there can be any. */
  listen?: Listen | undefined;
}

/** Starts an engine, on this thread or on another. */
export type Start = (request: StartRequest) => Promise<Started>;

/** The result of an entry's loader. */
export type Load = () => Promise<WasmModule>;

/** Serialises writers on a storage of the app called `name` that has no `turn` of its own. */
export type TurnsOf = (storage: StorageAdapter, name: string) => StorageTurn | undefined;

/** A compiled `WebAssembly.Module`. Declared here, so that apps without the DOM library can use these types. */
export type WasmModule = object;

/** Starts engines on this thread. Each wasm module is loaded once, on first use. */
export function starter(load: Load, loadFirst?: Load, turns?: TurnsOf): Start {
  const [full, first] = [once(load), loadFirst && once(loadFirst)];
  return async ({ open, name, user, storage, full: whole, core = "small", now, random, countTokens }) => {
    if (core !== "small" && core !== "full") throw refused("core", 'must be "small" or "full"');
    const small = core === "small" && !whole ? first : undefined;
    const loading = small?.() ?? full();
    loading.catch(() => {});
    const on = async (inner: StorageAdapter) => {
      const { adapter, restore } = new Relay(inner);
      adapter.turn ??= turns?.(adapter, name);
      const wasm = { instantiate, module: await loading, full: small && full };
      const world = { now: now ?? Date.now, random: random ?? dice(), countTokens };
      return Engine.open(wasm, { open, adapter, restore, ...world });
    };
    const inMemory = async (problem?: string) => {
      const engine = await on(new MemoryStorage().connect());
      return { engine, persistent: false, problem };
    };
    const inIndexedDb = async () => {
      const storage = indexedDb(name);
      // Opens while the module loads, unless the options may still be refused: a refused call must create no database.
      if (name && user) storage.get("meta", []).catch(() => {});
      try {
        const engine = await on(storage);
        return { engine, persistent: true, listen: (told: () => void) => hints(name, user, told) };
      } catch (error) {
        await storage.close();
        throw error;
      }
    };
    if (storage === "memory") return inMemory();
    if (storage === "indexeddb") return inIndexedDb();
    if (typeof storage === "object" && storage !== null) {
      try {
        return { engine: await on(storage), persistent: storage.persistent ?? true };
      } catch (error) {
        // No memory will close this storage, so a file would stay open and cached. A refused option never opened it.
        const refused = error instanceof MemoryError && error.code === "invalid-input";
        if (!refused) await quietly(() => storage.close?.());
        throw error;
      }
    }
    if (storage !== undefined)
      throw refused(
        "storage",
        'must be "indexeddb", "memory" or an adapter; for a file in Node: storage: jsonl("memory.jsonl")',
      );
    try {
      return await inIndexedDb();
    } catch (error) {
      // Without storage (private mode, a sandboxed frame, no browser) a memory that is lost later is better than an error
      // now; `persistent: false` reports it.
      if (!(error instanceof MemoryError) || error.code !== "unavailable") throw error;
      warnOnce();
      return inMemory(error.message);
    }
  };
}

/** Whether the fallback to memory was reported: an app that opens a memory per user has one warning. */
let warned = false;

function warnOnce(): void {
  if (warned) return;
  warned = true;
  console.warn(
    'keepsake: without IndexedDB this memory is lost when the program ends; keep it with `storage: jsonl("memory.jsonl")` in Node, or set `storage: "memory"` to hide this warning',
  );
}

/**
 * Random bytes from a buffer: a write needs a few bytes several times, and each call of the platform's generator is slow.
 */
function dice(): (length: number) => Uint8Array {
  let cast = new Uint8Array(0);
  return (length) => {
    if (length > cast.length) cast = crypto.getRandomValues(new Uint8Array(Math.max(length, 1024)));
    const some = cast.subarray(0, length);
    cast = cast.subarray(length);
    return some;
  };
}

/** Caches the module. A failed load is tried again. */
function once(load: Load): Load {
  let loading: Promise<WasmModule> | undefined;
  return () => {
    loading ??= compiled(load).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
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

/** Closes an adapter, and ignores its failure, which would hide the original error. */
async function quietly(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {}
}

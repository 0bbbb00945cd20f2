// Storages by the names that configurations use (D20).

import { refused } from "../base/errors.js";
import type { StorageAdapter } from "./adapter.js";
import { MemoryStorage } from "./in-memory.js";

/** The part of a configuration that selects the storage. */
export interface BackendConfig {
  /** The documented fields. Default: in memory. */
  storage?:
    | {
        /** `"inmemory"`, `"indexeddb"`, in Node also `"jsonl"`, or a backend of your own. Default: `"inmemory"`. */
        defaultBackend?: string | undefined;
        /** The folder of backends that have one. Default: the working directory. */
        directory?: string | undefined;
      }
    | undefined;
}

/** Creates a storage from a configuration, or another kind of store, such as a `MemoryStore`. */
export type Backend<S = never> = (config: BackendConfig) => StorageAdapter | "indexeddb" | S;

/** The backends of every platform. */
export const BACKENDS: { readonly [name: string]: Backend } = {
  inmemory: () => new MemoryStorage().connect(),
  indexeddb: () => "indexeddb",
};

/** The result of `createStore`, for the option `storage` of `openMemory`. */
export function storeOf<S>(
  known: { readonly [name: string]: Backend },
  config: BackendConfig,
  own: { readonly [name: string]: Backend<S> },
): StorageAdapter | "indexeddb" | S {
  const name = config?.storage?.defaultBackend ?? "inmemory";
  const all: { readonly [name: string]: Backend<S> } = { ...known, ...own };
  const backend = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!backend) {
    throw refused("storage.defaultBackend", `must be one of ${Object.keys(all).join(", ")}`);
  }
  return backend(config);
}

/**
 * The storage that a configuration names, for the option `storage` of `openMemory`.
 *
 * @param own - Your own backends, by name. They override built-in ones of the same name.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", config, storage: createStore(config) });
 */
export function createStore<S = never>(
  config: BackendConfig = {},
  own: { readonly [name: string]: Backend<S> } = {},
): StorageAdapter | "indexeddb" | S {
  return storeOf(BACKENDS, config, own);
}

// The documented service (D26): one per process, and one per store of the app.

import { optionsIn, refused } from "../../base/errors.js";
import type { OpenOptions } from "../../entry/api.js";
import { memoryFunctions } from "../../memory/documented.js";
import type { Memory } from "../../memory/memory.js";
import type { StorageAdapter } from "../../storage/adapter.js";
import type { Backend } from "../../storage/backends.js";
import type { MemoryFunctions } from "../../wire/documented.js";
import type { MemoryServiceConfig } from "./limits.js";
import { onStore, type Throwing } from "./own-store.js";
import { type MemoryStore, missingMethods } from "./store.js";

/** Your own backends, by the name in `storage.defaultBackend`. */
export type OwnBackends = { readonly [name: string]: Backend<MemoryStore> };

/** Access to the documented functions: for the whole process, or for a store. Nothing is opened before a call. */
export interface MemoryServices {
  /**
   * The service of this process. The first call creates it, on the backend that the configuration names; later calls return
   * the same one.
   *
   * @param config - Limits, and the backend as `storage.defaultBackend`. Default: in memory.
   * @param own - Your own backends, by name. Default: none.
   */
  getInstance(config?: MemoryServiceConfig, own?: OwnBackends): MemoryFunctions;
  /** Drops the service of this process and closes its memory. The next `getInstance` creates another. */
  resetInstance(): Promise<void>;
  /** A service on your own store, independent of the one of the process. */
  createWithStore(store: MemoryStore, config?: MemoryServiceConfig): MemoryFunctions;
}

/** Platform functions of a package entry point: they create a store and open a memory. */
interface Platform {
  createStore(config: MemoryServiceConfig, own: OwnBackends): StorageAdapter | MemoryStore | "indexeddb";
  openMemory(options: OpenOptions<string>): Promise<Pick<Memory, "documented" | "documentedAdd" | "close">>;
}

/** The services of a platform. */
export function servicesOn(platform: Platform): MemoryServices {
  let instance: { functions: MemoryFunctions; close(): Promise<void> } | undefined;
  const made = (config: MemoryServiceConfig, own: OwnBackends) => {
    const store = platform.createStore(optionsIn(config, "config"), optionsIn(own, "own"));
    if (missingMethods(store)?.length === 0) {
      const functions = onStore(store as MemoryStore, config);
      return { functions: answering(async () => functions), close: async () => {} };
    }
    let opened: ReturnType<Platform["openMemory"]> | undefined;
    const open = () => {
      const storage = store as StorageAdapter | "indexeddb";
      opened ??= platform.openMemory({ user: "default", config, storage }).catch((error) => {
        // The next call tries again.
        opened = undefined;
        throw error;
      });
      return opened;
    };
    return {
      functions: answering(async () => memoryFunctions(await open())),
      close: async () => (await opened?.catch(() => undefined))?.close(),
    };
  };
  return {
    getInstance: (config = {}, own = {}) => {
      instance ??= made(config, own);
      return instance.functions;
    },
    resetInstance: async () => {
      const last = instance;
      instance = undefined;
      await last?.close();
    },
    createWithStore: (store, config = {}) => {
      const missing = missingMethods(store);
      if (!missing) throw refused("store", "must be an object");
      if (missing.length > 0) throw refused(`store.${missing[0]}`, "must be a function");
      const functions = onStore(store, optionsIn(config, "config"));
      return answering(async () => functions);
    },
  };
}

/** The documented functions on the service of the process, which the first call creates. */
export function functionsOf({ getInstance }: Pick<MemoryServices, "getInstance">): MemoryFunctions {
  return answering(async () => getInstance());
}

/** The functions, with every failure as a result (D10). */
function answering(functions: () => Promise<Throwing>): MemoryFunctions {
  type Named = { [name: string]: (...args: unknown[]) => Promise<unknown> };
  const call =
    (name: keyof MemoryFunctions) =>
    async (...args: unknown[]) => {
      try {
        return await ((await functions()) as Named)[name]?.(...args);
      } catch (error) {
        return { success: false, error: error instanceof Error ? error.message : String(error) };
      }
    };
  const all: { [name in keyof MemoryFunctions]: unknown } = {
    memoryAdd: call("memoryAdd"),
    memorySearch: call("memorySearch"),
    memoryStats: call("memoryStats"),
    memoryClearShortTerm: call("memoryClearShortTerm"),
    memoryClearAll: call("memoryClearAll"),
    memoryCleanup: call("memoryCleanup"),
    memoryDelete: call("memoryDelete"),
    memoryGetContent: call("memoryGetContent"),
  };
  return all as MemoryFunctions;
}

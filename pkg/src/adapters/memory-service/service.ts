// The documented service (D26): one for the program, and one for each store of the app's own.

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

/** Backends of the app's own, by the name that `storage.defaultBackend` calls them. */
export type OwnBackends = { readonly [name: string]: Backend<MemoryStore> };

/** How the documented functions are had: for the whole program, or for a store. Nothing is opened before a call. */
export interface MemoryServices {
  /**
   * The service of this program. The first call makes it, on the backend that the configuration names; later calls answer
   * the same one.
   *
   * @param config - Limits, and the backend as `storage.defaultBackend`. Default: in memory.
   * @param own - Backends of your own, by name. Default: none.
   */
  getInstance(config?: MemoryServiceConfig, own?: OwnBackends): MemoryFunctions;
  /** Forgets the service of this program and closes what it has opened. The next `getInstance` makes another. */
  resetInstance(): Promise<void>;
  /** A service on a store of the app's own, beside that of the program. */
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

/** The documented functions on the service of the program, which the first call makes. */
export function functionsOf({ getInstance }: Pick<MemoryServices, "getInstance">): MemoryFunctions {
  return answering(async () => getInstance());
}

/** The functions with every failure as an answer, whatever it comes from (D10). */
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

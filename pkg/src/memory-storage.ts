// A storage in memory: what a memory without persistence runs on, and the smallest example of an adapter.

import { MemoryError } from "./errors.js";
import type { StorageAdapter, StorageBatch } from "./storage.js";
import { changes, Tables } from "./tables.js";

/** The bytes that several handles can share. */
export class MemoryStorage {
  readonly #tables = new Tables();

  /** A handle to these bytes. */
  connect(): StorageAdapter {
    let open = true;
    const whenOpen = async <T>(work: () => T): Promise<T> => {
      if (!open) throw new MemoryError("closed", "the storage is closed");
      return work();
    };
    return {
      persistent: false,
      get: (space, keys) => whenOpen(() => this.#tables.get(space, keys)),
      scan: (space, range, limit) => whenOpen(() => this.#tables.scan(space, range, limit)),
      commit: (batch) => whenOpen(() => this.#commit(batch)),
      close: async () => {
        open = false;
      },
    };
  }

  #commit(batch: StorageBatch): boolean {
    if (!this.#tables.holds(batch)) return false;
    for (const op of changes(batch)) this.#tables.apply(op);
    return true;
  }
}

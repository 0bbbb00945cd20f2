// A storage in memory: for a memory without persistence, and the smallest example of an adapter.

import { MemoryError } from "../base/errors.js";
import { turn } from "../base/later.js";
import type { StorageAdapter, StorageBatch } from "./adapter.js";
import { changes, Tables } from "./tables.js";

/** How many operations of a commit are applied before yielding: a large commit would block the thread. */
const GROUP = 2048;

/** Bytes that several handles can share. */
export class MemoryStorage {
  readonly #tables = new Tables();
  /** Set while a commit is applied in slices: other calls wait, and see all of it. */
  #busy: Promise<void> | undefined;

  /** A handle to these bytes. */
  connect(): StorageAdapter {
    let open = true;
    const whenOpen = async <T>(work: () => T | Promise<T>): Promise<T> => {
      while (this.#busy) await this.#busy;
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

  async #commit(batch: StorageBatch): Promise<boolean> {
    if (!this.#tables.holds(batch)) return false;
    let done = 0;
    for (const op of changes(batch)) {
      this.#tables.apply(op);
      done += 1;
      if (done % GROUP === 0) {
        this.#busy = turn();
        await this.#busy;
      }
    }
    this.#busy = undefined;
    return true;
  }
}

// An adapter's own `MemoryError` on its way to the app. The wasm instance passes on which kind of failure it was, and no
// words, since they might quote what was to be stored; those of a `MemoryError` never do, and say more.

import { MemoryError } from "../base/errors.js";
import type { StorageAdapter } from "./adapter.js";

/** How the instance words a failure whose reason stayed with the adapter. */
const WITHOUT_REASON = /the storage adapter (threw MemoryError|says so)$/;

/** An adapter whose errors are remembered until the instance has reported them. */
export class Relay {
  /** What the instance is given. */
  readonly adapter: StorageAdapter;
  #last: MemoryError | undefined;

  constructor(inner: StorageAdapter) {
    const noted = async <T>(call: () => Promise<T>): Promise<T> => {
      try {
        return await call();
      } catch (error) {
        if (error instanceof MemoryError) this.#last = error;
        throw error;
      }
    };
    for (const method of ["get", "scan", "commit", "close"] as const) {
      if (typeof inner[method] === "function") continue;
      const message = `there is no storage here: the storage adapter has no method \`${method}\``;
      throw new MemoryError("unavailable", message);
    }
    this.adapter = {
      get: (space, keys) => noted(() => inner.get(space, keys)),
      scan: (space, range, limit) => noted(() => inner.scan(space, range, limit)),
      commit: (batch) => noted(() => inner.commit(batch)),
      close: () => noted(() => inner.close()),
      turn: inner.turn?.bind(inner),
    };
  }

  /** What the adapter threw, if that is what `reported` is about. */
  readonly restore = (reported: MemoryError): MemoryError => {
    const thrown = this.#last;
    if (!thrown || !WITHOUT_REASON.test(reported.message)) return reported;
    // Of two that overlapped, the other may be the last. Both are true of the storage, but a code must stay a code.
    return reported.code === "storage-failed" || reported.code === thrown.code ? thrown : reported;
  };
}

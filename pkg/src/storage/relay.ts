// Passes an adapter's `MemoryError` to the app. The wasm instance reports only the kind of a failure, because a message
// might quote stored data; the message of a `MemoryError` never does, and is more specific.

import { MemoryError } from "../base/errors.js";
import type { StorageAdapter } from "./adapter.js";

/** The instance's message for a failure whose reason is known to the adapter only. */
const WITHOUT_REASON = /the storage adapter (threw MemoryError|says so)$/;

/** An adapter whose errors are kept until the instance has reported them. */
export class Relay {
  /** The adapter for the instance. */
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

  /** The adapter's error, if `reported` stands for it. */
  readonly restore = (reported: MemoryError): MemoryError => {
    const thrown = this.#last;
    if (!thrown || !WITHOUT_REASON.test(reported.message)) return reported;
    // With two overlapping calls the last error may belong to the other. Both describe the storage, but the code must match.
    return reported.code === "storage-failed" || reported.code === thrown.code ? thrown : reported;
  };
}

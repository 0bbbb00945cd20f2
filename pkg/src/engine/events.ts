// What a memory tells of by itself: that something was written, here or elsewhere, and that a call failed in a way that
// concerns more than its caller.

import { MemoryError, refused } from "../base/errors.js";
import type { MemoryEviction } from "../wire/types.js";

/** Something was written, or may have been. What is true is in the storage: ask again. */
export interface MemoryChange {
  /** Whether this handle wrote it. Otherwise it was another one of the same user: of this page, or of another tab. */
  local: boolean;
  /** The conversation that was written to, if this handle wrote it and the call named one. */
  session?: string;
}

/** A call failed, and was rejected with this error as well. */
export interface MemoryTrouble {
  /** What it was rejected with. */
  error: MemoryError;
}

/** What can be listened for, and what listeners are told. */
export interface MemoryEvents {
  /**
   * Something was written. Other tabs are heard of where they share an IndexedDB; a storage of the app's own tells only
   * of this handle's writes. It may come once too often, and never without being told by somebody who is there.
   */
  change: MemoryChange;
  /** An entry had to go, because this handle added another one to its namespace, which was full. It comes for each. */
  evicted: MemoryEviction;
  /** A write failed with `quota-exceeded`, one in the background included: the storage is full. */
  quota: MemoryTrouble;
  /** A call failed with `conflict`: a version that it asked for is not there, or a value changed all the time. */
  conflict: MemoryTrouble;
  /** A call failed with `superseded`: a newer version of the app took the storage over, and the page has to be reloaded. */
  superseded: MemoryTrouble;
}

type Listener<E extends keyof MemoryEvents> = (told: MemoryEvents[E]) => void;

/** The errors that are told of. */
const TROUBLE = { "quota-exceeded": "quota", conflict: "conflict", superseded: "superseded" } as const;

/** Who listens to one memory. */
export class Events {
  readonly #listeners: { [E in keyof MemoryEvents]: Set<Listener<E>> } = {
    change: new Set(),
    evicted: new Set(),
    quota: new Set(),
    conflict: new Set(),
    superseded: new Set(),
  };

  /** Calls `listener` from now on. The answer ends that. */
  on<E extends keyof MemoryEvents>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    if (!Object.hasOwn(this.#listeners, event)) {
      throw refused("event", `must be one of ${Object.keys(this.#listeners).join(", ")}`);
    }
    if (typeof listener !== "function") throw refused("listener", "must be a function");
    // One function may listen twice, and each time has an end of its own.
    const own: Listener<E> = (told) => listener(told);
    this.#listeners[event].add(own);
    return () => void this.#listeners[event].delete(own);
  }

  /** Whether anybody listens for it. */
  heard(event: keyof MemoryEvents): boolean {
    return this.#listeners[event].size > 0;
  }

  /** Something was written. */
  changed(change: MemoryChange): void {
    this.#tell("change", change);
  }

  /** An entry had to make room. */
  evicted(eviction: MemoryEviction): void {
    this.#tell("evicted", eviction);
  }

  /** A call failed; most failures concern nobody but its caller. */
  failed(error: unknown): void {
    if (!(error instanceof MemoryError) || !Object.hasOwn(TROUBLE, error.code)) return;
    this.#tell(TROUBLE[error.code as keyof typeof TROUBLE], { error });
  }

  /** Nobody is told anything any more. */
  end(): void {
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
  }

  #tell<E extends keyof MemoryEvents>(event: E, told: MemoryEvents[E]): void {
    // A copy: whoever is told may begin and end listening.
    for (const listener of [...this.#listeners[event]]) {
      if (!this.#listeners[event].has(listener)) continue;
      try {
        listener(told);
      } catch (error) {
        // What was written is written: a listener that fails must not make the call fail that it is told of.
        console.warn("keepsake: listener:", error);
      }
    }
  }
}

// Events of a memory: writes, here or elsewhere, evictions, and failures that concern more than the caller.

import { MemoryError, refused } from "../base/errors.js";
import type { Listed } from "../base/listed.js";
import type { MemoryEviction } from "../wire/types.js";

/** A write happened, or may have happened. Read again: the event has no data. */
export interface MemoryChange {
  /** Whether this handle wrote. Otherwise another handle of the same user did, in this page or in another tab. */
  local: boolean;
  /** The session that was written to, if this handle wrote and the call named one. */
  session?: string;
}

/** A call failed, and was rejected with this error as well. */
export interface MemoryTrouble {
  /** The error. */
  error: MemoryError;
}

/** The events, and the arguments of their listeners. */
export interface MemoryEvents {
  /**
   * Something was written. Writes of other tabs are reported if they share an IndexedDB; with a storage of the app, only
   * writes of this handle are. An event may be a duplicate.
   */
  change: MemoryChange;
  /** An entry was evicted because this handle added one to a full namespace. One event per entry. */
  evicted: MemoryEviction;
  /** A write failed with `quota-exceeded`: the storage is full. Includes background writes. */
  quota: MemoryTrouble;
  /** A call failed with `conflict`: the expected version is not the stored one, or others kept changing it. */
  conflict: MemoryTrouble;
  /** A call failed with `superseded`: a newer version of the app has taken over the storage; the page must be reloaded. */
  superseded: MemoryTrouble;
}

/** The name of an event. */
export type MemoryEvent = Listed<{ [E in keyof MemoryEvents]: E }[keyof MemoryEvents]>;

type Listener<E extends MemoryEvent> = (told: MemoryEvents[E]) => void;

/** The errors that raise an event. */
const TROUBLE = { "quota-exceeded": "quota", conflict: "conflict", superseded: "superseded" } as const;

/** The listeners of one memory. */
export class Events {
  readonly #listeners: { [E in MemoryEvent]: Set<Listener<E>> } = {
    change: new Set(),
    evicted: new Set(),
    quota: new Set(),
    conflict: new Set(),
    superseded: new Set(),
  };

  /** Adds a listener. Returns a function that removes it. */
  on<E extends MemoryEvent>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    if (!Object.hasOwn(this.#listeners, event)) {
      throw refused("event", `must be one of ${Object.keys(this.#listeners).join(", ")}`);
    }
    if (typeof listener !== "function") throw refused("listener", "must be a function");
    // A function can be added twice; each registration is removed on its own.
    const own: Listener<E> = (told) => listener(told);
    this.#listeners[event].add(own);
    return () => void this.#listeners[event].delete(own);
  }

  /** Whether this event has listeners. */
  heard(event: MemoryEvent): boolean {
    return this.#listeners[event].size > 0;
  }

  /** Notifies about a write. */
  changed(change: MemoryChange): void {
    this.#tell("change", change);
  }

  /** Notifies about an eviction. */
  evicted(eviction: MemoryEviction): void {
    this.#tell("evicted", eviction);
  }

  /** Notifies about a failure. Most failures concern only the caller. */
  failed(error: unknown): void {
    if (!(error instanceof MemoryError) || !Object.hasOwn(TROUBLE, error.code)) return;
    this.#tell(TROUBLE[error.code as keyof typeof TROUBLE], { error });
  }

  /** Removes all listeners. */
  end(): void {
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
  }

  #tell<E extends MemoryEvent>(event: E, told: MemoryEvents[E]): void {
    // A copy: a listener may add and remove listeners.
    for (const listener of [...this.#listeners[event]]) {
      if (!this.#listeners[event].has(listener)) continue;
      try {
        listener(told);
      } catch (error) {
        // The write has succeeded: an error of a listener must not fail the call.
        console.warn("keepsake: listener:", error);
      }
    }
  }
}

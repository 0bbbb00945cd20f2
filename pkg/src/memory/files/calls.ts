// File calls to the core, and listeners for file changes.

import type { Answer, Args, Verb } from "../../engine/calls.js";
import type { Core } from "../core.js";

/** Calls about files. */
export class FileCalls {
  /** Aborted when the memory is closed. */
  readonly closed: AbortSignal;
  readonly #core: Core;
  readonly #listeners = new Set<() => void>();

  constructor(core: Core, closed: AbortSignal) {
    this.#core = core;
    this.closed = closed;
  }

  /** A read-only call. */
  ask<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    return this.#core.calls.ask(verb, args);
  }

  /** A call that may change a file. */
  async write<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    const answer = await this.#core.write(verb, args);
    for (const listener of this.#listeners) listener();
    return answer;
  }

  /** Calls `listener` after each change. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    // A wrapper per subscription, so that the same listener can subscribe twice.
    const told = () => listener();
    this.#listeners.add(told);
    return () => void this.#listeners.delete(told);
  }
}

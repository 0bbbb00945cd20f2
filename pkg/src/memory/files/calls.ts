// The way to the files in the core, and who wants to know when they change.

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

  /** A call that changes nothing. */
  ask<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    return this.#core.calls.ask(verb, args);
  }

  /** A call that may change a file. */
  async write<V extends Verb>(verb: V, args: Args<V>): Promise<Answer<V>> {
    const answer = await this.#core.write(verb, args);
    for (const listener of this.#listeners) listener();
    return answer;
  }

  /** Calls `listener` after each change, until the answer is called. */
  onChange(listener: () => void): () => void {
    // One that is told twice is two.
    const told = () => listener();
    this.#listeners.add(told);
    return () => void this.#listeners.delete(told);
  }
}

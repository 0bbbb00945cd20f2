// The way to the core: a verb with its arguments. What was written is also told to the other tabs.

import type { Engine } from "./engine.js";
import type { Hints } from "./hints.js";
import { encode } from "./json.js";

/** Calls of one memory. The answer's type is the caller's word: the core's JSON has the shape that the verb says. */
export class Calls {
  readonly #engine: Engine;
  readonly #hints: Hints | undefined;

  constructor(engine: Engine, hints: Hints | undefined) {
    this.#engine = engine;
    this.#hints = hints;
  }

  /** A call that changes nothing. */
  async ask<T>(verb: string, args: Record<string, unknown>): Promise<T> {
    return (await this.#engine.call(verb, encode(args))) as T;
  }

  /** A call that may change something. */
  async write<T>(verb: string, args: Record<string, unknown>): Promise<T> {
    const answer = await this.#engine.call(verb, encode(args));
    this.tell();
    return answer as T;
  }

  /** Tells the other tabs that something was written. */
  tell(): void {
    this.#hints?.tell();
  }

  /** Lets go of the storage, after the writes under way. */
  async close(): Promise<void> {
    await this.#engine.close();
    // Last, because the writes under way are still told of.
    this.#hints?.close();
  }
}

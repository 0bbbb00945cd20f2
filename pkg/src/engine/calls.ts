// The way to the core: a verb with its arguments. What was written is told to the other tabs, and to whoever listens.

import { encode } from "../base/json.js";
import { ONCE, type Once } from "../wire/once.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Json, MemoryEviction, Metadata } from "../wire/types.js";
import type { Verbs } from "../wire/verbs.js";
import type { EngineSeam } from "./engine.js";
import { Events, type MemoryEvents } from "./events.js";
import type { Hints, Listen } from "./hints.js";
import { watched } from "./watch.js";

/** The name of a verb. */
export type Verb = keyof Verbs;

/** The arguments of a verb. */
export type Args<V extends Verb> = Verbs[V]["args"] & Once;

/** The answer of a verb. */
export type Answer<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json> = Verbs<
  M,
  N,
  T
>[V]["answer"];

/** Calls of one memory, typed by the contract. `M`, `N` and `T` are what the app says of its own data. */
export class Calls {
  /** Who is told of what becomes of them. */
  readonly events = new Events();
  readonly #engine: EngineSeam;
  readonly #hints: Hints | undefined;
  /** Whether those who listen are about to be told that others have written. */
  #telling = false;

  constructor(engine: EngineSeam, listen: Listen | undefined) {
    this.#engine = engine;
    this.#hints = listen?.(() => void this.#heard());
    // From the first one on, the core trusts that there will be more.
    if (this.#hints) void this.#hint();
  }

  /** Calls `listener` from now on. The answer ends that. */
  on<E extends keyof MemoryEvents>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    const end = this.events.on(event, listener);
    // From the first question on, the core remembers who had to go.
    if (event === "evicted") void this.#evicted();
    return end;
  }

  /** A call that changes nothing. */
  ask<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    return this.#call(verb, args, watch);
  }

  /** A call that may change something. `to` is the conversation that it writes to, if that is not the one it names. */
  write<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    to?: string,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    const told = to === undefined && "session" in args ? args : { session: to };
    return this.#call(verb, args, watch, () => this.#wrote(told));
  }

  /** A call with arguments that only the core checks. With `writes` it may change something. */
  unchecked(verb: string, args: Record<string, unknown> & Once, writes: boolean): Promise<unknown> {
    return this.#call(verb, args, {}, writes ? () => this.#wrote(args) : undefined);
  }

  /** Tells the other tabs and those who listen that something was written, and in which conversation if it is known. */
  tell({ session }: { session?: unknown }): void {
    this.#hints?.tell();
    this.events.changed({ local: true, ...(typeof session === "string" && { session }) });
  }

  /** Lets go of the storage, after the writes under way. */
  async close(): Promise<void> {
    try {
      await this.#engine.close();
    } finally {
      // Last, because the writes under way are still told of.
      this.#hints?.close();
      this.events.end();
    }
  }

  async #call<T>(
    verb: string,
    args: object & Once,
    { onProgress, signal }: WatchOptions = {},
    done?: () => Promise<void>,
  ): Promise<T> {
    const call = (verb: string, args: object) => this.#engine.call(verb, encode(args));
    try {
      const isWatched = onProgress !== undefined || signal !== undefined;
      const [what, given] = args[ONCE] === undefined ? [verb, args] : ["once", keyed(verb, args)];
      const answer = await (isWatched
        ? watched(call, what, given, { onProgress, signal })
        : call(what, given));
      // Here and not in the caller, which would be late for a `close` that waits for this write and then hangs up.
      await done?.();
      return answer as T;
    } catch (error) {
      if (!signal?.aborted) this.events.failed(error);
      throw error;
    }
  }

  async #wrote(args: object & { session?: unknown }): Promise<void> {
    this.tell(args);
    if (!this.events.heard("evicted")) return;
    for (const entry of await this.#evicted()) this.events.evicted(entry);
  }

  /** Others have written. Those who listen are told once for all that comes in while they are about to be. */
  async #heard(): Promise<void> {
    const hinted = this.#hint();
    if (this.#telling || !this.events.heard("change")) return;
    this.#telling = true;
    // First the core, then those who will ask it.
    await hinted;
    this.#telling = false;
    this.events.changed({ local: false });
  }

  async #evicted(): Promise<MemoryEviction[]> {
    // What was written is written: that nobody can be told of the others is no reason to fail.
    return (await this.#engine.call("evicted", "{}").catch(() => [])) as MemoryEviction[];
  }

  async #hint(): Promise<void> {
    // Without it a search looks at the storage itself.
    await this.#engine.call("hint", "{}").catch(() => {});
  }
}

/** A write under its key. A model's part in it is no part of the request: it may be another one the next time. */
function keyed(verb: string, args: object & Once): object {
  const request = encode({ ...args, verb, embedding: undefined, summary: undefined });
  return { idempotencyKey: args[ONCE], request, verb, args };
}

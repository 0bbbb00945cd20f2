// Calls of the core by verb and arguments. A write is announced to other tabs and to listeners.

import { encode } from "../base/json.js";
import { ONCE, type Once } from "../wire/once.js";
import type { WatchOptions } from "../wire/progress.js";
import type { Json, MemoryEviction, Metadata } from "../wire/types.js";
import type { Verbs } from "../wire/verbs.js";
import type { EngineSeam } from "./engine.js";
import { Events, type MemoryEvent, type MemoryEvents } from "./events.js";
import type { Hints, Listen } from "./hints.js";
import { judgeOf, mayJudge } from "./judges.js";
import type { Packs } from "./packs.js";
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
  /** Listeners of this memory. */
  readonly events = new Events();
  readonly #engine: EngineSeam;
  readonly #hints: Hints | undefined;
  /** Whether a notification about writes of others is pending. */
  #telling = false;
  #packs: Promise<Packs | undefined> | undefined;
  /** Settles when the packs of pending calls are loaded. Writes wait for it, which keeps their order. */
  #packing: Promise<unknown> | undefined;

  constructor(engine: EngineSeam, listen: Listen | undefined) {
    this.#engine = engine;
    this.#hints = listen?.(() => void this.#heard());
    // From the first hint on, the core trusts that hints arrive.
    if (this.#hints) void this.#hint();
  }

  /** Adds a listener. Returns a function that removes it. */
  on<E extends MemoryEvent>(event: E, listener: (told: MemoryEvents[E]) => void): () => void {
    const end = this.events.on(event, listener);
    // From the first call on, the core records evictions.
    if (event === "evicted") void this.#evicted();
    return end;
  }

  /** A call that does not write. */
  ask<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    return this.#call(verb, { ...args }, watch);
  }

  /** A call that may write. `to` is the session that it writes to, if the arguments name another. */
  write<V extends Verb, M extends Metadata = Metadata, N extends string = never, T = Json>(
    verb: V,
    args: Args<V>,
    to?: string,
    watch?: WatchOptions,
  ): Promise<Answer<V, M, N, T>> {
    // A copy: callers without types pass anything.
    const given = { ...args };
    return this.#call(verb, given, watch, () => this.#wrote(to === undefined ? given : { session: to }));
  }

  /** A call with arguments that only the core checks. With `writes` it may write. */
  unchecked(verb: string, args: Record<string, unknown> & Once, writes: boolean): Promise<unknown> {
    return this.#call(verb, args, {}, writes ? () => this.#wrote(args) : undefined);
  }

  /** Announces a write to other tabs and to listeners, with the session if it is known. */
  tell(args: object): void {
    const session = "session" in args ? args.session : undefined;
    this.#hints?.tell();
    this.events.changed({ local: true, ...(typeof session === "string" && { session }) });
  }

  /** Closes the storage after pending writes. */
  async close(): Promise<void> {
    try {
      // Calls that wait for a pack are pending, too.
      await (this.#packing?.then(() => this.#engine.close()) ?? this.#engine.close());
    } finally {
      // Last, because pending writes are still announced.
      this.#hints?.close();
      this.events.end();
    }
  }

  async #call<T>(
    verb: string,
    args: Once,
    { onProgress, signal }: WatchOptions = {},
    done?: () => Promise<void>,
  ): Promise<T> {
    try {
      const isWatched = onProgress !== undefined || signal !== undefined;
      const [what, given] = args[ONCE] === undefined ? [verb, args] : ["once", keyed(verb, args)];
      // Before packs are loaded: the app may change its objects meanwhile.
      const json = isWatched ? "" : encode(given);
      const judges = mayJudge(verb, args);
      const ready = judges ? this.#pack((packs) => packs.prepare(verb, args)) : done && this.#packing;
      if (ready) await ready;
      const call = () =>
        isWatched ? watched(this.#raw, what, given, { onProgress, signal }) : this.#engine.call(what, json);
      let answer = await call();
      // Here and not in the caller: a `close` that awaits this write would end the channel before the caller announces it.
      await done?.();
      if (judges) {
        // A search that found texts in another language is made again with its pack.
        const completed = this.#pack((packs) => packs.complete());
        if (!done && (await completed)) answer = await call();
      }
      return answer as T;
    } catch (error) {
      if (!signal?.aborted) this.events.failed(error);
      throw error;
    }
  }

  readonly #raw = (verb: string, args: object) => this.#engine.call(verb, encode(args));

  /** Loads the packs that a call needs. */
  #pack<T>(load: (packs: Packs) => Promise<T>): Promise<T | undefined> {
    this.#packs ??= import("./packs.js").then(
      ({ Packs }) => new Packs(this.#raw, judgeOf),
      (error) => void console.warn("keepsake: language packs:", error),
    );
    const loaded = this.#packs.then((packs) => packs && load(packs));
    const ready = Promise.all([loaded, this.#packing]).then(([answer]) => {
      if (this.#packing === ready) this.#packing = undefined;
      return answer;
    });
    this.#packing = ready;
    return ready;
  }

  async #wrote(args: object): Promise<void> {
    this.tell(args);
    if (!this.events.heard("evicted")) return;
    for (const entry of await this.#evicted()) this.events.evicted(entry);
  }

  /** Others have written. Notifications are coalesced: writes that arrive while one is pending cause no second one. */
  async #heard(): Promise<void> {
    const hinted = this.#hint();
    if (this.#telling || !this.events.heard("change")) return;
    this.#telling = true;
    // The core first: listeners will query it.
    await hinted;
    this.#telling = false;
    this.events.changed({ local: false });
  }

  async #evicted(): Promise<MemoryEviction[]> {
    // The write has succeeded: a failure to list its evictions must not fail the call.
    return (await this.#engine.call("evicted", "{}").catch(() => [])) as MemoryEviction[];
  }

  async #hint(): Promise<void> {
    // Without the hint a search checks the storage itself.
    await this.#engine.call("hint", "{}").catch(() => {});
  }
}

/** A write with an idempotency key. The output of a model is no part of the request, because it may differ on a retry. */
function keyed(verb: string, args: Once): object {
  const request = encode({ ...args, verb, embedding: undefined, summary: undefined });
  return { idempotencyKey: args[ONCE], request, verb, args };
}

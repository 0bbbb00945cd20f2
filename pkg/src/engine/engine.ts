// One wasm instance and the calls under way in it. A trap ends it, and the next call gets a new instance that is opened
// from the storage. Calls that the trap took along are made again there, once, unless something may have been written for
// them: those are rejected.
//
// Again, because not every trap is a fault of the module: WebKit's compilers now and then break code that is in order.

import type { Host, Instance } from "../../wasm/keepsake.js";
import { MemoryError, type MemoryErrorCode } from "../base/errors.js";
import { later } from "../base/later.js";
import type { StorageAdapter } from "../storage/adapter.js";
import { Turns } from "../storage/turns.js";
import { type Newest, Wire } from "./storage-wire.js";

/** How instances are made. */
export interface Wasm {
  instantiate(module: object): Instance;
  module: object;
  /** Finds the module that knows every verb, if this one knows only the first ones. */
  full?: (() => Promise<object>) | undefined;
}

/** What a small module knows. `tests/js/two-modules.test.mjs` asks it for each. */
export const FIRST_VERBS: ReadonlySet<string> = new Set(
  "add update get history delete list search toEmbed count stats clear cleanup hint evicted flush close".split(
    " ",
  ),
);

/**
 * Whether a small module does what is asked. The parts of scores are in the full one: to look for the option in the text may
 * find it where it is something else, which costs a download and no more.
 */
const isFirst = (verb: string, args: string): boolean =>
  FIRST_VERBS.has(verb) && !(verb === "search" && args.includes('"explain":true'));

/** What holds for an instance from the first call on: to say what was written by others, and who had to make room. */
const STANDING: ReadonlySet<string> = new Set(["hint", "evicted"]);

/** What an instance needs to know to open a memory. */
export interface EngineOptions {
  /** The JSON that the instance opens with. */
  open: string;
  adapter: StorageAdapter;
  /** Gives an error that the adapter caused the words that it came with. */
  restore?: ((reported: MemoryError) => MemoryError) | undefined;
  now: () => number;
  random: (length: number) => Uint8Array;
  countTokens: ((text: string) => number) | undefined;
}

/** What runs the calls of one memory: an instance on this thread, or the way to one on another. */
export interface EngineSeam {
  /** Answers what the verb says, or rejects with a `MemoryError`. */
  call(verb: string, args: string): Promise<unknown>;
  /** Lets go of the storage after the writes under way; later calls are refused. */
  close(): Promise<void>;
}

/** How an answer comes: see `Host.settle`. */
const FAILED = 0;
const PARTLY = 2;

interface Pending {
  /** The items of a long answer that have come so far. */
  items: unknown[];
  resolve(answer: unknown): void;
  reject(error: MemoryError): void;
}

/** One life of an instance. */
class Run {
  /** Settles when the memory is open; a failure to open is final for this run. */
  readonly opened: Promise<unknown>;
  readonly #instance: Instance;
  readonly #turns: Turns;
  readonly #wire: Wire;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #idle: (() => void) | undefined;
  #panickedAt: string | undefined;
  #dead = false;
  #open = false;

  constructor(wasm: Wasm, options: EngineOptions, newest: Newest) {
    this.#instance = wasm.instantiate(wasm.module);
    this.#turns = new Turns(options.adapter);
    this.#wire = new Wire(this.#turns, newest);
    this.#instance.start(this.#host(options));
    this.opened = this.#begin((call) => this.#instance.open(call, options.open));
    const open = () => {
      this.#open = true;
    };
    this.opened.then(open, () => {});
  }

  get dead(): boolean {
    return this.#dead;
  }

  /** How often the storage was told to write. */
  get commits(): number {
    return this.#wire.commits;
  }

  /** Waits for the memory only as long as it is not open: each call would be a little later for that. */
  call(verb: string, args: string): Promise<unknown> {
    const begin = () => this.#begin((call) => this.#instance.call(call, verb, args));
    return this.#open ? begin() : this.opened.then(begin);
  }

  /** Settles when no call is under way. */
  async idle(): Promise<void> {
    while (this.#pending.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
  }

  #begin(enter: (call: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = this.#calls++;
      this.#pending.set(call, { items: [], resolve, reject });
      this.#guarded(() => enter(call));
    });
  }

  #host({ restore, now, random, countTokens }: EngineOptions): Host {
    const answer = (ticket: number, bytes: Uint8Array) =>
      this.#guarded(() => this.#instance.answer(ticket, bytes));
    return {
      wake: () => {
        if (!this.#dead) queueMicrotask(() => this.#guarded(() => this.#instance.tick()));
      },
      settle: (call, how, json) => {
        const pending = this.#pending.get(call);
        const said = how === FAILED ? errorFromJson(json) : JSON.parse(json);
        if (how === PARTLY) return void pending?.items.push(...said);
        this.#pending.delete(call);
        if (this.#pending.size === 0) this.#rest();
        // A call that was refused after a conflict will not commit.
        else if (how === FAILED) this.#turns.end();
        if (how === FAILED) pending?.reject(restore ? restore(said) : said);
        else pending?.resolve(pending.items.length > 0 ? pending.items.concat(said) : said);
      },
      panicked: (place) => {
        this.#panickedAt = place;
      },
      decompose: (text) => text.normalize("NFKD"),
      sleep: (ticket, millis) => later(() => answer(ticket, new Uint8Array()), millis),
      store: (_storage, ticket, request) => this.#wire.serve(request, (bytes) => answer(ticket, bytes)),
      now,
      random,
      countTokens,
    };
  }

  #rest(): void {
    this.#turns.rest();
    this.#idle?.();
  }

  /** Enters the instance. Whatever comes out as an exception is a trap: nothing of it can be used any more. */
  #guarded(enter: () => void): void {
    if (this.#dead) return;
    try {
      enter();
    } catch (cause) {
      this.#dead = true;
      const place = this.#panickedAt ? ` at ${this.#panickedAt}` : "";
      for (const { reject } of this.#pending.values()) {
        reject(
          new MemoryError(
            "crashed",
            `keepsake stopped${place}; nothing is half written, and the next call works`,
            {
              cause: withoutMessage(cause),
            },
          ),
        );
      }
      this.#pending.clear();
      this.#rest();
    }
  }
}

/** Runs calls, in a new instance whenever the last one has trapped, and in the full module once something needs it. */
export class Engine implements EngineSeam {
  readonly #options: EngineOptions;
  readonly #newest: Newest = { revision: 0 };
  #wasm: Wasm;
  #run: Run;
  #closed = false;
  /** Settles when there is an instance of the full module. Every later call waits for it, so that their order stays. */
  #growing: Promise<void> | undefined;
  /** What the core was told that holds from then on. A new instance has to be told as well. */
  readonly #standing = new Set<string>();

  private constructor(wasm: Wasm, options: EngineOptions) {
    this.#wasm = wasm;
    this.#options = options;
    this.#run = new Run(wasm, options, this.#newest);
  }

  /** Opens a memory. */
  static async open(wasm: Wasm, options: EngineOptions): Promise<Engine> {
    const engine = new Engine(wasm, options);
    await engine.#twice((run) => run.opened);
    return engine;
  }

  call(verb: string, args: string): Promise<unknown> {
    if (this.#closed) return Promise.reject(new MemoryError("closed", "the memory is closed: open it again"));
    if (STANDING.has(verb)) this.#standing.add(verb);
    if (this.#wasm.full && !isFirst(verb, args)) this.#growing ??= this.#grow(this.#wasm.full);
    return this.#growing ? this.#growing.then(() => this.#begin(verb, args)) : this.#begin(verb, args);
  }

  /** Closes the memory; later calls are refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    // A module that cannot be had must not keep a memory open.
    const closing = (this.#growing ?? Promise.resolve())
      .catch(() => {})
      .then(() => this.#begin("close", "{}"));
    this.#closed = true;
    await closing;
  }

  #begin(verb: string, args: string): Promise<unknown> {
    return this.#twice((run) => run.call(verb, args));
  }

  /** Does something with an instance, and once more with the next one if it trapped before the storage was told to write. */
  async #twice(work: (run: Run) => Promise<unknown>): Promise<unknown> {
    const run = this.#alive();
    const { commits } = run;
    try {
      return await work(run);
    } catch (error) {
      const trapped = error instanceof MemoryError && error.code === "crashed";
      if (!trapped || run.commits > commits) throw error;
      return work(this.#alive());
    }
  }

  #alive(): Run {
    if (this.#run.dead) this.#start();
    return this.#run;
  }

  #start(): void {
    this.#run = new Run(this.#wasm, this.#options, this.#newest);
    for (const verb of this.#standing) this.#run.call(verb, "{}").catch(() => {});
  }

  /** Goes on in the full module, once the calls under way are answered. The storage stays as it is. */
  async #grow(full: () => Promise<object>): Promise<void> {
    try {
      const module = await full();
      await this.#run.idle();
      this.#wasm = { ...this.#wasm, module, full: undefined };
      this.#start();
    } finally {
      // If it could not be loaded, the next call tries again.
      this.#growing = undefined;
    }
  }
}

function errorFromJson(json: string): MemoryError {
  const { code, message, field } = JSON.parse(json) as {
    code: MemoryErrorCode;
    message: string;
    field?: string;
  };
  return new MemoryError(code, message, { field });
}

/** The engine's own words on a trap ("unreachable") are fine to show; anything longer is not ours. */
function withoutMessage(cause: unknown): string {
  return cause instanceof Error ? cause.name : typeof cause;
}

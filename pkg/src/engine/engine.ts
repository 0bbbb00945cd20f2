// One wasm instance and its pending calls. After a trap the next call gets a new instance, which opens the memory from the
// storage. Pending calls are retried there once, unless they may have written: those are rejected. The retry exists because
// not every trap is a bug of the module: WebKit's compilers sometimes miscompile correct code.

import type { Host, Instance } from "../../wasm/keepsake.js";
import { MemoryError, type MemoryErrorCode } from "../base/errors.js";
import { later } from "../base/later.js";
import type { StorageAdapter } from "../storage/adapter.js";
import { Turns } from "../storage/turns.js";
import { type Newest, Wire } from "./storage-wire.js";

/** Creates instances. */
export interface Wasm {
  instantiate(module: object): Instance;
  module: object;
  /** Loads the module with all verbs, if this one has only the first ones. */
  full?: (() => Promise<object>) | undefined;
}

/** The verbs of the small module. `tests/js/two-modules.test.mjs` calls each of them. */
export const FIRST_VERBS: ReadonlySet<string> = new Set(
  "add update get history delete list search toEmbed count stats clear cleanup hint evicted flush close".split(
    " ",
  ),
);

/** Options for which a call needs the full module: parts of scores, and a rule for secrets. */
const FULL_OPTIONS: Readonly<Record<string, string>> = {
  search: '"explain":true',
  add: '"secrets":',
  update: '"secrets":',
};

/**
 * Whether the small module can run the call. A match of the option's name elsewhere in the JSON costs a download and
 * nothing else.
 */
function isFirst(verb: string, args: string): boolean {
  const option = FULL_OPTIONS[verb];
  return FIRST_VERBS.has(verb) && !(option && args.includes(option));
}

/**
 * Verbs whose effect lasts for the life of an instance: hints about writes of others, the record of evictions, and language
 * packs.
 */
const STANDING: ReadonlySet<string> = new Set(["hint", "evicted", "usePack"]);

/** Everything that an instance needs to open a memory. */
export interface EngineOptions {
  /** The JSON that the instance opens with. */
  open: string;
  adapter: StorageAdapter;
  /** Restores the message of an error that the adapter caused. */
  restore?: ((reported: MemoryError) => MemoryError) | undefined;
  now: () => number;
  random: (length: number) => Uint8Array;
  countTokens: ((text: string) => number) | undefined;
}

/** Runs the calls of one memory: an instance on this thread, or a proxy to one on another. */
export interface EngineSeam {
  /** Resolves with the verb's answer, or rejects with a `MemoryError`. */
  call(verb: string, args: string): Promise<unknown>;
  /** Closes the storage after pending writes; later calls are refused. */
  close(): Promise<void>;
}

/** The kind of an answer: see `Host.settle`. */
const FAILED = 0;
const PARTLY = 2;

interface Pending {
  /** The items of a long answer so far. */
  items: unknown[];
  resolve(answer: unknown): void;
  reject(error: MemoryError): void;
}

/** The lifetime of one instance. */
class Run {
  /** Settles when the memory is open; a failure to open is final for this instance. */
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

  /** The number of commits that were sent to the storage. */
  get commits(): number {
    return this.#wire.commits;
  }

  /** Waits for the memory only while it opens: a promise per call would cost time. */
  call(verb: string, args: string): Promise<unknown> {
    const begin = () => this.#begin((call) => this.#instance.call(call, verb, args));
    return this.#open ? begin() : this.opened.then(begin);
  }

  /** Settles when no call is pending. */
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
        // After a conflict a refused call will not commit.
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

  /** Enters the instance. Any exception is a trap: the instance is unusable afterwards. */
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

/** Runs calls, in a new instance after a trap, and in the full module once a call needs it. */
export class Engine implements EngineSeam {
  readonly #options: EngineOptions;
  readonly #newest: Newest = { revision: 0 };
  #wasm: Wasm;
  #run: Run;
  #closed = false;
  /** Settles when the full module runs. Later calls wait for it, which keeps their order. */
  #growing: Promise<void> | undefined;
  /** Calls whose effect lasts: they are replayed in a new instance. */
  readonly #standing = new Map<string, [verb: string, args: string]>();

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
    if (STANDING.has(verb)) this.#standing.set(verb + args, [verb, args]);
    if (this.#wasm.full && !isFirst(verb, args)) this.#growing ??= this.#grow(this.#wasm.full);
    return this.#growing ? this.#growing.then(() => this.#begin(verb, args)) : this.#begin(verb, args);
  }

  /** Closes the memory; later calls are refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    // A module that cannot be loaded must not keep a memory open.
    const closing = (this.#growing ?? Promise.resolve())
      .catch(() => {})
      .then(() => this.#begin("close", "{}"));
    this.#closed = true;
    await closing;
  }

  #begin(verb: string, args: string): Promise<unknown> {
    return this.#twice((run) => run.call(verb, args));
  }

  /** Runs `work` in an instance. If that traps before a commit was sent to the storage, retries once in a new one. */
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
    for (const [verb, args] of this.#standing.values()) this.#run.call(verb, args).catch(() => {});
  }

  /** Switches to the full module once pending calls have settled. The storage stays open. */
  async #grow(full: () => Promise<object>): Promise<void> {
    try {
      const module = await full();
      await this.#run.idle();
      this.#wasm = { ...this.#wasm, module, full: undefined };
      this.#start();
    } finally {
      // If the module could not be loaded, the next call tries again.
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

/** The engine's message for a trap ("unreachable") is safe to show; anything longer may contain data. */
function withoutMessage(cause: unknown): string {
  return cause instanceof Error ? cause.name : typeof cause;
}

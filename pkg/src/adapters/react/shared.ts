// Memories shared by components: opened for the first one, closed some time after the last one has unmounted.

import { optionsIn } from "../../base/errors.js";
import type { OpenOptions, WorkerOpenOptions, WorkerTarget } from "../../entry/worker.js";
import type { Memory } from "../../memory/memory.js";
import type { Metadata } from "../../wire/types.js";

/** The options of `useMemory`: those of `openMemory`, on this thread or in a worker. */
export type UseMemoryOptions<N extends string = never> =
  | (OpenOptions<N> & { worker?: undefined })
  | (Omit<WorkerOpenOptions<N>, "worker"> & {
      /**
       * The worker that calls `serve`, or a function that makes one. The function may be inline: it is called once for all
       * components that share the memory, and a worker that it made is terminated when the memory is closed.
       */
      worker: WorkerTarget | (() => WorkerTarget);
    });

/** The state of a memory: loading, ready or failed. */
export type MemoryState<M extends Metadata = Metadata, N extends string = never> =
  | { status: "loading"; memory: undefined; error: undefined }
  | { status: "ready"; memory: Memory<M, N>; error: undefined }
  | { status: "failed"; memory: undefined; error: unknown };

/** The state before anything is opened, and on a server. */
export const LOADING = { status: "loading", memory: undefined, error: undefined } as const;

/** How many milliseconds a memory stays open without components: the next page of an app often uses the same one. */
const LINGER = 1_000;

/** One memory, and the components that use it. */
class Shared {
  state: MemoryState<Metadata, string> = LOADING;
  readonly #listeners = new Set<() => void>();
  readonly #opening: Promise<Memory<Metadata, string>>;
  readonly #closed: () => void;
  /** The worker that was made for this memory. */
  #worker: WorkerTarget | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UseMemoryOptions<string>, closed: () => void) {
    this.#closed = closed;
    this.#opening = this.#open(options);
    this.#opening.then(
      (memory) => this.#become({ status: "ready", memory, error: undefined }),
      (error: unknown) => this.#become({ status: "failed", memory: undefined, error }),
    );
  }

  /** Registers a component. Returns a function that removes it. */
  keepFor(listener: () => void): () => void {
    clearTimeout(this.#timer);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      // A failed memory is not kept: the next component tries again.
      this.#timer = setTimeout(() => this.#close(), this.state.status === "failed" ? 0 : LINGER);
    };
  }

  #become(state: MemoryState<Metadata, string>): void {
    this.state = state;
    for (const listener of [...this.#listeners]) listener();
  }

  /** The modules are loaded on demand: a server needs neither, and a page with a worker needs no wasm. */
  async #open(options: UseMemoryOptions<string>): Promise<Memory<Metadata, string>> {
    optionsIn(options);
    if (!options.worker) {
      const { worker: _, ...here } = options;
      return (await import("keepsake")).openMemory(here);
    }
    const { worker, ...there } = options;
    const target = typeof worker === "function" ? this.#make(worker) : worker;
    return (await import("keepsake/worker")).openMemory({ ...there, worker: target });
  }

  #make(worker: () => WorkerTarget): WorkerTarget {
    this.#worker = worker();
    return this.#worker;
  }

  #close(): void {
    this.#closed();
    const end = () => {
      const worker = this.#worker;
      if (worker && "terminate" in worker && typeof worker.terminate === "function") worker.terminate();
    };
    // A memory that never opened, or whose worker has ended, has nothing to close.
    this.#opening.then((memory) => memory.close()).then(end, end);
  }
}

const shared = new Map<string, Shared>();
const adapters = new WeakMap<object, number>();
let adaptersSeen = 0;

/** The key of a memory: its name, user and storage. */
export function keyOf(options: UseMemoryOptions<string>): string {
  // Without options, opening fails.
  const { name = "default", user, storage }: Partial<UseMemoryOptions<string>> = options ?? {};
  return JSON.stringify([
    name,
    user,
    typeof storage === "object" && storage !== null ? numberOf(storage) : storage,
  ]);
}

/** The current state of the memory. Opens nothing. */
export function stateOf(key: string): MemoryState<Metadata, string> {
  return shared.get(key)?.state ?? LOADING;
}

/** Opens the memory unless it is open. Returns a function that releases it. */
export function keepOpen(key: string, options: UseMemoryOptions<string>, listener: () => void): () => void {
  let found = shared.get(key);
  if (!found) {
    found = new Shared(options, () => shared.delete(key));
    shared.set(key, found);
  }
  return found.keepFor(listener);
}

function numberOf(adapter: object): number {
  let number = adapters.get(adapter);
  if (number === undefined) {
    number = adaptersSeen++;
    adapters.set(adapter, number);
  }
  return number;
}

// Memories that components share: opened when the first one wants it, closed a while after the last one has gone.

import type { OpenOptions, WorkerOpenOptions } from "../../entry/worker.js";
import type { Memory } from "../../memory/memory.js";
import type { Metadata } from "../../wire/types.js";

/** What `useMemory` takes: what `openMemory` does, on this thread or in a worker. */
export type UseMemoryOptions<N extends string = never> =
  | (OpenOptions<N> & { worker?: undefined })
  | WorkerOpenOptions<N>;

/** A memory on its way, there, or refused. */
export type MemoryState<M extends Metadata = Metadata, N extends string = never> =
  | { status: "loading"; memory: undefined; error: undefined }
  | { status: "ready"; memory: Memory<M, N>; error: undefined }
  | { status: "failed"; memory: undefined; error: unknown };

/** What there is before anybody has opened anything, and on a server. */
export const LOADING = { status: "loading", memory: undefined, error: undefined } as const;

/** For so many milliseconds a memory stays open without anybody: the next page of an app often wants the same one. */
const LINGER = 1_000;

/** One memory, and the components that use it. */
class Shared {
  state: MemoryState<Metadata, string> = LOADING;
  readonly #listeners = new Set<() => void>();
  readonly #opening: Promise<Memory<Metadata, string>>;
  readonly #closed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UseMemoryOptions<string>, closed: () => void) {
    this.#closed = closed;
    this.#opening = open(options);
    this.#opening.then(
      (memory) => this.#become({ status: "ready", memory, error: undefined }),
      (error: unknown) => this.#become({ status: "failed", memory: undefined, error }),
    );
  }

  /** A component wants it, until the answer is called. */
  keepFor(listener: () => void): () => void {
    clearTimeout(this.#timer);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      // One that failed is not kept: whoever comes next tries again.
      this.#timer = setTimeout(() => this.#close(), this.state.status === "failed" ? 0 : LINGER);
    };
  }

  #become(state: MemoryState<Metadata, string>): void {
    this.state = state;
    for (const listener of [...this.#listeners]) listener();
  }

  #close(): void {
    this.#closed();
    // One that never opened, or whose worker is gone, has nothing to close.
    this.#opening.then((memory) => memory.close()).catch(() => {});
  }
}

const shared = new Map<string, Shared>();
const adapters = new WeakMap<object, number>();
let adaptersSeen = 0;

/** Which memory the options mean. Those of one name, one user and one storage are the same. */
export function keyOf({ name = "default", user, storage }: UseMemoryOptions<string>): string {
  return JSON.stringify([name, user, typeof storage === "object" ? numberOf(storage) : storage]);
}

/** What has become of the memory so far. Only looks. */
export function stateOf(key: string): MemoryState<Metadata, string> {
  return shared.get(key)?.state ?? LOADING;
}

/** Opens the memory unless it is open, and keeps it so until the answer is called. */
export function keepOpen(key: string, options: UseMemoryOptions<string>, listener: () => void): () => void {
  let found = shared.get(key);
  if (!found) {
    found = new Shared(options, () => shared.delete(key));
    shared.set(key, found);
  }
  return found.keepFor(listener);
}

/** Loaded when they are needed: a server needs neither, and a page with a worker no wasm. */
async function open(options: UseMemoryOptions<string>): Promise<Memory<Metadata, string>> {
  if (options.worker) return (await import("keepsake/worker")).openMemory(options);
  const { worker: _, ...here } = options;
  return (await import("keepsake")).openMemory(here);
}

function numberOf(adapter: object): number {
  let number = adapters.get(adapter);
  if (number === undefined) {
    number = adaptersSeen++;
    adapters.set(adapter, number);
  }
  return number;
}

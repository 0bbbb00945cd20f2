// An engine on another thread, reached through messages. When the worker has ended, the next call opens the memory anew.

import { MemoryError, refused } from "../../base/errors.js";
import type { EngineSeam } from "../../engine/engine.js";
import { hints, type Listen } from "../../engine/hints.js";
import type { Start } from "../start.js";
import { Link, type LinkOptions } from "./link.js";
import type { Opened, TakesMessages, ThereMessage } from "./wire.js";

/** A worker in which `serve` was called, or a port to one; that of a `SharedWorker` is found by itself. */
export type WorkerTarget = TakesMessages | { readonly port: TakesMessages };

/** How many milliseconds a worker may keep silent while something is asked of it. */
const TIMEOUT = 30_000;

/** For so many milliseconds after a sign of life a service worker is sure to run: browsers end it after half a minute. */
const AWAKE = 5_000;

/** Starts engines in a worker. */
export function startIn(worker: WorkerTarget, timeout: number = TIMEOUT): Start {
  const isShared = typeof worker === "object" && worker !== null && "port" in worker;
  const target = isShared ? worker.port : worker;
  if (typeof target?.postMessage !== "function") {
    throw refused("worker", "must be a Worker, a SharedWorker, a ServiceWorker or a MessagePort");
  }
  if (!(timeout > 0)) throw refused("timeout", "must be a number of milliseconds above 0");
  return async ({ open, name, user, storage, full, ...here }) => {
    for (const [field, given] of Object.entries(here)) {
      // The core asks in the middle of its work, and cannot wait for another thread.
      if (given !== undefined) throw refused(field, "must be given to `serve`, in the worker");
    }
    if (typeof storage === "object")
      throw refused("storage", "must be a name: an adapter stays on its thread");
    const errors = worker as LinkOptions["errors"];
    const engine = new RemoteEngine({
      target,
      errors,
      opening: { open, name, user, storage, full },
      timeout,
    });
    const { persistent, problem, origin } = await engine.opened;
    // On this side, because a service worker that sleeps hears nothing. A port may lead to another origin, from which
    // nothing is heard here: without a hint the core looks at the storage itself.
    const isOurs = origin !== undefined && origin === globalThis.location?.origin;
    const listen: Listen = (told) => hints(name, user, told);
    return { engine, persistent, problem, listen: isOurs ? listen : undefined };
  };
}

class RemoteEngine implements EngineSeam {
  /** What the worker said when the memory was first opened. */
  readonly opened: Promise<Opened>;
  readonly #options: LinkOptions;
  #link: Link;
  #persistent = false;
  #closed = false;
  /** Settles when the call before has left, where each has to wait for the worker to be awake. */
  #turn: Promise<unknown> = Promise.resolve();
  #awakeAt = performance.now();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#link = new Link(options);
    this.opened = this.#link.opened;
    const settled = ({ persistent }: Opened) => {
      this.#persistent = persistent;
      globalThis.addEventListener?.("pagehide", this.#leave);
    };
    this.opened.then(settled, () => {});
  }

  call(verb: string, args: string): Promise<unknown> {
    if (this.#closed) return Promise.reject(new MemoryError("closed", "the memory is closed: open it again"));
    if (!this.#sleeps) return this.#living().call(verb, args);
    const awake = this.#turn.then(() => this.#wake());
    this.#turn = awake;
    return awake.then(() => this.#living().call(verb, args));
  }

  /** Closes the memory and frees what the worker holds of it; later calls are refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    globalThis.removeEventListener?.("pagehide", this.#leave);
    await this.#turn;
    if (this.#sleeps) await this.#wake();
    await this.#link.close();
  }

  /** The link, or a new one. What was in the worker's memory only is gone with it, and is not opened again as if it were. */
  #living(): Link {
    if (this.#link.over && this.#persistent) {
      const opening = { ...this.#options.opening, storage: "indexeddb" as const };
      this.#link = new Link({ ...this.#options, opening });
    }
    return this.#link;
  }

  /** The page goes: nobody would tell the worker otherwise. If it comes back, the next call opens the memory again. */
  readonly #leave = (event: Event): void => {
    const mayComeBack = (event as PageTransitionEvent).persisted;
    if (mayComeBack && !this.#persistent) return;
    const link = this.#link;
    link.leave();
    globalThis.addEventListener("pageshow", () => link.fail("the page was away"), { once: true });
  };

  /** Whether the worker ends by itself when nothing happens, as only service workers do. */
  get #sleeps(): boolean {
    return typeof ServiceWorker !== "undefined" && this.#options.target instanceof ServiceWorker;
  }

  /** Messages on a port do not wake a service worker up, nor keep it awake; one to itself does both. */
  async #wake(): Promise<void> {
    if (this.#link.over || performance.now() - this.#awakeAt < AWAKE) return;
    if (!(await this.#isThere())) this.#link.fail("the service worker has ended");
    this.#awakeAt = performance.now();
  }

  /** Whether the worker still knows the link. */
  async #isThere(): Promise<boolean> {
    const { target, timeout } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const message: ThereMessage = { keepsake: "there", link: this.#link.id, port: port2 };
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<boolean>((resolve) => {
        port1.onmessage = ({ data }) => resolve(data === true);
        timer = setTimeout(resolve, timeout, false);
        target.postMessage(message, [port2]);
      });
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      port1.close();
    }
  }
}

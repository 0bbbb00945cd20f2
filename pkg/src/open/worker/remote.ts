// An engine on another thread, reached through messages. If the worker has ended, the next call reopens the memory.

import { MemoryError, refused } from "../../base/errors.js";
import type { EngineSeam } from "../../engine/engine.js";
import { hints, type Listen } from "../../engine/hints.js";
import type { Start } from "../start.js";
import { Link, type LinkOptions } from "./link.js";
import type { Opened, TakesMessages, ThereMessage } from "./wire.js";

/** A worker that calls `serve`, or a port to one. The port of a `SharedWorker` is found automatically. */
export type WorkerTarget = TakesMessages | { readonly port: TakesMessages };

/** How many milliseconds a worker may be silent while calls are pending. */
const TIMEOUT = 30_000;

/** For this many milliseconds after a message a service worker is known to run: browsers end it after 30 seconds. */
const AWAKE = 5_000;

/** Starts engines in a worker. */
export function startIn(worker: WorkerTarget, timeout: number = TIMEOUT): Start {
  const isShared = typeof worker === "object" && worker !== null && "port" in worker;
  const target = isShared ? worker.port : worker;
  if (typeof target?.postMessage !== "function") {
    throw refused("worker", "must be a Worker, a SharedWorker, a ServiceWorker or a MessagePort");
  }
  if (!(timeout > 0)) throw refused("timeout", "must be a positive number of milliseconds");
  return async ({ open, name, user, storage, full, ...here }) => {
    for (const [field, given] of Object.entries(here)) {
      // The core calls these synchronously, so they cannot be on another thread.
      if (given !== undefined) throw refused(field, "must be given to `serve`, in the worker");
    }
    if (typeof storage === "object")
      throw refused("storage", 'must be "indexeddb" or "memory": an adapter cannot move to another thread');
    const errors = worker as LinkOptions["errors"];
    const engine = new RemoteEngine({
      target,
      errors,
      opening: { open, name, user, storage, full },
      timeout,
    });
    const { persistent, problem, origin } = await engine.opened;
    // On this side, because a sleeping service worker receives no broadcasts. A port may lead to another origin, whose
    // broadcasts do not arrive here: without a hint the core checks the storage itself.
    const isOurs = origin !== undefined && origin === globalThis.location?.origin;
    const listen: Listen = (told) => hints(name, user, told);
    return { engine, persistent, problem, listen: isOurs ? listen : undefined };
  };
}

class RemoteEngine implements EngineSeam {
  /** The answer of the worker when the memory was first opened. */
  readonly opened: Promise<Opened>;
  readonly #options: LinkOptions;
  #link: Link;
  #persistent = false;
  #closed = false;
  /** Settles when the previous call was sent, where each call first waits for the worker to wake. */
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

  /** Closes the memory and frees it in the worker; later calls are refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    globalThis.removeEventListener?.("pagehide", this.#leave);
    await this.#turn;
    if (this.#sleeps) await this.#wake();
    await this.#link.close();
  }

  /** The link, or a new one. A memory without storage is lost with its worker, so it is not reopened. */
  #living(): Link {
    if (this.#link.over && this.#persistent) {
      const opening = { ...this.#options.opening, storage: "indexeddb" as const };
      this.#link = new Link({ ...this.#options, opening });
    }
    return this.#link;
  }

  /**
   * Ends the link when the page is left, because the worker is not notified. After a return the next call reopens the
   * memory.
   */
  readonly #leave = (event: Event): void => {
    const mayComeBack = (event as PageTransitionEvent).persisted;
    if (mayComeBack && !this.#persistent) return;
    const link = this.#link;
    link.leave();
    globalThis.addEventListener("pageshow", () => link.fail("the page was away"), { once: true });
  };

  /** Whether the worker ends by itself when idle, as only service workers do. */
  get #sleeps(): boolean {
    return typeof ServiceWorker !== "undefined" && this.#options.target instanceof ServiceWorker;
  }

  /** Messages on a port neither wake a service worker nor keep it awake; a message to the worker itself does both. */
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

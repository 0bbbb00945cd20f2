// The page's end of one link to a worker: calls under way, and how long the worker may keep silent about them.

import { MemoryError } from "../../base/errors.js";
import {
  type Opened,
  type Opening,
  type OpenMessage,
  type Reply,
  type Request,
  received,
  type TakesMessages,
  take,
  WIRE,
} from "./wire.js";

/** Where a link leads, and how. */
export interface LinkOptions {
  /** What the first message is posted to. */
  target: TakesMessages;
  /** What tells that it could not be started, if it does. */
  errors: Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
  opening: Opening;
  /** How many milliseconds may pass without a word while something is asked. */
  timeout: number;
}

interface Pending {
  resolve(answer: unknown): void;
  reject(error: MemoryError): void;
}

/** One life of a link. */
export class Link {
  /** Its name to the worker. */
  readonly id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  /** Settles when the memory is open; a failure to open is final for this link. */
  readonly opened: Promise<Opened>;
  readonly #port: MessagePort;
  readonly #options: LinkOptions;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #open = false;
  /** Why it takes no more calls. */
  #over: string | undefined;
  /** How many messages have come. */
  #heard = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const gone = () => this.fail("the worker has ended");
    take<Reply>(port1, (reply) => this.#take(reply), gone);
    this.opened = this.#begin((call) => this.#ask(call, port2)) as Promise<Opened>;
    const open = () => {
      this.#open = true;
    };
    this.opened.then(open, () => this.fail("the memory could not be opened"));
  }

  /** Whether it takes no more calls. */
  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Waits for the memory only as long as it is not open. */
  call(verb: string, args: string): Promise<unknown> {
    const begin = () => this.#begin((call) => this.#post({ call, verb, args }));
    return this.#open ? begin() : this.opened.then(begin);
  }

  /** Frees what the worker holds for it. Calls under way are answered first, others are refused from now on. */
  async close(): Promise<void> {
    await this.opened.catch(() => {});
    if (this.over) return;
    const closing = this.call("close", "{}");
    this.#over = "the link to the worker was closed";
    try {
      await closing;
    } finally {
      this.#port.close();
    }
  }

  /** The page goes, and will not be there for an answer. What it still asks meanwhile is done. */
  leave(): void {
    if (!this.over) this.#post({ bye: true });
  }

  /** Nothing will come any more. Whoever waits is told. */
  fail(why: string): void {
    this.#over ??= why;
    clearTimeout(this.#timer);
    for (const { reject } of this.#pending.values()) reject(unavailable(why));
    this.#pending.clear();
    this.#port.close();
  }

  #begin(send: (call: number) => void): Promise<unknown> {
    if (this.#over !== undefined) return Promise.reject(unavailable(this.#over));
    return new Promise((resolve, reject) => {
      const call = this.#calls++;
      this.#pending.set(call, { resolve, reject });
      if (this.#pending.size === 1) this.#watch();
      send(call);
    });
  }

  #ask(call: number, port: MessagePort): void {
    const { target, errors, opening } = this.#options;
    const failed = () => this.fail("the worker could not be started");
    errors.addEventListener?.("error", failed);
    const settled = () => errors.removeEventListener?.("error", failed);
    // Later, when `opened` is there to be waited for.
    queueMicrotask(() => this.opened.then(settled, settled));
    const message: OpenMessage = { ...opening, keepsake: "open", wire: WIRE, link: this.id, port, call };
    try {
      target.postMessage(message, [port]);
    } catch {
      failed();
    }
  }

  #post(request: Request): void {
    this.#port.postMessage(request);
  }

  #take(reply: Reply): void {
    this.#heard += 1;
    if (!("call" in reply)) return;
    const pending = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    if (this.#pending.size === 0) clearTimeout(this.#timer);
    if ("error" in reply) pending?.reject(received(reply.error));
    else pending?.resolve(reply.value);
  }

  /** While something is awaited: if nothing came for half of the time, asks for a sign of life, and then waits the rest. */
  #watch(asked = false): void {
    const { timeout } = this.#options;
    const heard = this.#heard;
    this.#timer = setTimeout(() => {
      if (this.#heard !== heard) this.#watch();
      else if (asked) this.fail(`the worker gave no sign of life in ${timeout} ms`);
      else {
        this.#post({ ping: true });
        this.#watch(true);
      }
    }, timeout / 2);
  }
}

function unavailable(why: string): MemoryError {
  return new MemoryError("unavailable", why);
}

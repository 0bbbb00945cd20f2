// The page's end of one link to a worker: pending calls, and a timeout for a silent worker.

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

/** The target of a link. */
export interface LinkOptions {
  /** The target of the first message. */
  target: TakesMessages;
  /** The source of `error` events, if the worker has them. */
  errors: Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
  opening: Opening;
  /** How many milliseconds a worker may be silent while calls are pending. */
  timeout: number;
}

interface Pending {
  resolve(answer: unknown): void;
  reject(error: MemoryError): void;
}

/** The lifetime of one link. */
export class Link {
  /** Its id in the worker. */
  readonly id = crypto.getRandomValues(new Uint32Array(4)).join("-");
  /** Settles when the memory is open; a failure to open is final for this link. */
  readonly opened: Promise<Opened>;
  readonly #port: MessagePort;
  readonly #options: LinkOptions;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  #open = false;
  /** The reason why it is over. */
  #over: string | undefined;
  /** The number of received messages. */
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

  /** Whether it accepts no more calls. */
  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Waits for the memory only while it opens. */
  call(verb: string, args: string): Promise<unknown> {
    const begin = () => this.#begin((call) => this.#post({ call, verb, args }));
    return this.#open ? begin() : this.opened.then(begin);
  }

  /** Frees the memory in the worker. Pending calls are answered first; later calls are refused. */
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

  /** The page is being left. Requests that it still sends are carried out. */
  leave(): void {
    if (!this.over) this.#post({ bye: true });
  }

  /** Ends the link, and rejects pending calls. */
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
    // Deferred until `opened` exists.
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

  /** While calls are pending: after half the timeout without a message sends a ping, then waits for the other half. */
  #watch(asked = false): void {
    const { timeout } = this.#options;
    const heard = this.#heard;
    this.#timer = setTimeout(() => {
      if (this.#heard !== heard) this.#watch();
      else if (asked) this.fail(`the worker did not answer within ${timeout} ms`);
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

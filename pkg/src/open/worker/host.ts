// The worker's side: one engine and one port per opened memory.

import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { EngineSeam } from "../../engine/engine.js";
import type { Start } from "../start.js";
import {
  type Opened,
  type OpenMessage,
  type Reply,
  type Request,
  sent,
  type TakesMessages,
  type ThereMessage,
  take,
  WIRE,
} from "./wire.js";

/** Options of `serve`. */
export interface ServeOptions {
  /** The port on which requests arrive. Default: the worker itself. Required in Node, usually `parentPort`. */
  port?: TakesMessages | undefined;
  /** Counts the tokens of a string as the app's model does. Default: an estimate for `config.tokenizer`. */
  countTokens?: ((text: string) => number) | undefined;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Random bytes, for ids. Default: `crypto.getRandomValues`. */
  random?: ((length: number) => Uint8Array) | undefined;
}

/** An incoming message; `waitUntil` keeps a service worker awake. */
interface Incoming {
  data: unknown;
  ports?: readonly MessagePort[];
  waitUntil?: (work: Promise<unknown>) => void;
}

/** A source of messages: a port, or the worker itself. */
interface Source {
  addEventListener(type: string, listener: (event: Incoming) => void): void;
  start?: () => void;
}

/** How many milliseconds a memory stays open after its page has left, for requests that the page sent last. */
const LAST_WORDS = 1_000;

/** `serve` for one way of starting engines. */
export function server(start: Start) {
  return function serve(options: ServeOptions = {}): void {
    known(options, "port countTokens now random");
    const { port, countTokens, now, random } = options;
    const served = new Map<string, Served>();
    const asked = (event: Incoming) => {
      const message = event.data as OpenMessage | ThereMessage | null;
      // Other messages are for other code of the worker.
      if (message?.keepsake === "there") message.port.postMessage(served.has(message.link));
      if (message?.keepsake !== "open") return;
      const memory = new Served(message.port, () => served.delete(message.link));
      served.set(message.link, memory);
      const opened = memory.open(message, (request) => start({ ...request, countTokens, now, random }));
      event.waitUntil?.(opened);
    };
    const listen = (source: Source) => {
      source.addEventListener("message", asked);
      source.start?.();
    };
    if (port) {
      listen(port as unknown as Source);
      return;
    }
    if (typeof document !== "undefined" || typeof globalThis.addEventListener !== "function") {
      throw refused("port", "must be given outside of a browser's worker");
    }
    const worker = globalThis as unknown as Source;
    listen(worker);
    // A shared worker has one port per page.
    worker.addEventListener("connect", ({ ports }) => {
      if (ports?.[0]) listen(ports[0] as unknown as Source);
    });
  };
}

/** One memory of one page. */
class Served {
  readonly #port: MessagePort;
  readonly #ended: () => void;
  #engine: EngineSeam | undefined;
  #over = false;

  constructor(port: MessagePort, ended: () => void) {
    this.#port = port;
    this.#ended = ended;
    const gone = () => void this.#end().catch(() => {});
    take<Request>(port, (request) => this.#take(request), gone);
  }

  /** Answers when the memory is open, or with the error. */
  open({ call, wire, open, name, user, storage, full }: OpenMessage, start: OpenEngine): Promise<void> {
    return this.#answer(call, async (): Promise<Opened> => {
      if (wire !== WIRE) {
        this.#ended();
        throw new MemoryError("unavailable", "the worker runs another version of this library; restart it");
      }
      const started = await start({ open, name, user, storage, full }).catch((error) => {
        this.#ended();
        throw error;
      });
      const { engine, persistent, problem, listen } = started;
      this.#engine = engine;
      // The page may have left while the memory opened.
      if (this.#over) await this.#end();
      return { persistent, problem, origin: listen && globalThis.location?.origin };
    });
  }

  #take(request: Request): void {
    if ("ping" in request) this.#post({ pong: true });
    if ("bye" in request) setTimeout(() => void this.#end().catch(() => {}), LAST_WORDS);
    if (!("call" in request)) return;
    const { call, verb, args } = request;
    void this.#answer(call, async () => (verb === "close" ? this.#end() : this.#engine?.call(verb, args)));
  }

  /** Closes the memory after pending writes, and the port. */
  async #end(): Promise<void> {
    this.#over = true;
    this.#ended();
    await this.#engine?.close();
  }

  async #answer(call: number, work: () => Promise<unknown>): Promise<void> {
    try {
      this.#post({ call, value: await work() });
    } catch (error) {
      this.#post({ call, error: sent(error) });
    }
  }

  #post(reply: Reply): void {
    this.#port.postMessage(reply);
  }
}

/** Starts the engine of a memory. */
type OpenEngine = (
  request: Pick<OpenMessage, "open" | "name" | "user" | "storage" | "full">,
) => ReturnType<Start>;

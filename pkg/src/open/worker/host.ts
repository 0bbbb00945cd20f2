// The worker's side: an engine for each memory that a page opens here, and the port to it.

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

/** How a worker serves memories. */
export interface ServeOptions {
  /** Where pages ask. Default: the worker itself; in Node it has to be given, usually as `parentPort`. */
  port?: TakesMessages | undefined;
  /** How many tokens a text has, as the app's model counts them. Default: an estimate for `config.tokenizer`. */
  countTokens?: ((text: string) => number) | undefined;
  /** The time, in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Random bytes, for ids. Default: `crypto.getRandomValues`. */
  random?: ((length: number) => Uint8Array) | undefined;
}

/** What comes in; a service worker's also keeps it awake. */
interface Incoming {
  data: unknown;
  ports?: readonly MessagePort[];
  waitUntil?: (work: Promise<unknown>) => void;
}

/** What messages come from: a port, or the worker itself. */
interface Source {
  addEventListener(type: string, listener: (event: Incoming) => void): void;
  start?: () => void;
}

/** How many milliseconds after a page has gone its last words are waited for: what it asks while it is being left. */
const LAST_WORDS = 1_000;

/** `serve` for one way of starting engines. */
export function server(start: Start) {
  return function serve(options: ServeOptions = {}): void {
    known(options, "port countTokens now random");
    const { port, countTokens, now, random } = options;
    const served = new Map<string, Served>();
    const asked = (event: Incoming) => {
      const message = event.data as OpenMessage | ThereMessage | null;
      // A worker may have other things to talk about.
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
    // A shared worker has a port for each page.
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

  /** Answers once the memory is open, or why it is not. */
  open({ call, wire, open, name, user, storage, full }: OpenMessage, start: OpenEngine): Promise<void> {
    return this.#answer(call, async (): Promise<Opened> => {
      if (wire !== WIRE) {
        this.#ended();
        throw new MemoryError("unavailable", "the worker runs another version of this library: end it");
      }
      const started = await start({ open, name, user, storage, full }).catch((error) => {
        this.#ended();
        throw error;
      });
      const { engine, persistent, problem, listen } = started;
      this.#engine = engine;
      // The page may have gone meanwhile.
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

  /** Lets go of everything, after the writes under way. */
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

/** Starts an engine for what a page knows of its memory. */
type OpenEngine = (
  request: Pick<OpenMessage, "open" | "name" | "user" | "storage" | "full">,
) => ReturnType<Start>;

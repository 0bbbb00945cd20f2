// Requests to the API: sent again where that is safe, and turned into errors of this library where they fail.

import { STATUS } from "../../base/codes.js";
import { MemoryError, type MemoryErrorCode, refused } from "../../base/errors.js";
import { encode, isWellFormed } from "../../base/json.js";
import { known } from "../../base/options.js";
import { ROUTES, type Route, type RoutedVerb } from "../http/generated.js";

/** How an API is reached. */
export interface RemoteOptions {
  /** Where it is, without `/v1`, such as `https://memory.example`. */
  url: string;
  /** The bearer token, or what answers it: it is asked before each attempt, so that a token may expire. */
  token: string | (() => string | Promise<string>);
  /** How often a request is sent again that got no answer, or one that says to come back. Default: 4. */
  retries?: number | undefined;
  /** How many milliseconds an attempt may take. Default: 30,000. */
  timeout?: number | undefined;
  /** The longest pause before another attempt, in milliseconds. Default: 10,000. */
  maxPause?: number | undefined;
  /** Ends all requests when it is aborted. Default: none. */
  signal?: AbortSignal | undefined;
  /** Sends requests. Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What can be said about one request. */
export interface RequestOptions {
  /** Ends the request; it rejects with the signal's reason. A write may have been done. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * The key under which a write is done once, 1 to 255 visible ASCII characters: say it to ask again after a reload.
   * Default: a new one for each call, the same for all of its attempts.
   */
  idempotencyKey?: string | undefined;
}

/** What a call over the network rejects with. */
export class RemoteError extends MemoryError {
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  /** The code as the service said it, which may be one of its own, such as `unauthorized`; `""` if it said none. */
  readonly reason: string;

  constructor(
    code: MemoryErrorCode,
    message: string,
    more: { status: number; reason?: string | undefined; field?: string | undefined; cause?: unknown },
  ) {
    super(code, message, { field: more.field, ...("cause" in more && { cause: more.cause }) });
    this.status = more.status;
    this.reason = more.reason ?? "";
  }
}

/** Answers that say nothing of the request itself: the same one may fare better later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_PAUSE = 100;

/** The arguments of a verb. */
type Args = Record<string, unknown>;

/** The way to an API. */
export class Requests {
  readonly #options: RemoteOptions;
  readonly #base: string;

  constructor(options: RemoteOptions) {
    known(options, "url token retries timeout maxPause signal fetch");
    const { url, token, retries, timeout, maxPause } = options;
    if (typeof url !== "string" || !/^https?:\/\/[^/?#]+[^?#]*$/i.test(url)) {
      throw refused("url", "must be an address that begins with http:// or https://");
    }
    if (typeof token !== "function" && (typeof token !== "string" || token === "")) {
      throw refused("token", "must be a text or a function");
    }
    for (const [name, value] of Object.entries({ retries, timeout, maxPause })) {
      if (value !== undefined && !(typeof value === "number" && value >= 0))
        throw refused(name, "must be a number from 0 on");
    }
    this.#options = options;
    this.#base = `${url.replace(/\/+$/, "")}/v1`;
  }

  /** What a verb answers. Rejects with a `RemoteError`, or with the reason of a signal. */
  async call<T>(verb: RoutedVerb, args: Args, options?: RequestOptions): Promise<T> {
    const { answer }: Route = ROUTES[verb];
    if (answer === undefined) return this.send(verb, args, options);
    return (await this.send<Args>(verb, args, options))[answer] as T;
  }

  /** The same for something that may be missing: then `null`. */
  async find<T>(verb: RoutedVerb, args: Args, options?: RequestOptions): Promise<T | null> {
    try {
      return await this.call<T>(verb, args, options);
    } catch (error) {
      // That there is no such path has another field: then this is no API of ours.
      if (error instanceof RemoteError && error.reason === "not-found" && error.field !== "path") return null;
      throw error;
    }
  }

  /** The whole answer to a request. Rejects with a `RemoteError`, or with the reason of a signal. */
  async send<T>(verb: RoutedVerb, args: Args, options: RequestOptions = {}): Promise<T> {
    known(options, "signal idempotencyKey");
    const { signal, idempotencyKey } = options;
    const route: Route = ROUTES[verb];
    const { path, rest } = pathOf(route, args);
    const hasBody = route.method.startsWith("P");
    const address = this.#base + path + (hasBody ? "" : queryOf(rest));
    // The key makes it safe to send a write again: the service does it once.
    const key = route.writes ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    const body = hasBody ? encode(rest) : undefined;
    const { retries = 4, maxPause = 10_000 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const tried = await this.#try(address, route.method, body, key, signal);
      if ("answer" in tried) return tried.answer as T;
      if (!tried.again || attempt >= retries) throw tried.error;
      const pause = Math.min(maxPause, Math.max(tried.after, FIRST_PAUSE * 2 ** attempt));
      // Not all at once: half of it is left to chance.
      await this.#rest(pause * (0.5 + Math.random() / 2), signal);
    }
  }

  async #try(
    address: string,
    method: string,
    body: string | undefined,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | { error: RemoteError; again: boolean; after: number }> {
    const { timeout = 30_000, fetch = (request: Request) => globalThis.fetch(request) } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeout);
    const stop = () => late.abort();
    const signals = this.#signals(signal);
    for (const one of signals) one.addEventListener("abort", stop, { once: true });
    let status = 0;
    try {
      for (const one of signals) one.throwIfAborted();
      const headers = new Headers(await this.#headers(body, key));
      const init = { method, headers, ...(body !== undefined && { body }), signal: late.signal };
      const response = await fetch(new Request(address, init));
      status = response.status;
      const text = await response.text();
      if (response.ok) return { answer: JSON.parse(text) };
      const after = Number(response.headers.get("Retry-After") ?? 0) * 1000;
      return {
        error: errorOf(status, text),
        again: LATER.has(status),
        after: Number.isFinite(after) ? after : 0,
      };
    } catch (cause) {
      for (const one of signals) one.throwIfAborted();
      if (cause instanceof MemoryError) throw cause;
      const message = late.signal.aborted
        ? `there was no answer in ${timeout} ms`
        : "the service cannot be reached";
      return { error: new RemoteError("unavailable", message, { status, cause }), again: true, after: 0 };
    } finally {
      clearTimeout(timer);
      for (const one of signals) one.removeEventListener("abort", stop);
    }
  }

  async #headers(body: string | undefined, key: string | undefined): Promise<Record<string, string>> {
    const { token } = this.#options;
    const known = typeof token === "function" ? await token() : token;
    if (typeof known !== "string" || !/^[!-~]+$/.test(known))
      throw refused("token", "must be visible ASCII characters");
    if (key !== undefined && !/^[!-~]{1,255}$/.test(key)) {
      throw refused("idempotencyKey", "must be 1 to 255 visible ASCII characters");
    }
    return {
      Authorization: `Bearer ${known}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    };
  }

  #signals(signal: AbortSignal | undefined): AbortSignal[] {
    return [signal, this.#options.signal].filter((one) => one !== undefined);
  }

  #rest(millis: number, signal: AbortSignal | undefined): Promise<void> {
    const signals = this.#signals(signal);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        for (const one of signals) one.removeEventListener("abort", end);
        const aborted = signals.find((one) => one.aborted);
        if (aborted) reject(aborted.reason);
        else resolve();
      };
      const timer = setTimeout(end, millis);
      for (const one of signals) one.addEventListener("abort", end);
    });
  }
}

/** The path of a route with the argument that it names, and the other arguments. */
function pathOf({ path }: Route, args: Args): { path: string; rest: Args } {
  const [braced, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (braced === undefined || name === undefined) return { path: `/${path}`, rest: args };
  const { [name]: value, ...rest } = args;
  if (typeof value !== "string" || value === "") throw refused("id", "must be a text, and not empty");
  // An address has no way to write them: they would be taken for a step.
  if (value === "." || value === "..") throw refused("id", "cannot be `.` or `..` over the network");
  if (!isWellFormed(value))
    throw refused("id", "must be well-formed text: it holds half of a surrogate pair");
  return { path: `/${path.replace(braced, () => encodeURIComponent(value))}`, rest };
}

function queryOf(args: Args): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : "";
}

function errorOf(status: number, text: string): RemoteError {
  let said: { code?: unknown; message?: unknown; field?: unknown } = {};
  try {
    said = (JSON.parse(text) as { error?: typeof said }).error ?? {};
  } catch {
    // Not of the API: something on the way there answered.
  }
  const reason = typeof said.code === "string" ? said.code : undefined;
  const field = typeof said.field === "string" ? said.field : undefined;
  const message =
    typeof said.message === "string" ? said.message : `the service answered with status ${status}`;
  const known = isCode(reason) ? reason : codeOf(status);
  return new RemoteError(known, message, { status, reason, field: status === 401 ? "token" : field });
}

function isCode(reason: string | undefined): reason is MemoryErrorCode {
  return reason === "crashed" || (reason !== undefined && Object.hasOwn(STATUS, reason));
}

function codeOf(status: number): MemoryErrorCode {
  if (status === 413) return "too-large";
  return status === 404 ? "not-found" : "unavailable";
}

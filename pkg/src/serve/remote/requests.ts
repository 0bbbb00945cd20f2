// HTTP requests to the API: retries where that is safe, and errors as `RemoteError`.

import { STATUS } from "../../base/codes.js";
import { MemoryError, type MemoryErrorCode, refused } from "../../base/errors.js";
import { encode, isWellFormed } from "../../base/json.js";
import { known } from "../../base/options.js";
import { ROUTES, type Route, type RoutedVerb } from "../http/generated.js";

/** Options of a remote memory. */
export interface RemoteOptions {
  /** The URL of the API without `/v1`, such as `https://memory.example`. */
  url: string;
  /**
   * The bearer token, or a function that returns it. The function is called before each attempt, so that tokens may
   * expire.
   */
  token: string | (() => string | Promise<string>);
  /** The maximum number of retries after a network error, a timeout or a retryable status. Default: 4. */
  retries?: number | undefined;
  /** The timeout of one attempt in milliseconds. Default: 30,000. */
  timeout?: number | undefined;
  /** The maximum back-off between two attempts in milliseconds. Default: 10,000. */
  maxPause?: number | undefined;
  /** Aborts all requests. Default: none. */
  signal?: AbortSignal | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request, which rejects with the signal's reason. A write may still have been made. Default: none. */
  signal?: AbortSignal | undefined;
  /**
   * The idempotency key of a write, 1 to 255 visible ASCII characters. Set it to retry the same write after a reload.
   * Default: a random key per call, shared by all of its attempts.
   */
  idempotencyKey?: string | undefined;
}

/** The error of a failed remote call. */
export class RemoteError extends MemoryError {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * The error code sent by the service, which may be specific to it, such as `unauthorized`; `""` if there was none.
   */
  readonly reason: string;

  constructor(
    code: MemoryErrorCode,
    message: string,
    more: {
      status: number;
      /** The service's own code. Default: none. */
      reason?: string | undefined;
      /** The path of the invalid argument. Default: none. */
      field?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(code, message, { field: more.field, ...("cause" in more && { cause: more.cause }) });
    this.status = more.status;
    this.reason = more.reason ?? "";
  }
}

/** Retryable HTTP statuses: they do not depend on the request itself. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_PAUSE = 100;

/** The arguments of a verb. */
type Args = Record<string, unknown>;

/** Sends requests to an API. */
export class Requests {
  readonly #options: RemoteOptions;
  readonly #base: string;

  constructor(options: RemoteOptions) {
    known(options, "url token retries timeout maxPause signal fetch");
    const { url, token, retries, timeout, maxPause } = options;
    if (typeof url !== "string" || !/^https?:\/\/[^/?#]+[^?#]*$/i.test(url)) {
      throw refused("url", "must be a URL that begins with http:// or https://");
    }
    if (typeof token !== "function" && (typeof token !== "string" || token === "")) {
      throw refused("token", "must be a non-empty string or a function");
    }
    for (const [name, value] of Object.entries({ retries, timeout, maxPause })) {
      if (value !== undefined && !(typeof value === "number" && value >= 0))
        throw refused(name, "must be a non-negative number");
    }
    this.#options = options;
    this.#base = `${url.replace(/\/+$/, "")}/v1`;
  }

  /** Returns the result of a verb. Rejects with a `RemoteError`, or with the reason of an aborted signal. */
  async call<T>(verb: RoutedVerb, args: Args, options?: RequestOptions): Promise<T> {
    const { answer }: Route = ROUTES[verb];
    if (answer === undefined) return this.send(verb, args, options);
    return (await this.send<Args>(verb, args, options))[answer] as T;
  }

  /** Like `call`, but returns `null` if the resource does not exist. */
  async find<T>(verb: RoutedVerb, args: Args, options?: RequestOptions): Promise<T | null> {
    try {
      return await this.call<T>(verb, args, options);
    } catch (error) {
      // The field `path` means that the route does not exist, so the server is not this API.
      if (error instanceof RemoteError && error.reason === "not-found" && error.field !== "path") return null;
      throw error;
    }
  }

  /** Returns the whole response body. Rejects with a `RemoteError`, or with the reason of an aborted signal. */
  async send<T>(verb: RoutedVerb, args: Args, options: RequestOptions = {}): Promise<T> {
    known(options, "signal idempotencyKey");
    const { signal, idempotencyKey } = options;
    const route: Route = ROUTES[verb];
    const { path, rest } = pathOf(route, args);
    const hasBody = route.method.startsWith("P");
    const address = this.#base + path + (hasBody ? "" : queryOf(rest));
    // The idempotency key makes it safe to retry a write.
    const key = route.writes ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    const body = hasBody ? encode(rest) : undefined;
    const { retries = 4, maxPause = 10_000 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const tried = await this.#try(address, route.method, body, key, signal);
      if ("answer" in tried) return tried.answer as T;
      if (!tried.again || attempt >= retries) throw tried.error;
      const pause = Math.min(maxPause, Math.max(tried.after, FIRST_PAUSE * 2 ** attempt));
      // Random jitter, so that clients do not retry at the same time.
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

/** The path of a route with its argument filled in, and the remaining arguments. */
function pathOf({ path }: Route, args: Args): { path: string; rest: Args } {
  const [braced, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (braced === undefined || name === undefined) return { path: `/${path}`, rest: args };
  const { [name]: value, ...rest } = args;
  if (typeof value !== "string" || value === "") throw refused("id", "must be a non-empty string");
  // A URL cannot carry these segments, even encoded: they would be resolved as relative.
  if (value === "." || value === "..") throw refused("id", "cannot be `.` or `..` over the network");
  if (!isWellFormed(value)) throw refused("id", "must be a well-formed string: it has a lone surrogate");
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
    // Not JSON: a proxy answered instead of the API.
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

// The API of one tenant: routing, rate limiting and metrics.

import type { MemoryError } from "../../base/errors.js";
import type { Memory } from "../../memory/memory.js";
import { Counts } from "./counts.js";
import { failure, json, Refusal, text } from "./failures.js";
import { bodyOf, onceKeyOf, parametersOf } from "./incoming.js";
import { argumentsOf, type Route, routesOf, run } from "./routes.js";

/** The limits of one tenant. */
export interface ApiLimits {
  /** The maximum size of a body in bytes. Default: 10,000,000. */
  maxBodyBytes?: number | undefined;
  /** The maximum number of requests per minute and tenant; bursts up to this number are allowed. Default: 6,000. */
  requestsPerMinute?: number | undefined;
}

/** Callbacks of a service. */
export interface ServiceHooks {
  /** Called after a write. The response waits for it. */
  wrote?(): Promise<void>;
  /** Called when a request fails. */
  failed?(error: unknown): void;
}

/** Serves the memory of one tenant. */
export class TenantService {
  readonly #open: () => Memory | Promise<Memory>;
  readonly #maxBodyBytes: number;
  readonly #perMinute: number;
  readonly #counts = new Counts();
  #left: number;
  #filledAt = Date.now();

  constructor(open: () => Memory | Promise<Memory>, limits: ApiLimits) {
    const { maxBodyBytes = 10_000_000, requestsPerMinute = 6_000 } = limits;
    this.#open = open;
    this.#maxBodyBytes = maxBodyBytes;
    this.#perMinute = this.#left = requestsPerMinute;
  }

  /** Answers a request to the path with these segments, the first of which is the version. Never rejects. */
  async answer(request: Request, parts: readonly string[], hooks: ServiceHooks = {}): Promise<Response> {
    const begun = Date.now();
    const { routes, name } = routesOf(parts);
    const route = routes.find(({ method }) => method === request.method);
    let response: Response;
    try {
      this.#pace();
      if (parts.join("/") === "v1/metrics" && /GET|HEAD/.test(request.method))
        return text(this.#counts.text());
      if (!route) throw missing(routes);
      response = await this.#run(route, name, request);
      if (route.writes) await hooks.wrote?.();
    } catch (error) {
      hooks.failed?.(error);
      response = failure(error);
    }
    this.#counts.add(route ? labelOf(route) : "none", response.status, Date.now() - begun);
    return response;
  }

  async #run(route: Route, name: string, request: Request): Promise<Response> {
    const once = route.writes ? onceKeyOf(request) : undefined;
    const query = parametersOf(request.url, route.query ?? {});
    const hasBody = route.method.startsWith("P");
    const body = hasBody ? await bodyOf(request, this.#maxBodyBytes) : {};
    const args = argumentsOf(route, name, query, body);
    const memory = await this.#open();
    try {
      return json(route.writes ?? 200, await run(route, { memory, args, once: { idempotencyKey: once } }));
    } catch (error) {
      throw (error as MemoryError | undefined)?.field === "idempotencyKey" ? mismatch() : error;
    }
  }

  /** A token bucket that refills over time. */
  #pace(): void {
    const most = this.#perMinute;
    const now = Date.now();
    this.#left = Math.min(most, this.#left + (Math.max(0, now - this.#filledAt) / 60_000) * most);
    this.#filledAt = now;
    if (this.#left < 1) {
      const seconds = Math.ceil(((1 - this.#left) / most) * 60);
      throw new Refusal(429, "rate-limited", `at most ${most} requests a minute`, undefined, {
        "Retry-After": String(seconds),
      });
    }
    this.#left -= 1;
  }
}

/** The memory's error, with the name of the header. */
function mismatch(): Refusal {
  const message = "`Idempotency-Key` was used for another request";
  return new Refusal(422, "invalid-input", message, "Idempotency-Key");
}

/** The metrics label of a route. It contains no name from a client. */
function labelOf({ method, path }: Route): string {
  return `${method} /v1/${path.replace(/\{\w+\}/, "*")}`;
}

function missing(routes: Route[]): Refusal {
  if (routes.length === 0) return new Refusal(404, "not-found", "there is no such path", "path");
  const headers = { Allow: routes.map(({ method }) => method).join(", ") };
  return new Refusal(405, "not-allowed", "not with this method", "method", headers);
}

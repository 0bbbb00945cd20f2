// One tenant's part of the API: requests to routes, at a bounded pace, counted.

import type { MemoryError } from "../../base/errors.js";
import type { Memory } from "../../memory/memory.js";
import { Counts } from "./counts.js";
import { failure, json, Refusal, text } from "./failures.js";
import { bodyOf, onceKeyOf, parametersOf } from "./incoming.js";
import { argumentsOf, type Route, routesOf, run } from "./routes.js";

/** How much one tenant may ask for. */
export interface ApiLimits {
  /** How many bytes a body may have. Default: 10,000,000. */
  maxBodyBytes?: number | undefined;
  /** How many requests a tenant may make a minute, all of them at once if need be. Default: 6,000. */
  requestsPerMinute?: number | undefined;
}

/** What whoever holds a service is told. */
export interface ServiceHooks {
  /** Something was written. The answer waits for it. */
  wrote?(): Promise<void>;
  /** A request failed. */
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

  /** Answers a request to the path of these parts, of which the first is the version. Never rejects. */
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

  /** A bucket that fills up again as time goes by. */
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

/** The memory's words, with the name of the header. */
function mismatch(): Refusal {
  const message = "`Idempotency-Key` was used for another request";
  return new Refusal(422, "invalid-input", message, "Idempotency-Key");
}

/** What the requests to a route are counted by: no name of a client's is in it. */
function labelOf({ method, path }: Route): string {
  return `${method} /v1/${path.replace(/\{\w+\}/, "*")}`;
}

function missing(routes: Route[]): Refusal {
  if (routes.length === 0) return new Refusal(404, "not-found", "there is no such path", "path");
  const headers = { Allow: routes.map(({ method }) => method).join(", ") };
  return new Refusal(405, "not-allowed", "not with this method", "method", headers);
}

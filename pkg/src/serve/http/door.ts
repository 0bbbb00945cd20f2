// The entry of the API: CORS, health check and authentication, before a tenant is known.

import { checkFunction } from "../../base/errors.js";
import { failure, json } from "./failures.js";
import { partsOf, tokenOf, unauthorized } from "./incoming.js";

/** Options of authentication and CORS. */
export interface DoorOptions {
  /**
   * Returns the user of a token, or `null` or `undefined` if the token is invalid. Tokens are secrets: look them up by
   * their hash, or compare them in constant time.
   */
  authorize(token: string, request: Request): string | null | undefined | Promise<string | null | undefined>;
  /** The allowed CORS origins, such as `https://app.example`; `"*"` allows all. Default: none. */
  origins?: readonly string[] | "*" | undefined;
}

/** Answers a request of an authenticated user. */
export type Inside = (user: string, request: Request, parts: readonly string[]) => Promise<Response>;

/** Returns a request handler that authenticates and passes requests on to `inside`. The handler never rejects. */
export function door(options: DoorOptions, inside: Inside): (request: Request) => Promise<Response> {
  const { authorize, origins = [] } = options;
  checkFunction("authorize", authorize);
  const answer = async (request: Request): Promise<Response> => {
    const parts = partsOf(request.url);
    // GET or HEAD; servers omit the body of a HEAD response.
    const isHealth = parts.join("/") === "v1/health" && /GET|HEAD/.test(request.method);
    if (isHealth) return json(200, { status: "ok" });
    const user = await authorize(tokenOf(request), request);
    if (typeof user !== "string" || !user) throw unauthorized();
    return inside(user, request, parts);
  };
  return async (request) => {
    const origin = allowed(origins, request.headers.get("Origin"));
    if (request.method === "OPTIONS") return preflight(origin);
    const response = await answer(request).catch(failure);
    if (!origin) return response;
    const shared = new Response(response.body, response);
    for (const [name, value] of Object.entries(sharing(origin))) shared.headers.set(name, value);
    return shared;
  };
}

function allowed(origins: readonly string[] | "*", origin: string | null): string | undefined {
  if (origins === "*") return "*";
  return origin && origins.includes(origin) ? origin : undefined;
}

function sharing(origin: string): Record<string, string> {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "Retry-After",
    Vary: "Origin",
  };
}

function preflight(origin: string | undefined): Response {
  const headers = origin && {
    ...sharing(origin),
    "Access-Control-Allow-Methods": "GET, POST, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "86400",
  };
  return new Response(null, { status: 204, headers: headers || {} });
}

/**
 * A memory over HTTP: the API of `docs/openapi.json` as a `fetch` handler, for any server that supports `Request` and
 * `Response`, and for Node's `http` server.
 *
 * @module keepsake/http
 */

import { checkFunction, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import { type DoorOptions, door } from "./door.js";
import { type ApiLimits, TenantService } from "./service.js";

export type { DoorOptions } from "./door.js";
export type { ApiErrorBody, ApiErrorCode } from "./failures.js";
export {
  type NodeRequest,
  type NodeResponse,
  type NodeSocket,
  nodeListener,
  refuseMalformed,
} from "./node.js";
export type { ApiLimits } from "./service.js";

/** Options of `memoryApi`. */
export interface MemoryApiOptions extends DoorOptions, ApiLimits {
  /** Returns the open memory of a user. Called for every request: cache open memories, and close them at any time. */
  memory(user: string): Memory | Promise<Memory>;
}

/** The maximum number of tenants whose rate limits and metrics are kept. */
const TENANTS = 10_000;

/**
 * Creates a request handler for the API. Rate limits and metrics are per process.
 *
 * @example
 * createServer(nodeListener(memoryApi({ authorize: (token) => users.get(token), memory: open })));
 */
export function memoryApi(options: MemoryApiOptions): (request: Request) => Promise<Response> {
  known(options, "memory authorize origins maxBodyBytes requestsPerMinute");
  const { memory, ...rest } = options;
  checkFunction("memory", memory);
  const limits = checkedLimits(rest);
  const tenants = new Map<string, TenantService>();
  return door(rest, (user, request, parts) => {
    const tenant = tenants.get(user) ?? new TenantService(() => memory(user), limits);
    // The map is in order of use: its first tenant is the least recently used one.
    tenants.delete(user);
    tenants.set(user, tenant);
    const [oldest] = tenants.keys();
    if (tenants.size > TENANTS && oldest !== undefined) tenants.delete(oldest);
    return tenant.answer(request, parts);
  });
}

/** @internal Checks that each limit is a number of at least 1. */
export function checkedLimits(options: ApiLimits): ApiLimits {
  for (const name of ["maxBodyBytes", "requestsPerMinute"] as const) {
    const limit = options[name];
    if (limit !== undefined && !(typeof limit === "number" && limit >= 1))
      throw refused(name, "must be at least 1");
  }
  return options;
}

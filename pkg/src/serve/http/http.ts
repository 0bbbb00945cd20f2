/**
 * A memory over HTTP: the API of `docs/openapi.json` as a `fetch` handler, for any server that knows `Request` and
 * `Response`, and for Node's own.
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

/** What is served, and to whom. */
export interface MemoryApiOptions extends DoorOptions, ApiLimits {
  /** The open memory of a user. It is asked for at every request: keep what you open, and close it when you like. */
  memory(user: string): Memory | Promise<Memory>;
}

/** So many tenants' paces and counts are known at a time. */
const TENANTS = 10_000;

/**
 * Answers requests to the API. What it knows beside the memories, how fast each tenant asks and what was counted, is of
 * this process only.
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
    // The last one asked for is the last one in the map: the first has been silent for the longest time.
    tenants.delete(user);
    tenants.set(user, tenant);
    const [oldest] = tenants.keys();
    if (tenants.size > TENANTS && oldest !== undefined) tenants.delete(oldest);
    return tenant.answer(request, parts);
  });
}

/** @internal The limits, if they are some. */
export function checkedLimits(options: ApiLimits): ApiLimits {
  for (const name of ["maxBodyBytes", "requestsPerMinute"] as const) {
    const limit = options[name];
    if (limit !== undefined && !(typeof limit === "number" && limit >= 1))
      throw refused(name, "must be at least 1");
  }
  return options;
}

// Routes from a Worker to its users' objects: for requests from outside, and for the Worker's own code.

import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Metadata } from "../../wire/types.js";
import { type DoorOptions, door } from "../http/door.js";
import { Refusal } from "../http/failures.js";
import { type RemoteMemory, type RemoteOptions, remoteMemory } from "../remote/remote.js";
import type { ObjectNamespaceLike, StubLike } from "./platform.js";

/** Options of `memoryGateway`. */
export interface GatewayOptions extends DoorOptions {
  /** The objects: a binding to `MemoryObject`, or to a class that extends it. */
  namespace: ObjectNamespaceLike;
}

/** Serves the API: each request is answered by its user's object. */
export function memoryGateway(options: GatewayOptions): (request: Request) => Promise<Response> {
  known(options, "namespace authorize origins");
  const namespace = checked(options.namespace);
  return door(options, async (user, request) => {
    const headers = new Headers(request.headers);
    // Credentials are not forwarded.
    for (const name of ["Authorization", "Cookie"]) headers.delete(name);
    try {
      return await objectOf(namespace, user).fetch(new Request(request, { headers }));
    } catch {
      // The object was moved, updated or overloaded. The write may have succeeded; its idempotency key makes a retry safe.
      const message = "the memory cannot be reached; try again";
      throw new Refusal(503, "unavailable", message, undefined, { "Retry-After": "1" });
    }
  });
}

/**
 * The memory of a user, for code of a Worker: the verbs of `keepsake/remote`, answered by the user's object. There is no
 * token: access to the binding is the authorization.
 *
 * @example
 * const hits = await memoryOf(env.MEMORY, "u-42").search("deploy keys");
 */
export function memoryOf<M extends Metadata = Metadata, N extends string = never>(
  namespace: ObjectNamespaceLike,
  user: string,
  options: Omit<RemoteOptions, "url" | "token" | "fetch"> = {},
): RemoteMemory<M, N> {
  known(options, "retries timeout maxPause signal");
  checked(namespace);
  if (typeof user !== "string" || user === "") throw refused("user", "must be a non-empty string");
  // A stub that has failed may keep failing: each attempt gets a new one.
  const fetch = (request: Request) => objectOf(namespace, user).fetch(request);
  return remoteMemory({ ...options, url: "https://memory.object", token: "none", fetch });
}

function objectOf(namespace: ObjectNamespaceLike, user: string): StubLike {
  return namespace.get(namespace.idFromName(user) as never);
}

function checked(namespace: ObjectNamespaceLike): ObjectNamespaceLike {
  if (typeof namespace?.idFromName !== "function") {
    throw refused("namespace", "must be a binding to a class of Durable Objects");
  }
  return namespace;
}

// For a worker of Node: the module is read from the folder of the package's scripts.

import { load } from "../open/load-node.js";
import { starter } from "../open/start.js";
import { server } from "../open/worker/host.js";
import { storedTurns } from "../storage/stored-turns.js";

export type { ServeOptions } from "../open/worker/host.js";
export type { TakesMessages } from "../open/worker/wire.js";

/**
 * Hosts the memories of other threads in this worker. Call it synchronously at the start, before the first request arrives.
 */
export const serve = /* @__PURE__ */ server(/* @__PURE__ */ starter(load, undefined, storedTurns));

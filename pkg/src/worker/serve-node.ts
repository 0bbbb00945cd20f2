// For a worker of Node: the module is read from beside this package's scripts.

import { load } from "../load/node.js";
import { starter } from "../start.js";
import { storedTurns } from "../stored-turns.js";
import { server } from "./host.js";

export type { ServeOptions } from "./host.js";
export type { TakesMessages } from "./wire.js";

/** Hosts the memories of other threads in this worker. To be called at once, before the first one asks. */
export const serve = /* @__PURE__ */ server(/* @__PURE__ */ starter(load, undefined, storedTurns));

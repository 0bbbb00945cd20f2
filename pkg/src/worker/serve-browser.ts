/**
 * For a worker of a browser: the module is fetched from beside this package's scripts.
 *
 * @module keepsake/worker/host
 */

import { load, loadFirst } from "../load/browser.js";
import { lockTurns } from "../lock-turns.js";
import { starter } from "../start.js";
import { server } from "./host.js";

export type { ServeOptions } from "./host.js";
export type { TakesMessages } from "./wire.js";

/** Hosts the memories of pages in this worker. To be called at once, before the first page asks. */
export const serve = /* @__PURE__ */ server(/* @__PURE__ */ starter(load, loadFirst, lockTurns));

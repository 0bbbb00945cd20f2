/**
 * For a worker of a browser: the module is fetched from the folder of the package's scripts.
 *
 * @module keepsake/worker/host
 */

import { fetched } from "../open/load-browser.js";
import { starter } from "../open/start.js";
import { server } from "../open/worker/host.js";
import { lockTurns } from "../storage/lock-turns.js";

export type { ServeOptions } from "../open/worker/host.js";
export type { TakesMessages } from "../open/worker/wire.js";

/** Loads the full module. */
const load = () => fetched(new URL("../../wasm/keepsake.wasm", import.meta.url));

/** Loads the small module, which has entries and search. */
const loadFirst = () => fetched(new URL("../../wasm/first.wasm", import.meta.url));

/** Hosts the memories of pages in this worker. Call it synchronously at the start, before the first request arrives. */
export const serve = /* @__PURE__ */ server(/* @__PURE__ */ starter(load, loadFirst, lockTurns));

// For browsers and bundlers: the modules are fetched from the folder of the package's scripts.

export * from "./api.js";

import { load, loadFirst } from "../open/load-browser.js";
import { opener } from "../open/opener.js";
import { lockTurns } from "../storage/lock-turns.js";

export { createStore } from "../storage/backends.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load, loadFirst, lockTurns);

// For browsers and bundlers: the modules are fetched from beside this package's scripts.

import { load, loadFirst } from "../load/browser.js";
import { lockTurns } from "../lock-turns.js";
import { opener } from "../start.js";

export * from "../api.js";
export { createStore } from "../backends.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load, loadFirst, lockTurns);

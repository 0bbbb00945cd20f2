// For browsers and bundlers: the module is fetched from beside this package's scripts.

import { load } from "../load/browser.js";
import { opener } from "../start.js";

export * from "../api.js";
export { createStore } from "../backends.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load);

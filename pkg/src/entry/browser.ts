// For browsers and bundlers: the modules are fetched from the folder of the package's scripts.

export * from "./api.js";

import { fetched } from "../open/load-browser.js";
import { opener } from "../open/opener.js";
import { lockTurns } from "../storage/lock-turns.js";

export { createStore } from "../storage/backends.js";
export type { JsonlOptions } from "../storage/jsonl/jsonl.js";
export { jsonl } from "../storage/jsonl/needs-node.js";

/** Loads the full module. */
const load = () => fetched(new URL("../../wasm/keepsake.wasm", import.meta.url));

/** Loads the small module, which has entries and search. */
const loadFirst = () => fetched(new URL("../../wasm/first.wasm", import.meta.url));

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load, loadFirst, lockTurns);

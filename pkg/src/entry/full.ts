/**
 * For pages that use sessions, files or skills from the start: in browsers, this entry loads the full wasm module only, and
 * names no other, so that a bundler copies one file. On other platforms it is the same as `keepsake`.
 *
 * @module keepsake/full
 */

export * from "./api.js";

import { fetched } from "../open/load-browser.js";
import { opener } from "../open/opener.js";
import { lockTurns } from "../storage/lock-turns.js";

export { createStore } from "../storage/backends.js";
export type { JsonlOptions } from "../storage/jsonl/jsonl.js";
export { jsonl } from "../storage/jsonl/needs-node.js";

/**
 * Opens one user's memory on the full module. The option `core` has no effect.
 *
 * @example
 * import { openMemory } from "keepsake/full";
 *
 * const memory = await openMemory({ user: "u-42" });
 * await memory.session("s-1").append({ role: "user", content: "hello" });
 */
export const openMemory = /* @__PURE__ */ opener(
  () => fetched(new URL("../../wasm/keepsake.wasm", import.meta.url)),
  undefined,
  lockTurns,
);

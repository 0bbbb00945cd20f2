/**
 * For Node: the module is read from the folder of the package's scripts, and folders on disk are supported. Also
 * `keepsake/node`, for compilers that resolve `keepsake` to the entry for browsers.
 *
 * @module keepsake
 */

export * from "./api.js";

import { load } from "../open/load-node.js";
import { opener } from "../open/opener.js";
import { storedTurns } from "../storage/stored-turns.js";

export { nodeFolder } from "../memory/files/node/node-folder.js";
export { type FolderWatch, type WatchFolderOptions, watchFolder } from "../memory/files/node/watch-folder.js";
export { createStore } from "../storage/jsonl/create-store.js";
export { type JsonlOptions, jsonl } from "../storage/jsonl/jsonl.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load, undefined, storedTurns);

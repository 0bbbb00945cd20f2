/**
 * For Node: the module is read from beside this package's scripts, and there are folders on disks. Also
 * `keepsake/node`, for those whose compiler takes `keepsake` for what browsers get.
 *
 * @module keepsake
 */

import { load } from "../load/node.js";
import { opener } from "../start.js";
import { storedTurns } from "../stored-turns.js";

export * from "../api.js";
export { nodeFolder } from "../files/node/node-folder.js";
export { type FolderWatch, type WatchFolderOptions, watchFolder } from "../files/node/watch-folder.js";
export { createStore } from "../jsonl/create-store.js";
export { type JsonlOptions, jsonl } from "../jsonl/jsonl.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(load, undefined, storedTurns);

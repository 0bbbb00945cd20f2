// For Workers: the wasm module is imported, because code may not be compiled there.

export * from "./api.js";

import { opener } from "../open/opener.js";
import { storedTurns } from "../storage/stored-turns.js";

export { createStore } from "../storage/backends.js";
export type { JsonlOptions } from "../storage/jsonl/jsonl.js";
export { jsonl } from "../storage/jsonl/needs-node.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(
  async () => {
    const { default: module } = await import("../../wasm/keepsake.wasm");
    return module;
  },
  undefined,
  storedTurns,
);

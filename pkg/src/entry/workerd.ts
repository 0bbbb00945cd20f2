// For Workers: the module is imported, since code may not be compiled there.

import { opener } from "../start.js";
import { storedTurns } from "../stored-turns.js";

export * from "../api.js";
export { createStore } from "../backends.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(
  async () => {
    const { default: module } = await import("../../wasm/keepsake.wasm");
    return module;
  },
  undefined,
  storedTurns,
);

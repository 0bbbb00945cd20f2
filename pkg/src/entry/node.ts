// For Node: the module is read from beside this file.

import { opener } from "../open.js";

export * from "../api.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(async () => {
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(new URL("../../wasm/keepsake.wasm", import.meta.url)));
});

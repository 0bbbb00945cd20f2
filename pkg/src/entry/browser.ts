// For browsers and bundlers: the module is fetched from beside this file.

import { opener } from "../open.js";

export * from "../api.js";

/** Opens one user's memory. */
export const openMemory = /* @__PURE__ */ opener(async () => {
  const response = await fetch(new URL("../../wasm/keepsake.wasm", import.meta.url));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Not streaming: some servers do not know the type of a .wasm file.
  return WebAssembly.compile(await response.arrayBuffer());
});

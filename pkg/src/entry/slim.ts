/**
 * For any other platform: the app provides the wasm module.
 *
 * @module keepsake/slim
 */

export * from "./api.js";

import { opener } from "../open/opener.js";
import type { WasmModule } from "../open/start.js";
import { storedTurns } from "../storage/stored-turns.js";

export { createStore } from "../storage/backends.js";

/**
 * `openMemory` with a wasm module, or its bytes, that the app provides. The file is `keepsake/keepsake.wasm`.
 *
 * @example
 * const openMemory = withWasm(() => fetch("/static/keepsake.wasm").then((response) => response.arrayBuffer()));
 */
export function withWasm(
  load: () => Promise<WasmModule | ArrayBuffer | Uint8Array>,
): ReturnType<typeof opener> {
  const compiled = async () => {
    const found = await load();
    return found instanceof WebAssembly.Module ? found : WebAssembly.compile(found as BufferSource);
  };
  return opener(compiled, undefined, storedTurns);
}

// Where browsers and bundlers find the wasm module: beside the package's scripts.

import type { WasmModule } from "../start.js";

/** Fetches and compiles it. */
export async function load(): Promise<WasmModule> {
  const response = await fetch(new URL("../../wasm/keepsake.wasm", import.meta.url));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Not streaming: some servers do not know the type of a .wasm file.
  return WebAssembly.compile(await response.arrayBuffer());
}

// Where Node finds the wasm module: beside the package's scripts.

import type { WasmModule } from "../start.js";

/** Reads and compiles it. */
export async function load(): Promise<WasmModule> {
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(new URL("../../wasm/keepsake.wasm", import.meta.url)));
}

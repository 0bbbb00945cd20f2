// Where Node finds the wasm module: beside the package's scripts.

import type { WasmModule } from "./start.js";

/** Reads and compiles it. */
export async function load(): Promise<WasmModule> {
  const { readFile } = await import("node:fs/promises");
  const file = readFile(new URL("../../wasm/keepsake.wasm", import.meta.url));
  return WebAssembly.compile(await file.catch(() => readFile(beside(import.meta.url))));
}

/**
 * The same file, in words that bundlers do not know. Those above they replace with the place of a copy of their own, and
 * that may be an address on the site: so does Next for what runs on its server, where only files can be read.
 */
function beside(script: string): URL {
  return new URL("../../wasm/keepsake.wasm", script);
}

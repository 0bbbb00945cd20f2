// Locates the wasm module in Node: in the folder of the package's scripts.

import type { WasmModule } from "./start.js";

/** Reads and compiles the module. */
export async function load(): Promise<WasmModule> {
  const { readFile } = await import("node:fs/promises");
  const file = readFile(new URL("../../wasm/keepsake.wasm", import.meta.url));
  return WebAssembly.compile(await file.catch(() => readFile(beside(import.meta.url))));
}

/**
 * The same file by an expression that bundlers do not detect. Bundlers replace the one above by the URL of a copy, which may
 * be a path on the site: Next does so for code on its server, where only files can be read.
 */
function beside(script: string): URL {
  return new URL("../../wasm/keepsake.wasm", script);
}

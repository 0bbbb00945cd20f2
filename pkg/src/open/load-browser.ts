// Where browsers and bundlers find the wasm modules: beside the package's scripts.

import type { WasmModule } from "./start.js";

/** Fetches and compiles the module that knows everything. */
export async function load(): Promise<WasmModule> {
  return compiled(new URL("../../wasm/keepsake.wasm", import.meta.url));
}

/** The same with the small one, which knows entries and searches. */
export async function loadFirst(): Promise<WasmModule> {
  return compiled(new URL("../../wasm/first.wasm", import.meta.url));
}

async function compiled(file: URL): Promise<WasmModule> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Not streaming: some servers do not know the type of a .wasm file.
  return WebAssembly.compile(await response.arrayBuffer());
}

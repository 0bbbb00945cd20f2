// Locates the wasm modules for browsers and bundlers: in the folder of the package's scripts.

import type { WasmModule } from "./start.js";

/** Fetches and compiles the full module. */
export async function load(): Promise<WasmModule> {
  return compiled(new URL("../../wasm/keepsake.wasm", import.meta.url));
}

/** Fetches and compiles the small module, which has entries and search. */
export async function loadFirst(): Promise<WasmModule> {
  return compiled(new URL("../../wasm/first.wasm", import.meta.url));
}

async function compiled(file: URL): Promise<WasmModule> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Not streaming: some servers send a .wasm file with another content type.
  return WebAssembly.compile(await response.arrayBuffer());
}

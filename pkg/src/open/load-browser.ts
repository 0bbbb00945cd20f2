// Fetches wasm modules in browsers. The entries locate them: a bundler copies every file that is named in a script it reads,
// so the script that names them must not be one that other platforms share.

import type { WasmModule } from "./start.js";

/** Fetches and compiles a module. */
export async function fetched(file: URL): Promise<WasmModule> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // Not streaming: some servers send a .wasm file with another content type.
  return WebAssembly.compile(await response.arrayBuffer());
}

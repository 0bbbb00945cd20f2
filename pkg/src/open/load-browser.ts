// Fetches wasm modules in browsers. The entries locate them: a bundler copies every file that is named in a script it reads,
// so the script that names them must not be one that other platforms share.

import type { WasmModule } from "./start.js";

/** Fetches and compiles a module. */
export async function fetched(file: URL): Promise<WasmModule> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  // While it arrives, and the browser can keep the compiled code for the next visit. It refuses the other content types
  // that some servers send.
  if (response.headers.get("content-type")?.toLowerCase() === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

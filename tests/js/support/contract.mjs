// The store contract for storage adapters: the cases of src/store/contract.rs, run inside the build that has them. For
// Node and for pages alike; contract-run.mjs is for runtimes that may not compile a module.

import { instantiate } from "../../../target/web-testing/keepsake.js";
import { CASES, contractIn } from "./contract-run.mjs";

const wasm = new URL("../../../target/web-testing/keepsake.wasm", import.meta.url);

async function bytes() {
  if (wasm.protocol !== "file:") return (await fetch(wasm)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  return readFile(wasm);
}

/** The build that can be told to trap, and that has the contract. */
export const module = await WebAssembly.compile(await bytes());

/** Puts adapters through the contract. `connect` gives a new handle to a storage by its name. */
export const contract = (connect) => contractIn(module, connect);

export { CASES, instantiate };

// The store contract for storage adapters: the cases of src/store/contract.rs, run inside the build that has them.

import { readFile } from "node:fs/promises";
import { instantiate } from "../../target/web-testing/keepsake.js";

/** How many cases there are. */
export const CASES = 21;

/** The build that can be told to trap, and that has the contract. */
export const module = await WebAssembly.compile(
  await readFile(new URL("../../target/web-testing/keepsake.wasm", import.meta.url)),
);

/** Puts adapters through the contract, inside a bare instance. `connect` gives a new handle to a storage by its name. */
export function contract(connect) {
  const instance = instantiate(module);
  return new Promise((resolve, reject) => {
    const tick = () => {
      try {
        instance.tick();
      } catch (error) {
        reject(error);
      }
    };
    instance.start({
      wake: () => queueMicrotask(tick),
      settle: (_call, ok, json) => (ok ? resolve(JSON.parse(json)) : reject(new Error(json))),
      panicked: (place) => reject(new Error(place)),
      decompose: (text) => text.normalize("NFKD"),
      now: Date.now,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    });
    instance.contract(0, connect);
  });
}

export { instantiate };

// Storages by name in Node, where there are files.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { StorageAdapter } from "../adapter.js";
import { BACKENDS, type Backend, type BackendConfig, storeOf } from "../backends.js";
import { jsonl } from "./jsonl.js";

/** The file in the configuration's folder, which is made if it is not there. */
const inFolder: Backend = (config) => {
  const folder = config.storage?.directory ?? ".";
  mkdirSync(folder, { recursive: true });
  return jsonl(join(folder, "memory.jsonl"));
};

/**
 * The storage that a configuration names, for the option `storage` of `openMemory`. `"jsonl"` is the file `memory.jsonl` in
 * the configuration's folder.
 *
 * @param own - Backends of your own, by name. They come before those of the same name.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", config, storage: createStore(config) });
 */
export function createStore<S = never>(
  config: BackendConfig = {},
  own: { readonly [name: string]: Backend<S> } = {},
): StorageAdapter | "indexeddb" | S {
  return storeOf({ ...BACKENDS, jsonl: inFolder }, config, own);
}

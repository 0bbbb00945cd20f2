// Storages by name in Node, which has files.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { StorageAdapter } from "../adapter.js";
import { BACKENDS, type Backend, type BackendConfig, storeOf } from "../backends.js";
import { jsonl } from "./jsonl.js";

/** The file in the folder of the configuration, which is created if it does not exist. */
const inFolder: Backend = (config) => {
  const folder = config.storage?.directory ?? ".";
  mkdirSync(folder, { recursive: true });
  return jsonl(join(folder, "memory.jsonl"));
};

/**
 * The storage that a configuration names, for the option `storage` of `openMemory`. `"jsonl"` is the file `memory.jsonl` in
 * the folder of the configuration.
 *
 * @param own - Your own backends, by name. They override built-in ones of the same name.
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

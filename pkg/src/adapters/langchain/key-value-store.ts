// LangChain's key-value store in a collection of the memory.

import { BaseStore } from "@langchain/core/stores";
import { fromBase64, toBase64 } from "../../base/bytes.js";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import type { Json } from "../../wire/types.js";

/** Options of `KeepsakeKeyValueStore`. */
export interface KeyValueStoreOptions {
  /** The collection. Stores with the same name share their values. Default: `"langchain"`. */
  name?: string | undefined;
}

type Kept = { bytes: string } | { json: Json };

/**
 * A persistent key-value store. Values are bytes, as LangChain's caches and document stores need them, or any JSON. Every
 * call is atomic.
 *
 * @example
 * const store = new KeepsakeKeyValueStore(memory, { name: "embeddings" });
 * await store.mset([["a", new Uint8Array([1, 2])]]);
 */
export class KeepsakeKeyValueStore<V extends Uint8Array | Json = Uint8Array> extends BaseStore<string, V> {
  /** The namespace of the class in LangChain. */
  lc_namespace = ["keepsake", "langchain"];
  readonly #kept: Collection<Kept>;

  constructor(memory: Memory, options: KeyValueStoreOptions = {}) {
    super();
    known(options, "name");
    const { name = "langchain" } = options;
    this.#kept = memory.collection<Kept>(name);
  }

  /** The values of these keys, in the same order; `undefined` for a missing key. */
  override async mget(keys: string[]): Promise<(V | undefined)[]> {
    const found = await this.#kept.getMany(keys);
    return found.map((kept) => {
      if (kept === undefined) return undefined;
      return ("bytes" in kept ? fromBase64(kept.bytes) : kept.json) as V;
    });
  }

  /** Sets all pairs, or none. Of duplicate keys the last one counts. */
  override async mset(keyValuePairs: [string, V][]): Promise<void> {
    if (!Array.isArray(keyValuePairs) || !keyValuePairs.every(Array.isArray)) {
      throw refused("keyValuePairs", "must be an array of pairs");
    }
    const values = new Map(keyValuePairs);
    if (values.size === 0) return;
    await this.#kept.write(
      Array.from(values, ([key, value]) => ({
        key,
        value: value instanceof Uint8Array ? { bytes: toBase64(value) } : { json: value as Json },
      })),
    );
  }

  /** Deletes these keys. Missing keys are ignored. */
  override async mdelete(keys: string[]): Promise<void> {
    if (!Array.isArray(keys)) throw refused("keys", "must be an array of keys");
    const unique = [...new Set(keys)];
    if (unique.length > 0) await this.#kept.write(unique.map((key) => ({ key, delete: true as const })));
  }

  /** All keys, or those with a prefix, in order. */
  override async *yieldKeys(prefix?: string): AsyncGenerator<string> {
    for await (const [key] of this.#kept.entries(prefix ? { prefix } : {})) yield key;
  }
}

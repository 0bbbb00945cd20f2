// LangChain's store of keys and values in a collection of the memory.

import { BaseStore } from "@langchain/core/stores";
import { fromBase64, toBase64 } from "../../base/bytes.js";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import type { Json } from "../../wire/types.js";

/** Where a store keeps its values. */
export interface KeyValueStoreOptions {
  /** The collection. Stores of the same name share their values. Default: `"langchain"`. */
  name?: string | undefined;
}

type Kept = { bytes: string } | { json: Json };

/**
 * Keys and values that outlive a reload. Values are bytes, as LangChain's caches and document stores want them, or any
 * JSON. Every call is all or nothing.
 *
 * @example
 * const store = new KeepsakeKeyValueStore(memory, { name: "embeddings" });
 * await store.mset([["a", new Uint8Array([1, 2])]]);
 */
export class KeepsakeKeyValueStore<V extends Uint8Array | Json = Uint8Array> extends BaseStore<string, V> {
  /** Where LangChain files it. */
  lc_namespace = ["keepsake", "langchain"];
  readonly #kept: Collection<Kept>;

  constructor(memory: Memory, options: KeyValueStoreOptions = {}) {
    super();
    known(options, "name");
    const { name = "langchain" } = options;
    this.#kept = memory.collection<Kept>(name);
  }

  /** The values of these keys, in their order; `undefined` where there is none. */
  override async mget(keys: string[]): Promise<(V | undefined)[]> {
    const found = await this.#kept.getMany(keys);
    return found.map((kept) => {
      if (kept === undefined) return undefined;
      return ("bytes" in kept ? fromBase64(kept.bytes) : kept.json) as V;
    });
  }

  /** Sets all of these, or none. Of a key that is there twice the last value counts. */
  override async mset(keyValuePairs: [string, V][]): Promise<void> {
    if (!Array.isArray(keyValuePairs) || !keyValuePairs.every(Array.isArray)) {
      throw refused("keyValuePairs", "must be a list of pairs");
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

  /** Takes away all of these. Those that are not there do not matter. */
  override async mdelete(keys: string[]): Promise<void> {
    if (!Array.isArray(keys)) throw refused("keys", "must be a list of keys");
    const unique = [...new Set(keys)];
    if (unique.length > 0) await this.#kept.write(unique.map((key) => ({ key, delete: true as const })));
  }

  /** All keys, or those that begin so, in order. */
  override async *yieldKeys(prefix?: string): AsyncGenerator<string> {
    for await (const [key] of this.#kept.entries(prefix ? { prefix } : {})) yield key;
  }
}

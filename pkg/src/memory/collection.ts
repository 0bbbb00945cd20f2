// Collections: an app's own JSON values by key.

import { MemoryError, optionsIn, refused } from "../base/errors.js";
import type { Calls } from "../engine/calls.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { Json, Metadata } from "../wire/types.js";

/** A change to a collection: set a key, delete a key, or delete all keys with a prefix. */
export type CollectionChange<T = Json> =
  | {
      /** The key of the value. */
      key: string;
      /** The new value. */
      value: T;
      /** The searchable text of the value. Default: none, and no search finds the value. */
      text?: string | undefined;
    }
  | {
      /** The key to delete. */
      key: string;
      /** Marks a deletion. */
      delete: true;
    }
  | {
      /** Deletes all keys with this prefix; an empty prefix matches all. */
      prefix: string;
      /** Marks a deletion. */
      delete: true;
    };

/** A range of keys. */
export interface CollectionRange {
  /** Only keys with this prefix. Default: all. */
  prefix?: string | undefined;
  /** Only keys after this one. Default: from the first key. */
  after?: string | undefined;
}

/** A key and its value. */
export interface CollectionItem<T = Json> {
  /** The key. */
  key: string;
  /** The value. */
  value: T;
}

/** A search hit. */
export interface CollectionHit<T = Json> extends CollectionItem<T> {
  /** The relevance, from 0 to 1. */
  score: number;
}

const PAGE = 100;
const MOST_TRIES = 100;

/**
 * An app's own JSON values by key, ordered by the UTF-8 bytes of the keys. Writes are atomic, visible to all tabs, and
 * recorded in the log. Get a collection by `memory.collection(name)`.
 *
 * @typeParam T The type of the values. It is not checked at runtime.
 */
export class Collection<T = Json> {
  /** The collection's name. */
  readonly name: string;
  readonly #calls: Calls;

  /** @internal Use `memory.collection`. */
  constructor(calls: Calls, name: string) {
    this.#calls = calls;
    this.name = name;
  }

  /** Returns the value of a key, or `undefined` if there is none. */
  async get(key: string): Promise<T | undefined> {
    return (await this.getMany([key]))[0];
  }

  /** Returns the values of several keys from one snapshot, in the order of `keys`; `undefined` for a missing key. */
  async getMany(keys: readonly string[]): Promise<(T | undefined)[]> {
    const found = await this.#calls.ask<"values", Metadata, never, T>("values", {
      collection: this.name,
      keys,
    });
    return found.map((value) => value?.[0]);
  }

  /** Sets the value and the searchable `text` of a key. Default for `text`: none, and no search finds the value. */
  async set(
    key: string,
    value: T,
    options: {
      /** The text that searches find the value by. Default: none, and no search finds the value. */
      text?: string | undefined;
    } = {},
  ): Promise<void> {
    await this.write([{ key, value, text: optionsIn(options).text }]);
  }

  /** Deletes a key. Returns `true` if the key existed. */
  async delete(key: string): Promise<boolean> {
    let there = false;
    await this.update(key, (value) => {
      there = value !== undefined;
      return undefined;
    });
    return there;
  }

  /**
   * Applies several changes atomically. With `expect`, applies them only if each listed key still has the given value
   * (compare-and-swap); `undefined` means that the key must not exist. Returns `true` if the changes were applied.
   */
  async write(
    changes: readonly CollectionChange<T>[],
    options: {
      /** The values that these keys must have; `undefined`: the key must not exist. Default: not checked. */
      expect?: readonly (readonly [key: string, value: T | undefined])[] | undefined;
    } & WriteOptions = {},
  ): Promise<boolean> {
    const { idempotencyKey } = optionsIn(options);
    const expect = options.expect?.map(([key, value]) => ({ key, value }));
    const args = { ...once({ idempotencyKey }), collection: this.name, changes, expect };
    return this.#calls.write("editValues", args);
  }

  /**
   * Sets a key to the result of `change`, which gets the current value; `undefined` deletes the key. Returns the new value.
   * On a concurrent write, `change` is called again with the newer value, up to 100 times; then the call rejects with
   * `conflict`. Default for `text`: none, and no search finds the value.
   */
  async update(
    key: string,
    change: (value: T | undefined) => T | undefined,
    options: {
      /** Returns the text that searches find the value by. Default: none, and no search finds the value. */
      text?: ((value: T) => string | undefined) | undefined;
    } = {},
  ): Promise<T | undefined> {
    if (typeof change !== "function") throw refused("change", "must be a function");
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.get(key);
      const value = change(before);
      if (before === undefined && value === undefined) return undefined;
      const edit: CollectionChange<T> =
        value === undefined ? { key, delete: true } : { key, value, text: options.text?.(value) };
      if (await this.write([edit], { expect: [[key, before]] })) return value;
    }
    throw new MemoryError("conflict", "Too many concurrent writes to this key; try again", { field: "key" });
  }

  /** Returns a page of keys and values, in key order. Default for `limit`: 100. */
  async list(
    options: CollectionRange & {
      /** The maximum number of values. Default: 100. */
      limit?: number | undefined;
    } = {},
  ): Promise<CollectionItem<T>[]> {
    const asked = { ...options, collection: this.name };
    const found = await this.#calls.ask<"listValues", Metadata, never, T>("listValues", asked);
    return found.map(([key, value]) => ({ key, value }));
  }

  /** Iterates over all keys and values, in key order, read in pages. An aborted `signal` throws its reason. */
  async *entries(
    options: CollectionRange & {
      /** Ends the iteration with its reason. Default: none. */
      signal?: AbortSignal | undefined;
    } = {},
  ): AsyncGenerator<[key: string, value: T], void, undefined> {
    const { signal, ...range } = optionsIn(options);
    let { after } = range;
    for (;;) {
      signal?.throwIfAborted();
      const page = await this.list({ ...range, after, limit: PAGE });
      for (const { key, value } of page) yield [key, value];
      if (page.length < PAGE) return;
      after = page[PAGE - 1]?.key;
    }
  }

  /** Searches the values that were set with a `text`. Returns hits, best first. Default for `limit`: 10. */
  async search(
    query: string,
    options: {
      /** Only keys that begin with this. Default: all. */
      prefix?: string | undefined;
      /** The maximum number of results. Default: 10. */
      limit?: number | undefined;
    } = {},
  ): Promise<CollectionHit<T>[]> {
    const asked = { ...options, query, collection: this.name };
    const found = await this.#calls.ask<"searchValues", Metadata, never, T>("searchValues", asked);
    return found.map(([key, value, score]) => ({ key, value, score }));
  }
}

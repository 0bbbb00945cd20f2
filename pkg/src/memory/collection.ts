// Collections: an app's own values by key, beside what it remembers.

import { MemoryError, optionsIn, refused } from "../base/errors.js";
import type { Calls } from "../engine/calls.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { Json, Metadata } from "../wire/types.js";

/** A change of a collection. */
export type CollectionChange<T = Json> =
  | {
      /** The key of the value. */
      key: string;
      /** What it is to hold. */
      value: T;
      /** The words that it is found by. Default: none, and no search finds it. */
      text?: string | undefined;
    }
  | {
      /** The key of the value that goes. */
      key: string;
      /** That it goes. */
      delete: true;
    }
  | {
      /** How the keys begin whose values go; empty means all. */
      prefix: string;
      /** That they go. */
      delete: true;
    };

/** Which values to go through. */
export interface CollectionRange {
  /** Only keys that begin like this. Default: all. */
  prefix?: string | undefined;
  /** Only keys after this one. Default: from the first on. */
  after?: string | undefined;
}

/** A key and its value. */
export interface CollectionItem<T = Json> {
  /** The key. */
  key: string;
  /** The value. */
  value: T;
}

/** A value that a search found. */
export interface CollectionHit<T = Json> extends CollectionItem<T> {
  /** How well it fits, from 0 to 1. */
  score: number;
}

const PAGE = 100;
const MOST_TRIES = 100;

/**
 * An app's own JSON values by key, in the order of their keys' UTF-8 bytes. They are written whole or not at all, are seen by
 * all tabs, and stand in the log like everything else. Get it by `memory.collection(name)`.
 *
 * @typeParam T What the values are: the app's word, nothing checks it.
 */
export class Collection<T = Json> {
  /** What it is called. */
  readonly name: string;
  readonly #calls: Calls;

  /** @internal Use `memory.collection`. */
  constructor(calls: Calls, name: string) {
    this.#calls = calls;
    this.name = name;
  }

  /** The value of a key; `undefined` if there is none. */
  async get(key: string): Promise<T | undefined> {
    return (await this.getMany([key]))[0];
  }

  /** The values of several keys in one view, in their order. */
  async getMany(keys: readonly string[]): Promise<(T | undefined)[]> {
    const found = await this.#calls.ask<"values", Metadata, never, T>("values", {
      collection: this.name,
      keys,
    });
    return found.map((value) => value?.[0]);
  }

  /** Sets the value of a key, and the words that it is found by. Default for `text`: none, and no search finds it. */
  async set(key: string, value: T, options: { text?: string | undefined } = {}): Promise<void> {
    await this.write([{ key, value, text: optionsIn(options).text }]);
  }

  /** Takes a value away. Answers whether it was there. */
  async delete(key: string): Promise<boolean> {
    let there = false;
    await this.update(key, (value) => {
      there = value !== undefined;
      return undefined;
    });
    return there;
  }

  /**
   * Changes several values, all of them or none. With `expect`, only if each of those keys still holds that value, where
   * `undefined` means that there is none. Answers whether it did.
   */
  async write(
    changes: readonly CollectionChange<T>[],
    options: {
      expect?: readonly (readonly [key: string, value: T | undefined])[] | undefined;
    } & WriteOptions = {},
  ): Promise<boolean> {
    const { idempotencyKey } = optionsIn(options);
    const expect = options.expect?.map(([key, value]) => ({ key, value }));
    const args = { ...once({ idempotencyKey }), collection: this.name, changes, expect };
    return this.#calls.write("editValues", args);
  }

  /**
   * Sets a key to what `change` makes of its value, and asks it again if somebody else was quicker; `undefined` takes it
   * away. Default for `text`: none, and no search finds it.
   */
  async update(
    key: string,
    change: (value: T | undefined) => T | undefined,
    options: { text?: ((value: T) => string | undefined) | undefined } = {},
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
    throw new MemoryError("conflict", "Others keep changing this value first; try again", { field: "key" });
  }

  /** Some of the values, in the order of their keys. Default for `limit`: 100. */
  async list(options: CollectionRange & { limit?: number | undefined } = {}): Promise<CollectionItem<T>[]> {
    const asked = { ...options, collection: this.name };
    const found = await this.#calls.ask<"listValues", Metadata, never, T>("listValues", asked);
    return found.map(([key, value]) => ({ key, value }));
  }

  /** All of the values, in the order of their keys, read in pages. */
  async *entries(
    options: CollectionRange & { signal?: AbortSignal | undefined } = {},
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

  /** Searches the values that were set with a text, best first. Default for `limit`: 10. */
  async search(
    query: string,
    options: { prefix?: string | undefined; limit?: number | undefined } = {},
  ): Promise<CollectionHit<T>[]> {
    const asked = { ...options, query, collection: this.name };
    const found = await this.#calls.ask<"searchValues", Metadata, never, T>("searchValues", asked);
    return found.map(([key, value, score]) => ({ key, value, score }));
  }
}

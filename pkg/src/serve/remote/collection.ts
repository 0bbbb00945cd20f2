// A collection of a remote memory.

import { MemoryError } from "../../base/errors.js";
import type {
  Collection,
  CollectionChange,
  CollectionHit,
  CollectionItem,
  CollectionRange,
} from "../../memory/collection.js";
import type { Json } from "../../wire/types.js";
import type { RoutedVerb } from "../http/generated.js";
import type { RequestOptions, Requests } from "./requests.js";

const PAGE = 100;
const MOST_TRIES = 100;

/** Custom values by key: the remote equivalent of `memory.collection(name)`. */
export class RemoteCollection<T = Json> implements Pick<Collection<T>, keyof Collection<T>> {
  /** The collection's name. */
  readonly name: string;
  readonly #requests: Requests;

  /** @internal Use `collection` of a remote memory. */
  constructor(requests: Requests, name: string) {
    this.#requests = requests;
    this.name = name;
  }

  /** The value of a key; `undefined` if there is none. */
  async get(key: string, options?: RequestOptions): Promise<T | undefined> {
    return (await this.getMany([key], options))[0];
  }

  /** The values of several keys from one consistent read, in the order of the keys. */
  async getMany(keys: readonly string[], options?: RequestOptions): Promise<(T | undefined)[]> {
    const values = await this.#call<CollectionItem<T>[]>("values", { keys }, options);
    const found = new Map(values.map(({ key, value }) => [key, value]));
    return keys.map((key) => found.get(key));
  }

  /**
   * Sets the value of a key. `text` is the text that search matches. Default for `text`: none, and search does not find
   * the value.
   */
  async set(
    key: string,
    value: T,
    options: RequestOptions & {
      /** The text that searches find the value by. Default: none, and no search finds the value. */
      text?: string | undefined;
    } = {},
  ): Promise<void> {
    const { text, ...request } = options;
    await this.write([{ key, value, text }], request);
  }

  /** Deletes a value. Returns whether it existed. */
  async delete(key: string, options?: RequestOptions): Promise<boolean> {
    let there = false;
    await this.update(
      key,
      (value) => {
        there = value !== undefined;
        return undefined;
      },
      options,
    );
    return there;
  }

  /**
   * Changes several values atomically. With `expect`, only if each listed key still has the listed value; `undefined`
   * means that the key has no value. Returns whether the changes were made.
   */
  async write(
    changes: readonly CollectionChange<T>[],
    options: RequestOptions & {
      /** The values that these keys must have; `undefined`: the key must not exist. Default: not checked. */
      expect?: readonly (readonly [key: string, value: T | undefined])[] | undefined;
    } = {},
  ): Promise<boolean> {
    const { expect, ...request } = options;
    const expected = expect?.map(([key, value]) => ({ key, value }));
    return this.#call("editValues", { changes, expect: expected }, request);
  }

  /**
   * Sets a key to the result of `change`, and retries if another write came first; `undefined` deletes the key. Default
   * for `text`: none, and search does not find the value.
   */
  async update(
    key: string,
    change: (value: T | undefined) => T | undefined,
    options: Omit<RequestOptions, "idempotencyKey"> & {
      /** Returns the text that searches find the value by. Default: none, and no search finds the value. */
      text?: ((value: T) => string | undefined) | undefined;
    } = {},
  ): Promise<T | undefined> {
    const { text, signal } = options;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.get(key, { signal });
      const value = change(before);
      if (value === undefined && before === undefined) return undefined;
      const made = value === undefined ? { key, delete: true as const } : { key, value, text: text?.(value) };
      if (await this.write([made], { expect: [[key, before]], signal })) return value;
    }
    throw new MemoryError("conflict", "others kept writing the same key; try again");
  }

  /** A page of values, in key order. Default for `limit`: 100; at most 1,000. */
  async list(
    options: RequestOptions &
      CollectionRange & {
        /** The maximum number of values. Default: 100. */
        limit?: number | undefined;
      } = {},
  ): Promise<CollectionItem<T>[]> {
    const { signal, idempotencyKey: _, ...range } = options;
    return this.#call("listValues", range, { signal });
  }

  /** All values, in key order, read in pages. */
  async *entries(
    options: CollectionRange & {
      /** Ends the iteration with its reason. Default: none. */
      signal?: AbortSignal | undefined;
    } = {},
  ): AsyncGenerator<[key: string, value: T], void, undefined> {
    let { after } = options;
    for (;;) {
      const page = await this.list({ ...options, after, limit: PAGE });
      for (const { key, value } of page) yield [key, value];
      if (page.length < PAGE) return;
      after = page[PAGE - 1]?.key;
    }
  }

  /** Searches values that have a text, best first. Default for `limit`: 10. */
  async search(
    query: string,
    options: RequestOptions & {
      /** Only keys that begin with this. Default: all. */
      prefix?: string | undefined;
      /** The maximum number of results. Default: 10. */
      limit?: number | undefined;
    } = {},
  ): Promise<CollectionHit<T>[]> {
    const { signal, idempotencyKey: _, ...how } = options;
    return this.#call("searchValues", { ...how, query }, { signal });
  }

  #call<A>(verb: RoutedVerb, args: object, options?: RequestOptions): Promise<A> {
    return this.#requests.call(verb, { ...args, collection: this.name }, options);
  }
}

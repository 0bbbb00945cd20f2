// Several reads and writes of a collection as one: if somebody else was quicker, all of it is done again.

import { MemoryError } from "../../base/errors.js";
import type { Collection, CollectionChange } from "../../memory/collection.js";
import type { Json } from "../../wire/types.js";

const MOST_TRIES = 100;

/** What is read is expected to be the same still when what is changed is written. */
export class Edit {
  readonly #collection: Collection<Json>;
  readonly #seen = new Map<string, Json | undefined>();
  readonly #changes: CollectionChange<Json>[] = [];

  constructor(collection: Collection<Json>) {
    this.#collection = collection;
  }

  /** The values of these keys, as they will have been when this edit is written. */
  async get<T>(keys: readonly string[]): Promise<(T | undefined)[]> {
    const fresh = keys.filter((key) => !this.#seen.has(key));
    const values = fresh.length > 0 ? await this.#collection.getMany(fresh) : [];
    fresh.forEach((key, at) => {
      this.#seen.set(key, values[at]);
    });
    return keys.map((key) => this.#seen.get(key) as T | undefined);
  }

  set(key: string, value: object, text?: string): void {
    this.#changes.push({ key, value: plain(value), text });
  }

  delete(key: string): void {
    this.#changes.push({ key, delete: true });
  }

  deleteAll(prefix: string): void {
    this.#changes.push({ prefix, delete: true });
  }

  /** Writes it; answers whether nobody else was quicker. */
  async done(): Promise<boolean> {
    if (this.#changes.length === 0) return true;
    return this.#collection.write(this.#changes, { expect: [...this.#seen] });
  }
}

/** Does `work` until nobody has come between. */
export async function edited<T>(collection: Collection<Json>, work: (edit: Edit) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const edit = new Edit(collection);
    const answer = await work(edit);
    if (await edit.done()) return answer;
  }
  throw new MemoryError("conflict", "others kept writing first; try again");
}

/** What JSON holds of a value: dates become texts, and what is undefined is left out. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

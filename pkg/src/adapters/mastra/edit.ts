// Optimistic transactions on a collection: on a conflict, all reads and writes are repeated.

import { MemoryError } from "../../base/errors.js";
import type { Collection, CollectionChange } from "../../memory/collection.js";
import type { Json } from "../../wire/types.js";

const MOST_TRIES = 100;

/** A transaction: it commits only if everything that it has read is unchanged. */
export class Edit {
  readonly #collection: Collection<Json>;
  readonly #seen = new Map<string, Json | undefined>();
  readonly #changes: CollectionChange<Json>[] = [];

  constructor(collection: Collection<Json>) {
    this.#collection = collection;
  }

  /** The values of these keys, at the time of the commit. */
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

  /** Commits. Returns `false` on a conflict. */
  async done(): Promise<boolean> {
    if (this.#changes.length === 0) return true;
    return this.#collection.write(this.#changes, { expect: [...this.#seen] });
  }
}

/** Runs `work` until it commits without a conflict. */
export async function edited<T>(collection: Collection<Json>, work: (edit: Edit) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const edit = new Edit(collection);
    const answer = await work(edit);
    if (await edit.done()) return answer;
  }
  throw new MemoryError("conflict", "others kept writing first; try again");
}

/** The value as JSON: dates become strings, and undefined fields are left out. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

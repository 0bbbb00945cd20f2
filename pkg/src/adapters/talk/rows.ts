// An ordered list in a collection, for several concurrent writers: edits are atomic, and none is lost.

import { MemoryError, refused } from "../../base/errors.js";
import { isWellFormed } from "../../base/json.js";
import type { Collection, CollectionChange } from "../../memory/collection.js";

/** A row of a list. */
export interface Row<T> {
  /** Its position. Later rows have higher ones, and none is reused while the list exists. */
  at: number;
  /** Its value. */
  value: T;
}

/** The header of a list. Every edit changes it by compare-and-swap. */
export interface Head {
  /** The position of the next row. */
  next: number;
  /** The number of rows. */
  count: number;
  /** The time of the last change, in ISO 8601. */
  updatedAt: string;
  /** Changes with every edit. */
  mark: string;
}

/** An edit of a list. */
export interface Edit<T, R> {
  /** Positions of rows to remove. */
  remove?: readonly number[];
  /** Rows to replace. */
  set?: readonly Row<T>[];
  /** New rows at the end. */
  add?: readonly T[];
  /** Further values to write in the same commit. */
  note?: readonly [name: string, value: unknown];
  /** The result of the edit. */
  answer: R;
}

const MOST_TRIES = 200;
const DIGITS = 12;

/** The maximum size of an id that fits into a key, with any characters. */
const MOST_ID_BYTES = 200;

/** The lists of a collection, by id. */
export async function* headsOf(
  values: Collection<unknown>,
): AsyncGenerator<[id: string, head: Head], void, undefined> {
  for await (const [key, head] of values.entries({ prefix: "h/" })) {
    yield [decodeURIComponent(key.slice(2)), head as Head];
  }
}

/** The list with this id. */
export class Rows<T> {
  readonly #values: Collection<unknown>;
  readonly #head: string;
  readonly #rows: string;
  readonly #notes: string;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param field - The app's name of the id. */
  constructor(values: Collection<unknown>, id: string, field: string) {
    if (typeof id !== "string" || id === "" || !isWellFormed(id)) {
      throw refused(field, "must be a non-empty string");
    }
    if (new TextEncoder().encode(id).length > MOST_ID_BYTES) {
      throw refused(field, `must be at most ${MOST_ID_BYTES} bytes`);
    }
    this.#values = values;
    // The separator occurs in no escaped id, so no id reaches into another.
    const name = encodeURIComponent(id);
    this.#head = `h/${name}`;
    this.#rows = `r/${name}/`;
    this.#notes = `n/${name}/`;
  }

  /** All rows, as one consistent read. */
  async all(): Promise<Row<T>[]> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.head();
      const rows = await this.after(-1);
      if ((await this.head())?.mark === before?.mark) return rows;
    }
    throw busy();
  }

  /** The rows after a position. */
  async after(at: number): Promise<Row<T>[]> {
    const rows: Row<T>[] = [];
    const after = at < 0 ? undefined : this.#key(at);
    for await (const [key, value] of this.#values.entries({ prefix: this.#rows, after })) {
      rows.push({ at: Number(key.slice(this.#rows.length)), value: value as T });
    }
    return rows;
  }

  /** A value that was written beside the rows. */
  async note(name: string): Promise<unknown> {
    return this.#values.get(this.#notes + name);
  }

  /** The header of the list; `undefined` if it does not exist. */
  async head(): Promise<Head | undefined> {
    return (await this.#values.get(this.#head)) as Head | undefined;
  }

  /**
   * Applies the edit that `plan` returns, atomically. After a conflict `plan` is called again. Edits of this handle run in
   * the order of the calls.
   */
  async edit<R>(plan: () => Promise<Edit<T, R>>): Promise<R> {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const head = await this.head();
        const edit = await plan();
        const { remove = [], set = [], add = [], note } = edit;
        if (remove.length + set.length + add.length === 0 && !note) return edit.answer;
        const { next = 0, count = 0 } = head ?? {};
        const changes: CollectionChange<unknown>[] = [
          ...remove.map((at) => ({ key: this.#key(at), delete: true as const })),
          ...set.map(({ at, value }) => ({ key: this.#key(at), value })),
          ...add.map((value, at) => ({ key: this.#key(next + at), value })),
          ...(note ? [{ key: this.#notes + note[0], value: note[1] }] : []),
          {
            key: this.#head,
            value: {
              next: next + add.length,
              count: count + add.length - remove.length,
              updatedAt: new Date().toISOString(),
              // Not a counter: a list that was deleted and created again is another list.
              mark: mark(),
            } satisfies Head,
          },
        ];
        if (await this.#values.write(changes, { expect: [[this.#head, head]] })) return edit.answer;
      }
      throw busy();
    });
  }

  /** Deletes the list. Returns whether it existed. */
  async delete(): Promise<boolean> {
    return this.#inTurn(async () => {
      const there = (await this.head()) !== undefined;
      await this.#values.write([
        { key: this.#head, delete: true },
        { prefix: this.#rows, delete: true },
        { prefix: this.#notes, delete: true },
      ]);
      return there;
    });
  }

  #key(at: number): string {
    return this.#rows + String(at).padStart(DIGITS, "0");
  }

  #inTurn<R>(task: () => Promise<R>): Promise<R> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** The last rows of a list, oldest first. */
export async function lastOf<T>(list: Rows<T>, count: number): Promise<Row<T>[]> {
  const head = await list.head();
  if (!head || !(count > 0)) return [];
  // Removed rows leave gaps; then more is read.
  for (let reach = count; ; reach *= 4) {
    const from = head.next - reach - 1;
    const rows = from < 0 ? await list.all() : await list.after(from);
    if (rows.length >= count || from < 0) return rows.slice(-count);
  }
}

/** A unique string. `crypto.randomUUID` does not exist on pages served without HTTPS. */
export function mark(): string {
  return Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
}

function busy(): MemoryError {
  return new MemoryError("conflict", "others kept writing first; try again");
}

// A list in a collection that several tabs write to: rows in order, changed all or nothing, and nothing is lost.

import { MemoryError, refused } from "../../base/errors.js";
import { isWellFormed } from "../../base/json.js";
import type { Collection, CollectionChange } from "../../memory/collection.js";

/** A row of a list. */
export interface Row<T> {
  /** Its place. Later rows have higher ones, and none is used twice while the list is there. */
  at: number;
  /** What it holds. */
  value: T;
}

/** What is known of a list. Whoever changes it changes this, too, and only if it is still what they have seen. */
export interface Head {
  /** The place of the next row. */
  next: number;
  /** How many rows there are. */
  count: number;
  /** When it was last changed, in ISO 8601. */
  updatedAt: string;
  /** Another one after each change. */
  mark: string;
}

/** What is to be done to a list. */
export interface Edit<T, R> {
  /** Rows that go, by their places. */
  remove?: readonly number[];
  /** Rows that hold something else from now on. */
  set?: readonly Row<T>[];
  /** New rows at the end. */
  add?: readonly T[];
  /** What else is to be written in the same go. */
  note?: readonly [name: string, value: unknown];
  /** What to answer. */
  answer: R;
}

const MOST_TRIES = 200;
const DIGITS = 12;

/** As much of an id as there is room for in a key, whatever signs it has. */
const MOST_ID_BYTES = 200;

/** The lists of a collection that have been begun, by id. */
export async function* headsOf(
  values: Collection<unknown>,
): AsyncGenerator<[id: string, head: Head], void, undefined> {
  for await (const [key, head] of values.entries({ prefix: "h/" })) {
    yield [decodeURIComponent(key.slice(2)), head as Head];
  }
}

/** The list called `id`. */
export class Rows<T> {
  readonly #values: Collection<unknown>;
  readonly #head: string;
  readonly #rows: string;
  readonly #notes: string;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param field - What the app calls the id. */
  constructor(values: Collection<unknown>, id: string, field: string) {
    if (typeof id !== "string" || id === "" || !isWellFormed(id)) {
      throw refused(field, "must be a text that is not empty");
    }
    if (new TextEncoder().encode(id).length > MOST_ID_BYTES) {
      throw refused(field, `must be at most ${MOST_ID_BYTES} bytes`);
    }
    this.#values = values;
    // No id reaches into another: what separates is in none.
    const name = encodeURIComponent(id);
    this.#head = `h/${name}`;
    this.#rows = `r/${name}/`;
    this.#notes = `n/${name}/`;
  }

  /** All rows, in one view. */
  async all(): Promise<Row<T>[]> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const before = await this.head();
      const rows = await this.after(-1);
      if ((await this.head())?.mark === before?.mark) return rows;
    }
    throw busy();
  }

  /** The rows behind a place. */
  async after(at: number): Promise<Row<T>[]> {
    const rows: Row<T>[] = [];
    const after = at < 0 ? undefined : this.#key(at);
    for await (const [key, value] of this.#values.entries({ prefix: this.#rows, after })) {
      rows.push({ at: Number(key.slice(this.#rows.length)), value: value as T });
    }
    return rows;
  }

  /** What was written beside the rows under a name. */
  async note(name: string): Promise<unknown> {
    return this.#values.get(this.#notes + name);
  }

  /** What is known of the list; `undefined` if it has not begun. */
  async head(): Promise<Head | undefined> {
    return (await this.#values.get(this.#head)) as Head | undefined;
  }

  /**
   * Does what `plan` says, in one go. It is asked again if somebody else was quicker. Edits of this handle happen in the
   * order in which they were called.
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
              // Not a count: a list that was taken away and begun again is another one.
              mark: mark(),
            } satisfies Head,
          },
        ];
        if (await this.#values.write(changes, { expect: [[this.#head, head]] })) return edit.answer;
      }
      throw busy();
    });
  }

  /** Takes the list away. Answers whether it was there. */
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
  // Where rows have gone there are gaps; then more has to be read.
  for (let reach = count; ; reach *= 4) {
    const from = head.next - reach - 1;
    const rows = from < 0 ? await list.all() : await list.after(from);
    if (rows.length >= count || from < 0) return rows.slice(-count);
  }
}

/** A word that nobody else has. There is no `crypto.randomUUID` in pages that came without encryption. */
export function mark(): string {
  return Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
}

function busy(): MemoryError {
  return new MemoryError("conflict", "Others keep writing first; try again");
}

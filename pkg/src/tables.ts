// Bytes in memory, looked up by key and in the order of the keys: the inside of every storage that holds all it has.

import type { StorageBatch, StorageOp, StoragePage, StorageRange, StorageSpace } from "./storage.js";

/** Bytes of one space, by key as text, so that keys can be looked up and compared. */
type Table = Map<string, Uint8Array>;

/** A table for each space. */
export class Tables {
  readonly #tables = new Map<StorageSpace, Table>();
  /** The keys of a table in order, from the first time that they are asked for. */
  readonly #ordered = new Map<StorageSpace, string[]>();
  #keys = 0;
  #bytes = 0;

  /** As in `StorageAdapter`. */
  get(space: StorageSpace, keys: Uint8Array[]): (Uint8Array | undefined)[] {
    const table = this.#table(space);
    return keys.map((key) => table.get(toText(key)));
  }

  /** As in `StorageAdapter`. */
  scan(space: StorageSpace, range: StorageRange, limit: number): StoragePage {
    const { keys, from, to } = this.#within(space, range);
    const table = this.#table(space);
    const until = Math.min(to, from + limit);
    return {
      items: keys.slice(from, until).map((key) => [toBytes(key), table.get(key) as Uint8Array]),
      next: until < to ? toBytes(keys[until] as string) : undefined,
    };
  }

  /** Whether the guard of a batch holds what the batch expects. */
  holds({ guard, expected }: StorageBatch): boolean {
    const found = this.#table("meta").get(toText(guard));
    return (found && toText(found)) === (expected && toText(expected));
  }

  /** Makes one change. */
  apply(op: StorageOp): void {
    const table = this.#table(op.space);
    const ordered = this.#ordered.get(op.space);
    if (op.type === "delete-range") {
      const { keys, from, to } = this.#within(op.space, op.range);
      for (const key of keys.splice(from, to - from)) this.#remove(table, key);
      return;
    }
    const key = toText(op.key);
    if (op.type === "put") {
      if (!this.#remove(table, key)) ordered?.splice(firstAtLeast(ordered, key), 0, key);
      table.set(key, op.value);
      this.#keys += 1;
      this.#bytes += key.length + op.value.length;
    } else if (this.#remove(table, key)) {
      ordered?.splice(firstAtLeast(ordered, key), 1);
    }
  }

  /** Everything there is, in no order. */
  *everything(): Generator<{ space: StorageSpace; key: Uint8Array; value: Uint8Array }> {
    for (const [space, table] of this.#tables) {
      for (const [key, value] of table) yield { space, key: toBytes(key), value };
    }
  }

  /** How many keys there are, and how many bytes they and their values have. Counted along, so that it costs nothing. */
  weigh(): { keys: number; bytes: number } {
    return { keys: this.#keys, bytes: this.#bytes };
  }

  /** Takes a key away. Whether it was there. */
  #remove(table: Table, key: string): boolean {
    const value = table.get(key);
    if (!value) return false;
    this.#keys -= 1;
    this.#bytes -= key.length + value.length;
    return table.delete(key);
  }

  #table(space: StorageSpace): Table {
    let table = this.#tables.get(space);
    if (!table) {
      table = new Map();
      this.#tables.set(space, table);
    }
    return table;
  }

  /** The ordered keys of a space, and where a range begins and ends among them. */
  #within(space: StorageSpace, { start, end }: StorageRange): { keys: string[]; from: number; to: number } {
    let keys = this.#ordered.get(space);
    if (!keys) {
      keys = [...this.#table(space).keys()].sort();
      this.#ordered.set(space, keys);
    }
    const from = firstAtLeast(keys, toText(start));
    const to = end ? firstAtLeast(keys, toText(end)) : keys.length;
    return { keys, from, to: Math.max(from, to) };
  }
}

/** All that a batch changes: also its guard. */
export function changes({ ops, guard, next }: StorageBatch): StorageOp[] {
  return [...ops, { type: "put", space: "meta", key: guard, value: next }];
}

/** One character a byte: such texts compare as the bytes do. */
function toText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The place of the first key that is not smaller. */
function firstAtLeast(keys: string[], wanted: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

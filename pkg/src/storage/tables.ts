// In-memory tables of bytes, by key and in key order: the core of every storage that holds all its data in memory.

import type { StorageBatch, StorageOp, StoragePage, StorageRange, StorageSpace } from "./adapter.js";

/** Up to this many new keys are inserted one by one; more are sorted together. */
const FEW = 64;

/** The bytes of one space, by key. Keys are strings, so that they can be looked up and compared. */
type Table = Map<string, Uint8Array>;

/** One table per space. */
export class Tables {
  readonly #tables = new Map<StorageSpace, Table>();
  /**
   * The sorted keys of a table, built on first use. Deleted keys stay until the next sort: removing each at once would make
   * a large deletion quadratic.
   */
  readonly #ordered = new Map<StorageSpace, string[]>();
  /** Keys that are not in the sorted array yet. */
  readonly #added = new Map<StorageSpace, string[]>();
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
    const items: StoragePage["items"] = [];
    for (let at = from; at < to; at += 1) {
      const key = keys[at] as string;
      const value = table.get(key);
      if (value && items.length === limit) return { items, next: toBytes(key) };
      if (value) items.push([toBytes(key), value]);
    }
    return { items, next: undefined };
  }

  /** Whether the guard of a batch has the expected value. */
  holds({ guard, expected }: StorageBatch): boolean {
    const found = this.#table("meta").get(toText(guard));
    return (found && toText(found)) === (expected && toText(expected));
  }

  /** Applies one operation. */
  apply(op: StorageOp): void {
    const table = this.#table(op.space);
    if (op.type === "delete-range") {
      const { keys, from, to } = this.#within(op.space, op.range);
      for (const key of keys.slice(from, to)) this.#remove(table, key);
      return;
    }
    const key = toText(op.key);
    const was = this.#remove(table, key);
    if (op.type === "put") {
      if (!was) this.#added.get(op.space)?.push(key);
      table.set(key, op.value);
      this.#keys += 1;
      this.#bytes += key.length + op.value.length;
    }
  }

  /** All items, unordered. */
  *everything(): Generator<{ space: StorageSpace; key: Uint8Array; value: Uint8Array }> {
    for (const [space, table] of this.#tables) {
      for (const [key, value] of table) yield { space, key: toBytes(key), value };
    }
  }

  /** The number of keys, and the bytes of keys and values. Maintained incrementally. */
  weigh(): { keys: number; bytes: number } {
    return { keys: this.#keys, bytes: this.#bytes };
  }

  /** Deletes a key. Returns whether it existed. */
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

  /** The sorted keys of a space, with the start and end index of a range. */
  #within(space: StorageSpace, { start, end }: StorageRange): { keys: string[]; from: number; to: number } {
    const table = this.#table(space);
    let keys = this.#ordered.get(space) ?? [];
    const added = this.#added.get(space) ?? [...table.keys()];
    if (added.length > FEW || keys.length - table.size > FEW + keys.length / 8) {
      keys = [...new Set([...keys, ...added])].filter((key) => table.has(key)).sort();
    } else {
      for (const key of added) {
        const at = firstAtLeast(keys, key);
        if (keys[at] !== key) keys.splice(at, 0, key);
      }
    }
    this.#ordered.set(space, keys);
    this.#added.set(space, []);
    const from = firstAtLeast(keys, toText(start));
    const to = end ? firstAtLeast(keys, toText(end)) : keys.length;
    return { keys, from, to: Math.max(from, to) };
  }
}

/** All operations of a batch, including its guard. */
export function changes({ ops, guard, next }: StorageBatch): StorageOp[] {
  return [...ops, { type: "put", space: "meta", key: guard, value: next }];
}

/** One character per byte: such strings compare as the bytes do. */
function toText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The index of the first key that is not smaller. */
function firstAtLeast(keys: string[], wanted: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A storage in memory: what a memory without persistence runs on, and the smallest example of an adapter.

import { MemoryError } from "./errors.js";
import type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
} from "./storage.js";

/** Bytes of one space, by key as text, so that keys can be looked up and compared. */
type Table = Map<string, Uint8Array>;

/** The bytes that several handles can share. */
export class MemoryStorage {
  readonly #tables = new Map<StorageSpace, Table>();
  /** The keys of a table in order, until the table changes. */
  readonly #ordered = new Map<StorageSpace, string[]>();

  /** A handle to these bytes. */
  connect(): StorageAdapter {
    let open = true;
    const whenOpen = async <T>(work: () => T): Promise<T> => {
      if (!open) throw new MemoryError("closed", "the storage is closed");
      return work();
    };
    return {
      get: (space, keys) => whenOpen(() => keys.map((key) => this.#table(space).get(toText(key)))),
      scan: (space, range, limit) => whenOpen(() => this.#scan(space, range, limit)),
      commit: (batch) => whenOpen(() => this.#commit(batch)),
      close: async () => {
        open = false;
      },
    };
  }

  #table(space: StorageSpace): Table {
    let table = this.#tables.get(space);
    if (!table) {
      table = new Map();
      this.#tables.set(space, table);
    }
    return table;
  }

  #keys(space: StorageSpace, range: StorageRange): string[] {
    let keys = this.#ordered.get(space);
    if (!keys) {
      keys = [...this.#table(space).keys()].sort();
      this.#ordered.set(space, keys);
    }
    const end = range.end ? firstAtLeast(keys, toText(range.end)) : keys.length;
    return keys.slice(firstAtLeast(keys, toText(range.start)), end);
  }

  #scan(space: StorageSpace, range: StorageRange, limit: number): StoragePage {
    const keys = this.#keys(space, range);
    const table = this.#table(space);
    const next = keys[limit];
    return {
      items: keys.slice(0, limit).map((key) => [toBytes(key), table.get(key) as Uint8Array]),
      next: next === undefined ? undefined : toBytes(next),
    };
  }

  #commit({ guard, expected, next, ops }: StorageBatch): boolean {
    const found = this.#table("meta").get(toText(guard));
    if ((found && toText(found)) !== (expected && toText(expected))) return false;
    for (const op of ops) this.#apply(op);
    this.#apply({ type: "put", space: "meta", key: guard, value: next });
    return true;
  }

  #apply(op: StorageOp): void {
    const table = this.#table(op.space);
    if (op.type === "put") {
      const key = toText(op.key);
      if (!table.has(key)) this.#ordered.delete(op.space);
      table.set(key, op.value);
      return;
    }
    const gone = op.type === "delete" ? [toText(op.key)] : this.#keys(op.space, op.range);
    for (const key of gone) table.delete(key);
    this.#ordered.delete(op.space);
  }
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

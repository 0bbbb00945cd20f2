// The storage in a Durable Object: one table of its SQLite database.

import { areSame, concatenated } from "../../base/bytes.js";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import {
  SPACES,
  type StorageAdapter,
  type StorageBatch,
  type StorageOp,
  type StoragePage,
  type StorageRange,
  type StorageSpace,
} from "../../storage/adapter.js";
import { changes } from "../../storage/tables.js";
import type { ObjectStorageLike, SqlLike } from "./platform.js";

/** Options of `durableObjectStorage`. */
export interface DurableObjectStorageOptions {
  /** The name of the table: letters, digits and `_`. Two tables are two storages. Default: `"keepsake"`. */
  table?: string | undefined;
}

/** A row holds at most 2 MB, including its key: larger values are split. */
const PIECE = 1_000_000;

/**
 * A storage in the SQLite database of a Durable Object, for the option `storage` of `openMemory`. The revision check and all
 * operations of a commit are one transaction.
 *
 * @example
 * const memory = await openMemory({ user: "u-42", storage: durableObjectStorage(ctx.storage) });
 */
export function durableObjectStorage(
  storage: ObjectStorageLike,
  options: DurableObjectStorageOptions = {},
): StorageAdapter {
  if (typeof storage?.sql?.exec !== "function") {
    throw refused(
      "storage",
      "must be the `ctx.storage` of a Durable Object whose class is in `new_sqlite_classes`",
    );
  }
  known(options, "table");
  const { table = "keepsake" } = options;
  // The name becomes part of the SQL, so nothing else is allowed.
  if (typeof table !== "string" || !/^[a-z_]\w{0,62}$/i.test(table)) {
    throw refused("table", "must consist of letters, digits and `_`");
  }
  let rows: Rows | undefined;
  let open = true;
  const whenOpen = async <T>(work: (rows: Rows) => T): Promise<T> => {
    if (!open) throw new MemoryError("closed", "the storage is closed");
    try {
      rows ??= new Rows(storage.sql, table);
      return work(rows);
    } catch (error) {
      // The table may be gone, if the object was emptied: the next call creates it again.
      rows = undefined;
      throw full(error) ? new MemoryError("quota-exceeded", "the Durable Object's database is full") : error;
    }
  };
  return {
    get: (space, keys) => whenOpen((rows) => keys.map((key) => rows.get(space, key))),
    scan: (space, range, limit) => whenOpen((rows) => rows.scan(space, range, limit)),
    commit: async (batch) => {
      const written = await whenOpen((rows) => storage.transactionSync(() => commit(rows, batch)));
      // Responses leave the object only when its writes are durable; `strict` waits here.
      if (written && batch.durability === "strict") await storage.sync();
      return written;
    },
    close: async () => {
      open = false;
    },
  };
}

function commit(rows: Rows, batch: StorageBatch): boolean {
  if (!areSame(rows.get("meta", batch.guard), batch.expected)) return false;
  for (const op of changes(batch)) rows.apply(op);
  return true;
}

/** The rows of one table: space, key, and the index of the piece. */
class Rows {
  readonly #sql: SqlLike;
  readonly #table: string;

  constructor(sql: SqlLike, table: string) {
    this.#sql = sql;
    this.#table = table;
    // WITHOUT ROWID: a row is written once, and stored by its key.
    this.#run(
      "CREATE TABLE IF NOT EXISTS # (space INTEGER, key BLOB, piece INTEGER, value BLOB, PRIMARY KEY (space, key, piece)) WITHOUT ROWID",
    );
  }

  get(space: StorageSpace, key: Uint8Array): Uint8Array | undefined {
    const found = this.#run(
      "SELECT value FROM # WHERE space = ? AND key = ? ORDER BY piece",
      numberOf(space),
      key,
    );
    return joined([...found].map(([value]) => bytes(value)));
  }

  scan(space: StorageSpace, { start, end }: StorageRange, limit: number): StoragePage {
    const select = "SELECT key, piece, value FROM # WHERE space = ? AND key >= ?";
    const found = end
      ? this.#run(`${select} AND key < ? ORDER BY key, piece`, numberOf(space), start, end)
      : this.#run(`${select} ORDER BY key, piece`, numberOf(space), start);
    const items: [key: Uint8Array, pieces: Uint8Array[]][] = [];
    let next: Uint8Array | undefined;
    // Rows are read one by one, so that rows behind the page are not read.
    for (const [key, piece, value] of found) {
      if (piece !== 0) {
        items.at(-1)?.[1].push(bytes(value));
      } else if (items.length < limit) {
        items.push([bytes(key), [bytes(value)]]);
      } else {
        next = bytes(key);
        break;
      }
    }
    return { items: items.map(([key, pieces]) => [key, joined(pieces) as Uint8Array]), next };
  }

  apply(op: StorageOp): void {
    const space = numberOf(op.space);
    if (op.type === "delete") {
      this.#run("DELETE FROM # WHERE space = ? AND key = ?", space, op.key);
    } else if (op.type === "delete-range") {
      const { start, end } = op.range;
      if (end) this.#run("DELETE FROM # WHERE space = ? AND key >= ? AND key < ?", space, start, end);
      else this.#run("DELETE FROM # WHERE space = ? AND key >= ?", space, start);
    } else {
      const pieces = Math.max(1, Math.ceil(op.value.length / PIECE));
      for (let piece = 0; piece < pieces; piece++) {
        const value = op.value.subarray(piece * PIECE, (piece + 1) * PIECE);
        this.#run("INSERT OR REPLACE INTO # VALUES (?, ?, ?, ?)", space, op.key, piece, value);
      }
      // The previous value may have had more pieces.
      this.#run("DELETE FROM # WHERE space = ? AND key = ? AND piece >= ?", space, op.key, pieces);
    }
  }

  #run(query: string, ...bindings: unknown[]): Iterable<unknown[]> {
    return this.#sql.exec(query.replace("#", this.#table), ...bindings).raw();
  }
}

function numberOf(space: StorageSpace): number {
  return SPACES.indexOf(space);
}

function bytes(value: unknown): Uint8Array {
  return new Uint8Array(value as ArrayBuffer);
}

function joined(pieces: Uint8Array[]): Uint8Array | undefined {
  return pieces.length < 2 ? pieces[0] : concatenated(pieces);
}

/** Whether SQLite reports that the database is full. */
function full(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full/i.test(error.message);
}

// The storage in a browser: one database, one object store a space, one transaction a commit.

import { areSame, concatenated } from "../bytes.js";
import {
  SPACES,
  type StorageAdapter,
  type StorageBatch,
  type StorageOp,
  type StoragePage,
  type StorageRange,
  type StorageSpace,
} from "../storage.js";
import { Connection, meaning, SCHEMA } from "./connection.js";
import { endEarly, tryEarlyEnd } from "./early-end.js";

/** How long a revision is. A page of the log has the key of its guard, and its revision after it. */
const REVISION = 8;

/** What the database of the application called `name` is called. */
export function databaseName(name: string): string {
  return `keepsake/${name}`;
}

/** The storage of the application called `name`. The first call opens it, and is told if it cannot be. */
export function indexedDb(name: string, schema = SCHEMA): StorageAdapter {
  const connection = new Connection(databaseName(name), schema);
  return {
    get: (space, keys) => connection.reading(() => get(connection, space, keys)),
    scan: (space, range, limit) => connection.reading(() => scan(connection, space, range, limit)),
    commit: (batch) => commit(connection, batch),
    close: async () => connection.close(),
  };
}

async function get(
  connection: Connection,
  space: StorageSpace,
  keys: Uint8Array[],
): Promise<(Uint8Array | undefined)[]> {
  const begun = connection.begin(readWith(space), "readonly", "relaxed");
  const transaction = begun instanceof Promise ? await begun : begun;
  const store = transaction.objectStore(space);
  const found = keys.map((key) => answer<Uint8Array | undefined>(store.get(key as BufferSource)));
  if (space !== "meta") return Promise.all(found);
  return Promise.all(keys.map((key, at) => current(transaction, key, found[at])));
}

/** What is read together with a space: what a guard stands for is in the log. */
function readWith(space: StorageSpace): StorageSpace[] {
  return space === "meta" ? ["meta", "log"] : [space];
}

/** What is held under a key of `meta`: of a guard, the revision that it stands for. */
async function current(
  transaction: IDBTransaction,
  key: Uint8Array,
  held: Uint8Array | undefined | Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  const [value, last] = await Promise.all([held, answer(lastPage(transaction, key))]);
  return later(key, value, last);
}

/** Asks for the last page of a guard's log. */
function lastPage(transaction: IDBTransaction, guard: Uint8Array): IDBRequest<IDBCursor | null> {
  const end = (byte: number) => concatenated([guard, new Uint8Array(REVISION).fill(byte)]);
  return transaction.objectStore("log").openKeyCursor(IDBKeyRange.bound(end(0), end(0xff)), "prev");
}

/** The revision that a guard stands for: what it holds, or that of the last page, which may have been added since. */
function later(
  guard: Uint8Array,
  held: Uint8Array | undefined,
  last: IDBCursor | null,
): Uint8Array | undefined {
  if (held?.length !== REVISION || !last) return held;
  const page = new Uint8Array(last.key as ArrayBuffer);
  const revision = page.slice(guard.length);
  return revision.length === REVISION && indexedDB.cmp(revision, held) > 0 ? revision : held;
}

async function scan(
  connection: Connection,
  space: StorageSpace,
  range: StorageRange,
  limit: number,
): Promise<StoragePage> {
  const wanted = query(range);
  if (!wanted) {
    connection.check();
    return { items: [] };
  }
  const begun = connection.begin(readWith(space), "readonly", "relaxed");
  const transaction = begun instanceof Promise ? await begun : begun;
  const store = transaction.objectStore(space);
  // One more than wanted, to know whether and where it goes on.
  const count = Math.min(limit + 1, 0xffff_ffff);
  const [keys, values] = await Promise.all([
    answer(store.getAllKeys(wanted, count)),
    answer<Uint8Array[]>(store.getAll(wanted, count)),
  ]);
  const names = keys.map((key) => new Uint8Array(key as ArrayBuffer));
  const items = values
    .slice(0, limit)
    .map((value, at): [Uint8Array, Uint8Array] => [names[at] as Uint8Array, value]);
  if (space === "meta") {
    for (const item of items) item[1] = (await current(transaction, ...item)) as Uint8Array;
  }
  return { items, next: names[limit] };
}

async function commit(connection: Connection, batch: StorageBatch): Promise<boolean> {
  // Only who has opened it knows its schema.
  if (!connection.isOpen) await connection.open();
  connection.checkWritable();
  const isTouched = (space: StorageSpace) =>
    space === "meta" || space === "log" || batch.ops.some((op) => op.space === space);
  const spaces = SPACES.filter(isTouched);
  const begun = connection.begin(spaces, "readwrite", batch.durability);
  const transaction = begun instanceof Promise ? await begun : begun;
  // The key of a log page is its revision: where the page can be added, nobody has written since, and the guard need not be
  // asked. That holds for the database that was asked not long ago, and not for one that was emptied meanwhile.
  const page = batch.ops.find(isPage);
  const adds = connection.isChecked && page !== undefined;
  // Nor need it be written: the page says the same. Each request is a fifth of a small commit.
  const tells = adds && areSame(page.key, concatenated([batch.guard, batch.next]));
  return new Promise((resolve, reject) => {
    let refused = false;
    transaction.oncomplete = () => {
      if (!adds) connection.checked();
      resolve(true);
      tryEarlyEnd(transaction.db, "meta");
    };
    // Only this tells of every failure: a full disk raises no `error` (F5).
    transaction.onabort = () => {
      refused ||= adds && transaction.error?.name === "ConstraintError";
      if (refused) resolve(false);
      else reject(meaning(transaction.error));
    };
    try {
      const meta = transaction.objectStore("meta");
      if (!adds) {
        const held: IDBRequest<Uint8Array | undefined> = meta.get(batch.guard as BufferSource);
        const asked = lastPage(transaction, batch.guard);
        asked.onsuccess = () => {
          refused = !areSame(later(batch.guard, held.result, asked.result), batch.expected);
          // Nothing was waited for between the question and the writes: its answer comes before theirs, and none of them
          // is kept before it has been looked at.
          if (refused) transaction.abort();
          else endEarly(transaction);
        };
      }
      for (const op of batch.ops) apply(transaction.objectStore(op.space), op, adds);
      if (!tells) meta.put(batch.next, batch.guard as BufferSource);
      if (adds) endEarly(transaction);
    } catch (error) {
      // What was issued before must not be committed by itself.
      reject(meaning(error));
      transaction.abort();
    }
  });
}

function isPage(op: StorageOp): op is StorageOp & { type: "put" } {
  return op.type === "put" && op.space === "log";
}

function apply(store: IDBObjectStore, op: StorageOp, adds: boolean): void {
  if (op.type === "put") store[adds && isPage(op) ? "add" : "put"](op.value, op.key as BufferSource);
  else if (op.type === "delete") store.delete(op.key as BufferSource);
  else {
    const wanted = query(op.range);
    if (wanted) store.delete(wanted);
  }
}

/** The browser's word for a range; none if nothing can be in it. */
function query({ start, end }: StorageRange): IDBKeyRange | undefined {
  if (end === undefined) return IDBKeyRange.lowerBound(start);
  if (indexedDB.cmp(start, end) >= 0) return undefined;
  return IDBKeyRange.bound(start, end, false, true);
}

/** The result of a request. */
function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(meaning(request.error));
  });
}

// The storage in a browser: one database, one object store a space, one transaction a commit.

import { areSame } from "../bytes.js";
import type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
} from "../storage.js";
import { Connection, meaning, SCHEMA } from "./connection.js";
import { endEarly, tryEarlyEnd } from "./early-end.js";
import { current, lastPage, later, readWith, says } from "./guard.js";
import { answer } from "./request.js";

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
    const revisions = await Promise.all(items.map(([key, held]) => current(transaction, key, held)));
    for (const [at, item] of items.entries()) item[1] = revisions[at] ?? item[1];
  }
  return { items, next: names[limit] };
}

async function commit(connection: Connection, batch: StorageBatch): Promise<boolean> {
  // Only who has opened it knows its schema.
  if (!connection.isOpen) await connection.open();
  connection.checkWritable();
  const spaces = new Set<StorageSpace>(["meta", "log"]);
  for (const { space } of batch.ops) spaces.add(space);
  const begun = connection.begin([...spaces], "readwrite", batch.durability);
  const transaction = begun instanceof Promise ? await begun : begun;
  // The key of a log page is its revision: where the page can be added, nobody has written since, and the guard need not be
  // asked. That holds for the database that was asked not long ago, and not for one that was emptied meanwhile.
  const page = batch.ops.find(isPage);
  const adds = connection.isChecked && page !== undefined;
  // Nor need it be written: the page says the same. Each request is a fifth of a small commit.
  const tells = adds && says(page.key, batch.guard, batch.next);
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
      if (!adds) {
        const meta = transaction.objectStore("meta");
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
      if (!tells) transaction.objectStore("meta").put(batch.next, batch.guard as BufferSource);
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

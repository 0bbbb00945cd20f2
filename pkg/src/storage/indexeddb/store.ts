// The storage in a browser: one database, one object store per space, one transaction per commit.

import { areSame } from "../../base/bytes.js";
import type {
  StorageAdapter,
  StorageBatch,
  StorageOp,
  StoragePage,
  StorageRange,
  StorageSpace,
} from "../adapter.js";
import {
  carriedBy,
  carrying,
  getCarried,
  type Item,
  merged,
  type Put,
  pageOf,
  type Stored,
  scanCarried,
  strip,
  takesRecords,
} from "./carried.js";
import { Connection, SCHEMA } from "./connection.js";
import { endEarly, tryEarlyEnd } from "./early-end.js";
import { current, lastPage, later, readWith, says } from "./guard.js";
import { answer } from "./request.js";

/** The name of the database of the app `name`. */
export function databaseName(name: string): string {
  return `keepsake/${name}`;
}

/** The storage of the app `name`. The first call opens the database, and rejects if that fails. */
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
  const stored = async (key: Uint8Array) => {
    const found = await answer<Stored | undefined>(store.get(key as BufferSource));
    return found && pageOf(found);
  };
  if (space === "meta") return Promise.all(keys.map((key) => current(transaction, key, stored(key))));
  if (space !== "records") return Promise.all(keys.map(stored));
  return getRecords(connection, keys, stored, (key) => getCarried(transaction, key));
}

/** Several records are mostly of one kind, and lie where the last ones lay. */
const SEVERAL = 4;

/** Records, which lie in one of two places: `own` and `carried` look them up there. */
async function getRecords(
  connection: Connection,
  keys: Uint8Array[],
  own: (key: Uint8Array) => Promise<Uint8Array | undefined>,
  carried: (key: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<(Uint8Array | undefined)[]> {
  const areSeveral = keys.length >= SEVERAL;
  const [first, second] = areSeveral && connection.carriesMost ? [carried, own] : [own, carried];
  let [inFirst, inSecond] = [0, 0];
  const values = await Promise.all(
    keys.map(async (key) => {
      const value = await first(key);
      if (value) inFirst += 1;
      if (value) return value;
      const other = await second(key);
      if (other) inSecond += 1;
      return other;
    }),
  );
  if (areSeveral && inSecond > inFirst) connection.carriesMost = second === carried;
  return values;
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
  // One more than the limit, to know whether and where the next page begins.
  const count = Math.min(limit + 1, 0xffff_ffff);
  const [keys, values, carried] = await Promise.all([
    answer(store.getAllKeys(wanted, count)),
    answer<Stored[]>(store.getAll(wanted, count)),
    space === "records" ? scanCarried(transaction, wanted, count) : [],
  ]);
  const own = values.map((value, at): Item => [new Uint8Array(keys[at] as ArrayBuffer), pageOf(value)]);
  const found = merged(own, carried);
  const items = found.slice(0, limit);
  if (space === "meta") {
    const revisions = await Promise.all(items.map(([key, held]) => current(transaction, key, held)));
    for (const [at, item] of items.entries()) item[1] = revisions[at] ?? item[1];
  }
  return { items, next: found[limit]?.[0] };
}

/** How many requests of a commit are issued before yielding: a large batch would block the page. */
const GROUP = 256;

async function commit(connection: Connection, batch: StorageBatch): Promise<boolean> {
  // The schema is known only after opening.
  if (!connection.isOpen) await connection.open();
  connection.checkWritable();
  const spaces = new Set<StorageSpace>(["meta", "log"]);
  for (const { space } of batch.ops) spaces.add(space);
  const begun = connection.begin([...spaces], "readwrite", batch.durability);
  const transaction = begun instanceof Promise ? await begun : begun;
  // The key of a log page is its revision: if `add` succeeds, no other writer has committed, and the guard need not be read.
  // That holds only for a database that was checked recently, not for one that was emptied since.
  const page = batch.ops.find(isPage);
  const adds = connection.isChecked && page !== undefined;
  // The guard need not be written either: the page implies it. Each request is a fifth of the time of a small commit.
  const tells = adds && says(page.key, batch.guard, batch.next);
  const carried = page && carriedBy(batch);
  // Removing a record from inside a page needs a lookup first, so such a commit ends automatically; so does one of several
  // groups.
  const isComplete = batch.ops.length <= GROUP && !batch.ops.some(takesRecords);
  return new Promise((resolve, reject) => {
    let refused = false;
    transaction.oncomplete = () => {
      if (!adds) connection.checked();
      resolve(true);
      tryEarlyEnd(transaction.db, "meta");
    };
    // Only `complete` reports every failure: a full disk raises no `error` (F5).
    transaction.onabort = () => {
      refused ||= adds && transaction.error?.name === "ConstraintError";
      if (refused) resolve(false);
      else reject(connection.failed(transaction.error));
    };
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        // Otherwise the requests issued so far would be committed automatically.
        reject(connection.failed(error));
        transaction.abort();
      }
    };
    const ops = batch.ops.values();
    // A completed request keeps the transaction open for requests that its event handler issues.
    const issue = () => {
      let left = GROUP;
      for (const op of ops) {
        if (op === carried) continue;
        const request = op === page ? putPage(op) : apply(transaction, op);
        if (!request || --left > 0) continue;
        request.onsuccess = () => guarded(issue);
        return;
      }
      if (!tells) transaction.objectStore("meta").put(batch.next, batch.guard as BufferSource);
      if (adds && isComplete) endEarly(transaction);
    };
    const putPage = ({ key, value }: Put) => {
      const stored = carried ? carrying(value, carried) : value;
      return transaction.objectStore("log")[adds ? "add" : "put"](stored, key as BufferSource);
    };
    guarded(() => {
      if (!adds) {
        const meta = transaction.objectStore("meta");
        const held: IDBRequest<Uint8Array | undefined> = meta.get(batch.guard as BufferSource);
        const asked = lastPage(transaction, batch.guard);
        asked.onsuccess = () => {
          refused = !areSame(later(batch.guard, held.result, asked.result), batch.expected);
          // The read and the writes are issued without an await between them: the read completes first, and no write is
          // committed before its result is checked.
          if (refused) transaction.abort();
          else if (isComplete) endEarly(transaction);
        };
      }
      issue();
    });
  });
}

function isPage(op: StorageOp): op is Put {
  return op.type === "put" && op.space === "log";
}

/** Issues the request of an operation; none if it changes nothing. */
function apply(transaction: IDBTransaction, op: StorageOp): IDBRequest | undefined {
  const store = transaction.objectStore(op.space);
  if (op.type === "put") return store.put(op.value, op.key as BufferSource);
  const wanted = op.type === "delete" ? (op.key as BufferSource) : query(op.range);
  if (!wanted) return undefined;
  const request = store.delete(wanted);
  if (takesRecords(op)) strip(transaction, wanted);
  return request;
}

/** The `IDBKeyRange` of a range; `undefined` if the range is empty. */
function query({ start, end }: StorageRange): IDBKeyRange | undefined {
  if (end === undefined) return IDBKeyRange.lowerBound(start);
  if (indexedDB.cmp(start, end) >= 0) return undefined;
  return IDBKeyRange.bound(start, end, false, true);
}

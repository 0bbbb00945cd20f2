// The storage in a browser: one database, one object store a space, one transaction a commit.

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
  return Promise.all(
    keys.map(async (key) => {
      const asked = answer<Stored | undefined>(store.get(key as BufferSource));
      const found = asked.then((stored) => stored && pageOf(stored));
      if (space === "meta") return current(transaction, key, found);
      const value = await found;
      return value === undefined && space === "records" ? getCarried(transaction, key) : value;
    }),
  );
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

/** How many requests of a commit are issued in one go: a large batch would block the page until the last of them. */
const GROUP = 256;

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
  const carried = page && carriedBy(batch);
  // A record within a page is taken out of it once it is found: such a commit ends by itself, and so does one of several
  // groups.
  const isComplete = batch.ops.length <= GROUP && !batch.ops.some(takesRecords);
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
      else reject(connection.failed(transaction.error));
    };
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        // The requests issued before must not be committed by themselves.
        reject(connection.failed(error));
        transaction.abort();
      }
    };
    const ops = batch.ops.values();
    // A request that is answered keeps the transaction open for those that its event issues.
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
          // Nothing was waited for between the question and the writes: its answer comes before theirs, and none of them
          // is kept before it has been looked at.
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

/** Issues what a change asks for; nothing if it changes nothing. */
function apply(transaction: IDBTransaction, op: StorageOp): IDBRequest | undefined {
  const store = transaction.objectStore(op.space);
  if (op.type === "put") return store.put(op.value, op.key as BufferSource);
  const wanted = op.type === "delete" ? (op.key as BufferSource) : query(op.range);
  if (!wanted) return undefined;
  const request = store.delete(wanted);
  if (takesRecords(op)) strip(transaction, wanted);
  return request;
}

/** The browser's word for a range; none if nothing can be in it. */
function query({ start, end }: StorageRange): IDBKeyRange | undefined {
  if (end === undefined) return IDBKeyRange.lowerBound(start);
  if (indexedDB.cmp(start, end) >= 0) return undefined;
  return IDBKeyRange.bound(start, end, false, true);
}

// Records stored inside a log page. Each request is a fifth of the time of a small commit, so a commit that adds one record,
// as each message does, stores it together with its page in one request. An index over the pages finds the record by its
// key.

import type { StorageBatch, StorageOp } from "../adapter.js";
import { answer } from "./request.js";

/** A `put` operation. */
export type Put = StorageOp & { type: "put" };

/** A key and its value. */
export type Item = [key: Uint8Array, value: Uint8Array];

/** A value in the log: a page, or a page with one record. */
export type Stored = Uint8Array | Carrying;

interface Carrying {
  page: Uint8Array;
  key: Uint8Array;
  value: Uint8Array;
}

/** The index of the log by the keys of records inside pages. Pages without a record are not in it. */
const INDEX = "carried";

/** How many pages are rewritten at a time. */
const SOME = 500;

/** Creates the index, if it does not exist. */
export function prepare(log: IDBObjectStore): void {
  if (!isPrepared(log)) log.createIndex(INDEX, "key");
}

/** Whether the index exists. */
export function isPrepared(log: IDBObjectStore): boolean {
  return log.indexNames.contains(INDEX);
}

/**
 * The record that is stored inside the page of a batch, if there is one. A batch with deletions has none: its lookup of
 * records inside pages runs while the other requests are written.
 */
export function carriedBy({ ops }: StorageBatch): Put | undefined {
  if (ops.some(takesRecords)) return undefined;
  return ops.find((op): op is Put => op.type === "put" && op.space === "records" && op.isNew === true);
}

/** Whether an operation deletes. */
export function takesRecords(op: StorageOp): boolean {
  return op.type !== "put" && op.space === "records";
}

/** The stored value of a page with a record. */
export function carrying(page: Uint8Array, { key, value }: Put): Carrying {
  // A copy: a key may be a view, and its whole buffer would be stored.
  return { page, key: key.slice(), value };
}

/** The page without the record. */
export function pageOf(stored: Stored): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.page;
}

/** The record with this key, if it is inside a page. */
export async function getCarried(
  transaction: IDBTransaction,
  key: Uint8Array,
): Promise<Uint8Array | undefined> {
  const found = await answer<Carrying | undefined>(index(transaction).get(key as BufferSource));
  return found?.value;
}

/** The records of a range that are inside pages, in key order. */
export async function scanCarried(
  transaction: IDBTransaction,
  range: IDBKeyRange,
  count: number,
): Promise<Item[]> {
  const found = await answer<Carrying[]>(index(transaction).getAll(range, count));
  return found.map(({ key, value }) => [key, value]);
}

/** Merges two sorted arrays of items. */
export function merged(own: Item[], carried: Item[]): Item[] {
  if (carried.length === 0) return own;
  if (own.length === 0) return carried;
  return [...own, ...carried].sort(([one], [other]) => indexedDB.cmp(one, other));
}

/** Removes the records of a range, or of one key, from their pages. The pages stay. */
export function strip(transaction: IDBTransaction, wanted: IDBKeyRange | BufferSource): void {
  const found: IDBRequest<Carrying[]> = index(transaction).getAll(wanted, SOME);
  const pages = index(transaction).getAllKeys(wanted, SOME);
  // Both requests have completed then, and the transaction stays open while it has requests.
  pages.onsuccess = () => {
    for (const [at, { page }] of found.result.entries()) {
      transaction.objectStore("log").put(page, pages.result[at]);
    }
    if (found.result.length === SOME) strip(transaction, wanted);
  };
}

function index(transaction: IDBTransaction): IDBIndex {
  return transaction.objectStore("log").index(INDEX);
}

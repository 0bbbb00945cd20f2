// Records that lie within a page of the log. Each request is a fifth of a small commit, so one that adds a record, as each
// message does, stores it together with its page: one request. An index over the pages finds the record by its key.

import type { StorageBatch, StorageOp } from "../adapter.js";
import { answer } from "./request.js";

/** A change that writes a value. */
export type Put = StorageOp & { type: "put" };

/** A key and its value. */
export type Item = [key: Uint8Array, value: Uint8Array];

/** What the log holds: a page, or a page and the record that came with it. */
export type Stored = Uint8Array | Carrying;

interface Carrying {
  page: Uint8Array;
  key: Uint8Array;
  value: Uint8Array;
}

/** The index of the log by the keys of the records within its pages. Pages alone are not in it. */
const INDEX = "carried";

/** How many pages are changed at once. */
const SOME = 500;

/** Makes the index, if it is not there. */
export function prepare(log: IDBObjectStore): void {
  if (!isPrepared(log)) log.createIndex(INDEX, "key");
}

/** Whether the index is there. */
export function isPrepared(log: IDBObjectStore): boolean {
  return log.indexNames.contains(INDEX);
}

/**
 * The record that goes into the page of a batch, if one does. A batch that takes records away carries none: those that lie
 * within pages are looked for while the others are being written.
 */
export function carriedBy({ ops }: StorageBatch): Put | undefined {
  if (ops.some(takesRecords)) return undefined;
  return ops.find((op): op is Put => op.type === "put" && op.space === "records" && op.isNew === true);
}

/** Whether a change takes records away. */
export function takesRecords(op: StorageOp): boolean {
  return op.type !== "put" && op.space === "records";
}

/** What is stored of a page that carries a record. */
export function carrying(page: Uint8Array, { key, value }: Put): Carrying {
  // A key may be a part of a larger buffer, all of which would be stored.
  return { page, key: key.slice(), value };
}

/** The page itself. */
export function pageOf(stored: Stored): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.page;
}

/** The record under a key, if a page carries it. */
export async function getCarried(
  transaction: IDBTransaction,
  key: Uint8Array,
): Promise<Uint8Array | undefined> {
  const found = await answer<Carrying | undefined>(index(transaction).get(key as BufferSource));
  return found?.value;
}

/** The records of a range that pages carry, in the order of their keys. */
export async function scanCarried(
  transaction: IDBTransaction,
  range: IDBKeyRange,
  count: number,
): Promise<Item[]> {
  const found = await answer<Carrying[]>(index(transaction).getAll(range, count));
  return found.map(({ key, value }) => [key, value]);
}

/** Both in the order of their keys. */
export function merged(own: Item[], carried: Item[]): Item[] {
  if (carried.length === 0) return own;
  if (own.length === 0) return carried;
  return [...own, ...carried].sort(([one], [other]) => indexedDB.cmp(one, other));
}

/** Takes the records of a range, or of one key, out of their pages. The pages stay. */
export function strip(transaction: IDBTransaction, wanted: IDBKeyRange | BufferSource): void {
  const found: IDBRequest<Carrying[]> = index(transaction).getAll(wanted, SOME);
  const pages = index(transaction).getAllKeys(wanted, SOME);
  // Both are answered then, and the transaction goes on as long as something is asked of it.
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

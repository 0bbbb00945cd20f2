// The effective revision of a guard: its stored value or the last page of its log, whichever is newer. A commit that adds a
// log page does not write the guard.

import { areSame, concatenated } from "../../base/bytes.js";
import type { StorageSpace } from "../adapter.js";
import { answer } from "./request.js";

/** The length of a revision in bytes. The key of a log page is the key of its guard, followed by the revision. */
const REVISION = 8;

/** Whether a log page with this key implies the guard value `next`. */
export function says(page: Uint8Array, guard: Uint8Array, next: Uint8Array): boolean {
  const revision = page.subarray(guard.length);
  return areSame(revision, next) && areSame(page.subarray(0, guard.length), guard);
}

/** The object stores to open with a space: the log has effective revisions, and records inside its pages. */
export function readWith(space: StorageSpace): StorageSpace[] {
  return space === "meta" || space === "records" ? [space, "log"] : [space];
}

/** The value of a key in `meta`; for a guard its effective revision. */
export async function current(
  transaction: IDBTransaction,
  key: Uint8Array,
  held: Uint8Array | undefined | Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  const [value, last] = await Promise.all([held, answer(lastPage(transaction, key))]);
  return later(key, value, last);
}

/** Requests the last page of a guard's log. */
export function lastPage(transaction: IDBTransaction, guard: Uint8Array): IDBRequest<IDBCursor | null> {
  const end = (byte: number) => concatenated([guard, new Uint8Array(REVISION).fill(byte)]);
  return transaction.objectStore("log").openKeyCursor(IDBKeyRange.bound(end(0), end(0xff)), "prev");
}

/** The effective revision of a guard: its stored value, or the last page, which may be newer. */
export function later(
  guard: Uint8Array,
  held: Uint8Array | undefined,
  last: IDBCursor | null,
): Uint8Array | undefined {
  if (!last || (held && held.length !== REVISION)) return held;
  const page = new Uint8Array(last.key as ArrayBuffer);
  const revision = page.slice(guard.length);
  // Also if the guard is missing: the log proves that the data is stored.
  return revision.length === REVISION && !(held && indexedDB.cmp(revision, held) <= 0) ? revision : held;
}

// What a guard stands for: the revision that it holds, or that of the last page of its log. A commit that adds its page does
// not write the guard as well.

import { areSame, concatenated } from "../../base/bytes.js";
import type { StorageSpace } from "../adapter.js";
import { answer } from "./request.js";

/** How long a revision is. A page of the log has the key of its guard, and its revision after it. */
const REVISION = 8;

/** Whether a page with this key says that the guard stands for `next`. */
export function says(page: Uint8Array, guard: Uint8Array, next: Uint8Array): boolean {
  const revision = page.subarray(guard.length);
  return areSame(revision, next) && areSame(page.subarray(0, guard.length), guard);
}

/** What is read together with a space: the log has what a guard stands for, and records within its pages. */
export function readWith(space: StorageSpace): StorageSpace[] {
  return space === "meta" || space === "records" ? [space, "log"] : [space];
}

/** What is held under a key of `meta`: of a guard, the revision that it stands for. */
export async function current(
  transaction: IDBTransaction,
  key: Uint8Array,
  held: Uint8Array | undefined | Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  const [value, last] = await Promise.all([held, answer(lastPage(transaction, key))]);
  return later(key, value, last);
}

/** Asks for the last page of a guard's log. */
export function lastPage(transaction: IDBTransaction, guard: Uint8Array): IDBRequest<IDBCursor | null> {
  const end = (byte: number) => concatenated([guard, new Uint8Array(REVISION).fill(byte)]);
  return transaction.objectStore("log").openKeyCursor(IDBKeyRange.bound(end(0), end(0xff)), "prev");
}

/** The revision that a guard stands for: what it holds, or that of the last page, which may have been added since. */
export function later(
  guard: Uint8Array,
  held: Uint8Array | undefined,
  last: IDBCursor | null,
): Uint8Array | undefined {
  if (!last || (held && held.length !== REVISION)) return held;
  const page = new Uint8Array(last.key as ArrayBuffer);
  const revision = page.slice(guard.length);
  // Also where the guard is gone: what the log says is stored is not given up for that.
  return revision.length === REVISION && !(held && indexedDB.cmp(revision, held) <= 0) ? revision : held;
}

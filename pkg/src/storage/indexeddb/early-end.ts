// Calling `commit()` on a transaction before its requests have completed is faster than the automatic commit. It is safe
// only if a request that fails afterwards still aborts the whole transaction. Firefox checks only the last request and keeps
// the others, which is half a commit; so this is probed once per page.

/** The result of the probe, and whether it has run. */
let tried = false;
let safe = false;

/** A key that no record has: all others are bytes. */
const TRIAL = "trial";

/** Commits a transaction that gets no more requests, where that is safe. Elsewhere the browser commits it. */
export function endEarly(transaction: IDBTransaction): void {
  if (safe) transaction.commit();
}

/** Probes with a store of an open database. Nothing is written in any case. */
export function tryEarlyEnd(database: IDBDatabase, space: string): void {
  if (tried) return;
  tried = true;
  try {
    const transaction = database.transaction(space, "readwrite", { durability: "relaxed" });
    const store = transaction.objectStore(space);
    store.add(0, TRIAL);
    store.add(0, TRIAL);
    store.delete(TRIAL);
    transaction.onabort = () => {
      safe = transaction.error?.name === "ConstraintError";
    };
    transaction.commit();
  } catch {
    // The database is closing, or has no `commit()`: transactions are not committed early.
  }
}

// To end a transaction before its requests are answered is sooner than the browser would by itself. It is only safe where
// a request that fails afterwards still undoes all of them. Firefox looks at the last one and keeps the others, half of a
// commit; so that is tried out, once in the life of a page.

/** Whether that was tried, and whether it is safe here. */
let tried = false;
let safe = false;

/** Nobody has such a key: all others are bytes. */
const TRIAL = "trial";

/** Ends a transaction to which nothing is added any more, where that is safe. Elsewhere the browser does it. */
export function endEarly(transaction: IDBTransaction): void {
  if (safe) transaction.commit();
}

/** Tries it out with a store of a database that is open. Nothing is written, whatever comes out. */
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
    // It is being closed, or cannot do this at all: nothing is ended early.
  }
}

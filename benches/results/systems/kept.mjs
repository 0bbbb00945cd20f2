// One value by name in IndexedDB: where a library that has only an index in memory keeps it between two visits.

const DATABASE = "kept-indexes";
const STORE = "values";

export async function keep(name, value) {
  const database = await opened();
  await new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "relaxed" });
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
    transaction.objectStore(STORE).put(value, name);
  });
  database.close();
}

export async function kept(name) {
  const database = await opened();
  const value = await answer(database.transaction(STORE).objectStore(STORE).get(name));
  database.close();
  return value;
}

function opened() {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return answer(opening);
}

/** The result of a request of IndexedDB. */
export const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

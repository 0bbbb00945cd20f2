// IndexedDB alone: no index of words. A search is a scan that counts the words of the question in each text.

import { answer } from "./kept.mjs";
import { best } from "./scan.mjs";

const STORE = "documents";

export async function open(name) {
  const opening = indexedDB.open(`raw-${name}`, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "id" });
  const database = await answer(opening);
  const put = (documents) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, "readwrite", { durability: "relaxed" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      const store = transaction.objectStore(STORE);
      for (const document of documents) store.put(document);
    });
  return {
    batch: "put, all in one transaction",
    addMany: put,
    addOne: (document) => put([document]),
    async search(text, limit) {
      return best(await answer(database.transaction(STORE).objectStore(STORE).getAll()), text, limit);
    },
    close: () => database.close(),
  };
}

export const reopen = open;

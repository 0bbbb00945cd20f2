// Requests of IndexedDB as promises.

import { meaning } from "./failures.js";

/** The result of a request. */
export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(meaning(request.error));
  });
}

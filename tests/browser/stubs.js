// Replaces methods of the browser, and does to databases what only browsers and other tabs do. All names are those of an app.

const undone = [];
let tried = 0;
let opened = [];
let asked = [];

const databaseName = (name) => `keepsake/${name}`;

/** Replaces a method until `restore`. */
function replace(prototype, method, make) {
  const original = prototype[method];
  prototype[method] = make(original);
  undone.push(() => {
    prototype[method] = original;
  });
}

export function restore() {
  for (const undo of undone.splice(0).reverse()) undo();
}

export function attempts() {
  return tried;
}

export function failToOpen(name, message) {
  tried = 0;
  replace(IDBFactory.prototype, "open", () => () => {
    tried += 1;
    const request = Object.create(IDBOpenDBRequest.prototype, {
      error: { value: new DOMException(message, name) },
      onsuccess: { writable: true },
      onerror: { writable: true },
      onblocked: { writable: true },
      onupgradeneeded: { writable: true },
    });
    setTimeout(() => request.onerror?.(new Event("error")));
    return request;
  });
}

export function noIndexedDb(throws) {
  const own = Object.getOwnPropertyDescriptor(globalThis, "indexedDB");
  const get = () => {
    if (throws) throw new DOMException("no", "SecurityError");
    return undefined;
  };
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, get });
  undone.push(() => Object.defineProperty(globalThis, "indexedDB", own));
}

export function failUpgrades() {
  replace(IDBObjectStore.prototype, "createIndex", () => () => {
    throw new DOMException("gone", "UnknownError");
  });
}

export function exceedQuota() {
  const full = new DOMException("full", "QuotaExceededError");
  const aborting = (original) =>
    function (...args) {
      const request = original.apply(this, args);
      const { transaction } = this;
      request.addEventListener("success", () => {
        if (transaction.error) return;
        Object.defineProperty(transaction, "error", { configurable: true, value: full });
        transaction.abort();
      });
      return request;
    };
  for (const method of ["put", "add"]) replace(IDBObjectStore.prototype, method, aborting);
  // One that is ending can no longer be aborted from here.
  replace(IDBTransaction.prototype, "commit", () => () => {});
}

export function note() {
  opened = [];
  asked = [];
  replace(
    IDBFactory.prototype,
    "open",
    (open) =>
      function (...args) {
        const request = open.apply(this, args);
        request.addEventListener("success", () => opened.push(request.result));
        return request;
      },
  );
  replace(
    IDBDatabase.prototype,
    "transaction",
    (begin) =>
      function (names, mode, options) {
        if (mode === "readwrite") asked.push(options?.durability ?? "default");
        return begin.call(this, names, mode, options);
      },
  );
}

export function closeOpened(lastButOne, last) {
  if (lastButOne) opened.at(-2).close();
  if (last) opened.at(-1).close();
}

export function durabilities() {
  return asked;
}

function open(name, version, upgrade) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName(name), version);
    request.onupgradeneeded = () => upgrade?.(request);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function deafConnection(name) {
  return open(name);
}

export async function raiseVersion(name, version, withoutIndex) {
  const database = await open(name, version, ({ result, transaction }) => {
    result.createObjectStore("from the future");
    if (withoutIndex) transaction.objectStore("log").deleteIndex("carried");
  });
  database.close();
}

export function deleteDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName(name));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

export async function firstSchema(name, items) {
  const spaces = ["meta", "records", "bodies", "log", "index"];
  const database = await open(name, 1, ({ result }) => {
    for (const space of spaces) result.createObjectStore(space);
  });
  await new Promise((resolve) => {
    const transaction = database.transaction(spaces, "readwrite");
    for (const [space, key, value] of items) transaction.objectStore(space).put(value, key);
    transaction.oncomplete = resolve;
  });
  database.close();
}

export async function dumpLog(name) {
  const database = await open(name);
  const pages = await new Promise((resolve) => {
    database.transaction("log").objectStore("log").getAll().onsuccess = ({ target }) =>
      resolve(target.result);
  });
  database.close();
  return [pages.filter((page) => !(page instanceof Uint8Array)).length, pages.length];
}

// A page in which the storage can be called by itself: batches to commit, and what plain IndexedDB says of them.

/** Runs work in a page of `browser` that has what these tests need. */
export const storagePage = (browser) => async (work) => {
  const page = await browser.tab();
  await page.evaluate(prepare);
  try {
    return await page.evaluate(work);
  } finally {
    await page.close();
  }
};

const prepare = async () => {
  const { databaseName, indexedDb } = await import("/target/web-testing/inner.js");
  const key = (text) => new TextEncoder().encode(text);
  const revision = (number) => new Uint8Array([0, 0, 0, 0, 0, 0, 0, number]);
  /** Puts one record on the revision `base`. */
  const put = (base, name, durability = "relaxed") => ({
    guard: key("tenant"),
    expected: base === 0 ? undefined : revision(base),
    next: revision(base + 1),
    ops: [{ type: "put", space: "records", key: key(name), value: key(name) }],
    durability,
  });
  const raw = (name, version, upgrade) =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(databaseName(name), version);
      request.onupgradeneeded = () => upgrade?.(request);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  /** Empties stores by hand, all of them if not said. */
  const empty = async (name, spaces) => {
    const database = await raw(name);
    const names = spaces ?? [...database.objectStoreNames];
    await new Promise((resolve) => {
      const transaction = database.transaction(names, "readwrite");
      for (const space of names) transaction.objectStore(space).clear();
      transaction.oncomplete = resolve;
    });
    database.close();
  };
  const code = (promise) =>
    promise.then(
      () => "ok",
      (error) => (error instanceof DOMException ? error.name : error.code),
    );
  const read = async (store, name) => {
    const [found] = await store.get("records", [key(name)]);
    return found && new TextDecoder().decode(found);
  };
  /** As the core writes a message: a record that is new, and the page of its commit, which says what the guard would. */
  const said = (base, name) => {
    const batch = put(base, name);
    const page = new Uint8Array([...batch.guard, ...batch.next]);
    batch.ops[0].isNew = true;
    batch.ops.push({ type: "put", space: "log", key: page, value: key(`page of ${name}`) });
    return batch;
  };
  /** What is stored, with bytes as text, by object store. */
  const dump = async (name) => {
    const database = await raw(name);
    const stores = [...database.objectStoreNames];
    const transaction = database.transaction(stores);
    const text = (bytes) => new TextDecoder().decode(bytes);
    const shown = (value) =>
      value instanceof Uint8Array
        ? text(value)
        : Object.fromEntries(Object.entries(value).map(([field, bytes]) => [field, text(bytes)]));
    const all = await Promise.all(
      stores.map(
        (store) =>
          new Promise((resolve) => {
            transaction.objectStore(store).getAll().onsuccess = ({ target }) =>
              resolve([store, target.result.map(shown)]);
          }),
      ),
    );
    database.close();
    return Object.fromEntries(all);
  };
  const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
  Object.assign(globalThis, { databaseName, indexedDb, key, put, said, raw, empty, dump, code, read, sleep });
};

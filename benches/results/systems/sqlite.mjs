// SQLite's own wasm build with FTS5. In a page it is in a worker, on the origin private file system; in Node in memory.

import { database } from "./sqlite-database.mjs";

export const { open, reopen } = { open: start, reopen: start };

async function start(name) {
  if (typeof Worker === "undefined") {
    const { default: initialise } = await import("@sqlite.org/sqlite-wasm");
    return database(await initialise(), name);
  }
  const worker = new Worker("/rivals/sqlite/sqlite-worker.js", { type: "module" });
  const waiting = new Map();
  let last = 0;
  const failed = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.onerror = ({ message }) => failed(new Error(message ?? "the worker did not start"));
  worker.onmessage = ({ data: { ticket, result, error } }) => {
    const { resolve, reject } = waiting.get(ticket);
    waiting.delete(ticket);
    if (error === undefined) resolve(result);
    else reject(new Error(error));
  };
  const call = (verb, ...given) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      worker.postMessage({ ticket: last, verb, given });
    });
  const storage = await call("open", name);
  return {
    storage,
    batch: "INSERT, all in one transaction",
    addMany: (documents) => call("addMany", documents),
    addOne: (document) => call("addOne", document),
    search: (text, limit) => call("search", text, limit),
    wasm: () => call("wasm"),
    async close() {
      await call("close");
      worker.terminate();
    },
  };
}

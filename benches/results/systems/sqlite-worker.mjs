// The worker that SQLite runs in: calls come as messages with a ticket, and answers go back with the same one.

import initialise from "@sqlite.org/sqlite-wasm";
import { database } from "./sqlite-database.mjs";

let opened;

const verbs = {
  async open(name) {
    opened = database(await initialise(), name);
    return opened.storage;
  },
};

self.onmessage = async ({ data: { ticket, verb, given } }) => {
  try {
    const result = await (verbs[verb] ?? opened[verb])(...given);
    self.postMessage({
      ticket,
      result: typeof result === "object" && !Array.isArray(result) ? undefined : result,
    });
  } catch (error) {
    self.postMessage({ ticket, error: error.message });
  }
};

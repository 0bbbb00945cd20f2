// IndexedDB alone, with a transaction for each document: what a batch costs without a batch.

import * as raw from "./indexeddb.mjs";

export async function open(name) {
  const handle = await raw.open(`each-${name}`);
  return {
    ...handle,
    batch: "put, one transaction each",
    async addMany(documents) {
      for (const document of documents) await handle.addOne(document);
    },
  };
}

export const reopen = open;

// Dexie: IndexedDB with a friendlier interface. It has no index of texts, so a search is a scan of the table.

import { best } from "./scan.mjs";

export async function open(name) {
  const { default: Dexie } = await import("dexie");
  const database = new Dexie(`dexie-${name}`, { chromeTransactionDurability: "relaxed" });
  database.version(1).stores({ documents: "id" });
  await database.open();
  const { documents } = database;
  return {
    batch: "bulkPut",
    addMany: (all) => documents.bulkPut(all),
    addOne: (document) => documents.put(document),
    search: async (text, limit) => best(await documents.toArray(), text, limit),
    close: () => database.close(),
  };
}

export const reopen = open;

// The storage stands where Mastra takes one.

import { Mastra } from "@mastra/core";
import { InMemoryStore, type MastraCompositeStore, type MemoryStorage } from "@mastra/core/storage";
import type { Memory } from "keepsake";
import { KeepsakeMemoryStorage, keepsakeStore } from "keepsake/mastra";

export function store(memory: Memory): unknown[] {
  const domain: MemoryStorage = new KeepsakeMemoryStorage(memory, { collection: "mastra" });
  const storage: MastraCompositeStore = keepsakeStore(memory, { default: new InMemoryStore() });
  return [
    domain,
    new Mastra({ storage }),
    // @ts-expect-error: no such option
    keepsakeStore(memory, { path: "x" }),
    // @ts-expect-error: a memory is needed
    keepsakeStore({}),
    // @ts-expect-error: a store of Mastra's
    keepsakeStore(memory, { default: memory }),
  ];
}

export async function read(storage: KeepsakeMemoryStorage): Promise<string | undefined> {
  const [hit] = await storage.searchMessages("tea", { threadId: "t", limit: 1 });
  // @ts-expect-error: a text
  await storage.searchMessages(7);
  const { messages } = await storage.listMessages({ threadId: "t", perPage: false });
  return hit?.message.threadId ?? messages[0]?.resourceId;
}

// The class of keepsake/mem0 stands where an app has mem0's own: its methods are those, and take and answer the same.

import type { Memory as Keepsake } from "keepsake";
import { Memory, type MemoryItem } from "keepsake/mem0";
import type { MemoryItem as TheirItem, Memory as Theirs } from "mem0ai/oss";

type Methods = "add" | "get" | "search" | "update" | "delete" | "deleteAll" | "history" | "getAll" | "reset";

export async function asTheirs(keepsake: Keepsake): Promise<TheirItem[]> {
  const memory: Pick<Theirs, Methods> = new Memory({ memory: keepsake });
  await memory.add([{ role: "user", content: "hello" }], { userId: "u", infer: false, metadata: { a: 1 } });
  const { results } = await memory.search("x", { filters: { user_id: "u", price: { gt: 1 } }, topK: 1 });
  const own: MemoryItem = { id: "1", memory: "x", metadata: { a: [1] } };
  return [...results, own];
}

// Each method takes whatever theirs takes, but for what the open-source class refuses as well.
type Parameters1<K extends "update" | "delete" | "deleteAll" | "getAll"> = Parameters<Theirs[K]>;
export const taken = (memory: Memory, all: Parameters1<"deleteAll">, one: Parameters1<"update">) => [
  memory.deleteAll(...all),
  memory.update(...one),
];

export function wrong(keepsake: Keepsake): unknown[] {
  const memory = new Memory({ open: async () => keepsake });
  return [
    // @ts-expect-error: a memory, or a way to open one, is needed
    new Memory({}),
    // @ts-expect-error: a memory of this library
    new Memory({ memory }),
    // @ts-expect-error: ids stand in filters
    memory.search("x", { userId: "u" }),
    // @ts-expect-error: a number
    memory.getAll({ topK: "3", filters: { user_id: "u" } }),
    // @ts-expect-error: whose they are has to be said
    memory.deleteAll(),
    // @ts-expect-error: no such option
    memory.update("x", { txet: "y" }),
    // @ts-expect-error: what JSON cannot hold
    memory.add("x", { userId: "u", metadata: { f: () => 1 } }),
  ];
}

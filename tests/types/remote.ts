// A memory that is served elsewhere: the types of a memory here.

import type { Memory, MemoryEntry, MemoryHit } from "keepsake";
import { MemoryError, RemoteError, type RemoteMemory, remoteMemory } from "keepsake/remote";

interface Note {
  [key: string]: string;
  author: string;
}

export async function use(signal: AbortSignal): Promise<void> {
  const memory: RemoteMemory<Note, "drafts"> = remoteMemory({
    url: "https://memory.example",
    token: () => "t",
  });
  const draft = { namespace: "drafts", metadata: { author: "ann" } } as const;
  const entry: MemoryEntry<Note, "drafts"> = await memory.add("x", draft, { signal, idempotencyKey: "k" });
  const author: string = entry.metadata.author;
  const hits: MemoryHit<"drafts">[] = await memory.search(author, { limit: 1 }, { signal });
  const talk = memory.session("s", { agent: "a" });
  const one = await talk.append({ role: "user", content: String(hits.length) }, { signal });
  const { messages } = await talk.context({ format: "anthropic" });
  const box = memory.collection<{ n: number }>("box");
  const value = await box.update("a", (before) => ({ n: (before?.n ?? 0) + 1 }));
  console.log(one.id, messages.system, value?.n);
  // @ts-expect-error: there is no such namespace
  await memory.add("x", { namespace: "else" });
  // @ts-expect-error: a text is needed
  await memory.add(7);
  // @ts-expect-error: no such role
  await talk.append({ role: "king", content: "x" });
  // @ts-expect-error: another kind of value
  await box.set("a", { n: "1" });
  // @ts-expect-error: a token is needed
  remoteMemory({ url: "https://memory.example" });
  // @ts-expect-error: what is elsewhere is closed there
  await memory.close();
}

/** What needs no more than these verbs takes a memory from here or from elsewhere. */
export async function either(memory: Pick<Memory, "add" | "search" | "sessions" | "entries">): Promise<void> {
  await memory.add("x");
}

export function taken(error: unknown): string {
  const remote = remoteMemory({ url: "https://memory.example", token: "t" });
  void either(remote);
  if (error instanceof RemoteError) return `${error.status} ${error.reason} ${error.field}`;
  return error instanceof MemoryError ? error.code : "";
}

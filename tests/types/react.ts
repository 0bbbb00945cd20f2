// The React hooks, tried by the compiler: what is right compiles, and what is wrong does not. Nothing here runs.

import type { Memory, MemoryEntry, MemoryHit, Message, Session } from "keepsake";
import {
  type EntriesState,
  type MemoryState,
  type SearchState,
  type SessionState,
  type UseMemoryOptions,
  useEntries,
  useMemory,
  useSearch,
  useSession,
} from "keepsake/react";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

type Page = { page: number };

export function useMemories(worker: Worker): void {
  const state = useMemory({ user: "u-1" });
  same<MemoryState, typeof state>(true);
  same<Memory | undefined, typeof state.memory>(true);
  same<"loading" | "ready" | "failed", typeof state.status>(true);
  if (state.status === "ready") same<Memory, typeof state.memory>(true);
  if (state.memory) same<"ready", typeof state.status>(true);
  const typed = useMemory<Page>({ user: "u-1", name: "app", storage: "indexeddb" });
  same<Memory<Page> | undefined, typeof typed.memory>(true);
  const noted = useMemory({ user: "u-1", config: { namespaces: { notes: { ttlDays: 1 } } } });
  void noted.memory?.clear("notes");
  useMemory({ user: "u-1", worker, timeout: 1000 });
  useMemory({ user: "u-1", worker: () => new Worker("worker.js", { type: "module" }) });
  useMemory({ user: "u-1", worker: () => new SharedWorker("worker.js") });
  const options: UseMemoryOptions = { user: "u-1", embedder: async (texts) => texts.map(() => [1]) };
  useMemory(options);

  // @ts-expect-error: there is no memory without a user
  useMemory({});
  // @ts-expect-error: no such option
  useMemory({ user: "u-1", tenant: "t-1" });
  // @ts-expect-error: tokens are counted in the worker
  useMemory({ user: "u-1", worker, countTokens: (text: string) => text.length });
  // @ts-expect-error: a function that makes no worker
  useMemory({ user: "u-1", worker: () => "worker.js" });
  // @ts-expect-error: it may not be there yet
  state.memory.list();
  // @ts-expect-error: not a namespace of this memory
  void state.memory?.clear("notes");
}

export function useConversations(memory: Memory<Page, "notes"> | undefined): void {
  const state = useSession(memory, "s-1", { agent: "helper", limit: 10, compression: "progressive" });
  same<SessionState, typeof state>(true);
  same<Message[], typeof state.messages>(true);
  same<Session | undefined, typeof state.session>(true);
  useSession(undefined, "s-1");
  // @ts-expect-error: which one?
  useSession(memory);
  // @ts-expect-error: no such option
  useSession(memory, "s-1", { before: "m-1" });
}

export function useSearches(memory: Memory<Page, "notes"> | undefined, plain: Memory): void {
  const state = useSearch(memory, "query", { limit: 3, namespace: "notes" });
  same<SearchState<"notes">, typeof state>(true);
  same<MemoryHit<"notes">[], typeof state.hits>(true);
  same<MemoryHit[], ReturnType<typeof useSearch<Page, never>>["hits"]>(true);
  // @ts-expect-error: not a namespace of this memory
  useSearch(plain, "query", { namespace: "notes" });
  // @ts-expect-error: a query is a text
  useSearch(memory, 7);
}

export function useLists(memory: Memory<Page, "notes"> | undefined, plain: Memory): void {
  const state = useEntries(memory, { limit: 3, namespace: "notes" });
  same<EntriesState<Page, "notes">, typeof state>(true);
  same<MemoryEntry<Page, "notes">[], typeof state.entries>(true);
  useEntries(undefined);
  // @ts-expect-error: not a namespace of this memory
  useEntries(plain, { namespace: "notes" });
  // @ts-expect-error: no such option
  useEntries(memory, { tags: ["a"] });
}

// Memories in workers, tried by the compiler: what is right compiles, and what is wrong does not. Nothing here runs.

import type { Memory, StorageAdapter } from "keepsake";
import { openMemory, type WorkerOpenOptions, type WorkerTarget } from "keepsake/worker";
import { type ServeOptions, serve } from "keepsake/worker/host";

/** Only `true` can be passed, and only when the two types are the same, down to `readonly` and `any`. */
declare function same<A, B>(
  verdict: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void;

type Page = { page: number };

export async function opening(
  dedicated: Worker,
  shared: SharedWorker,
  service: ServiceWorker,
  port: MessagePort,
  adapter: StorageAdapter,
): Promise<void> {
  const targets: WorkerTarget[] = [dedicated, shared, service, port];
  for (const worker of targets) await openMemory({ user: "u-1", worker });
  const plain = await openMemory({ user: "u-1", worker: dedicated, timeout: 5000 });
  same<Memory, typeof plain>(true);
  const typed = await openMemory<Page>({ user: "u-1", worker: shared, storage: "memory" });
  same<Memory<Page>, typeof typed>(true);
  const config = { namespaces: { notes: { ttlDays: 1 } } };
  await (await openMemory({ user: "u-1", worker: port, config })).clear("notes");
  const options: WorkerOpenOptions = { user: "u-1", worker: service, embedder: async () => [] };
  await openMemory(options);

  // @ts-expect-error: a memory in a worker needs a worker
  await openMemory({ user: "u-1" });
  // @ts-expect-error: a worker, not where its script is
  await openMemory({ user: "u-1", worker: "worker.js" });
  // @ts-expect-error: there is no memory without a user
  await openMemory({ worker: dedicated });
  // @ts-expect-error: tokens are counted in the worker
  await openMemory({ user: "u-1", worker: dedicated, countTokens: (text: string) => text.length });
  // @ts-expect-error: and so is the time
  await openMemory({ user: "u-1", worker: dedicated, now: Date.now });
  // @ts-expect-error: an adapter stays on its thread
  await openMemory({ user: "u-1", worker: dedicated, storage: adapter });
}

export function serving(port: MessagePort): void {
  serve();
  serve({ port });
  const options: ServeOptions = { countTokens: (text) => text.length, now: Date.now };
  same<void, ReturnType<typeof serve>>(true);
  serve(options);
  // @ts-expect-error: what pages bring, they bring with them
  serve({ embedder: async () => [] });
  // @ts-expect-error: no such port
  serve({ port: 7 });
}

// Memories on Cloudflare: storages, objects, and the way to them.

import { type Memory, openMemory, type StorageAdapter } from "keepsake";
import {
  durableObjectStorage,
  type KvLike,
  type KvStorage,
  kvStorage,
  MemoryObject,
  type MemoryObjectOptions,
  memoryGateway,
  memoryOf,
  type ObjectNamespaceLike,
  type ObjectStorageLike,
  publishSnapshot,
} from "keepsake/cloudflare";
import { type MemoryApiOptions, memoryApi, nodeListener } from "keepsake/http";
import type { RemoteMemory } from "keepsake/remote";
import worker from "../../examples/cloudflare-worker/src/worker.js";

interface Env {
  MEMORY: ObjectNamespaceLike;
  MODEL: string;
}

export class Mine extends MemoryObject<Env> {
  protected override settings(): MemoryObjectOptions {
    const model: string = this.env.MODEL;
    return {
      embedder: async (texts) => texts.map(() => [model.length]),
      learn: false,
      maintenanceEvery: 1000,
    };
  }

  async remembered(): Promise<number> {
    const memory: Memory = await this.memory();
    return memory.count();
  }
}

export async function storages(storage: ObjectStorageLike, kv: KvLike): Promise<void> {
  const adapter: StorageAdapter = durableObjectStorage(storage, { table: "memories" });
  await openMemory({ user: "u-42", storage: adapter });
  const snapshot: KvStorage = kvStorage(kv, { name: "team" });
  const consistency: "eventual" = snapshot.consistency;
  await publishSnapshot(adapter, kv, { name: consistency, keepSeconds: 3600 });
  // @ts-expect-error: a name, not a number
  durableObjectStorage(storage, { table: 7 });
  // @ts-expect-error: no storage of an object
  durableObjectStorage({});
  // @ts-expect-error: no namespace of KV
  kvStorage(storage);
}

export async function ways(env: Env, request: Request): Promise<Response> {
  const memory: RemoteMemory = memoryOf(env.MEMORY, "u-42", { retries: 2 });
  await memory.add("x", { namespace: "long-term" });
  // @ts-expect-error: there is no address to be said
  memoryOf(env.MEMORY, "u-42", { url: "https://memory.example" });
  // @ts-expect-error: somebody has to say whose token it is
  memoryGateway({ namespace: env.MEMORY });
  // @ts-expect-error: a user, not a number
  memoryGateway({ namespace: env.MEMORY, authorize: () => 7 });
  const answer: Promise<Response> = worker.fetch(request, { MEMORY: env.MEMORY, TOKENS: "{}" });
  await answer;
  return memoryGateway({ namespace: env.MEMORY, authorize: async (token) => token, origins: "*" })(request);
}

export function served(memory: Memory): void {
  const options: MemoryApiOptions = { authorize: () => "u-42", memory: () => memory, maxBodyBytes: 1000 };
  nodeListener(memoryApi(options));
  // @ts-expect-error: which memory
  memoryApi({ authorize: () => "u-42" });
  // @ts-expect-error: a number
  memoryApi({ ...options, requestsPerMinute: "many" });
}

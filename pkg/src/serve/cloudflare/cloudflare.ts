/**
 * Memories on Cloudflare: one Durable Object per user, an API in front of them, and snapshots in Workers KV.
 *
 * @module keepsake/cloudflare
 */

export { type DurableObjectStorageOptions, durableObjectStorage } from "./durable-object-storage.js";
export { type GatewayOptions, memoryGateway, memoryOf } from "./gateway.js";
export {
  type KvStorage,
  type KvStorageOptions,
  kvStorage,
  type PublishOptions,
  publishSnapshot,
} from "./kv-storage.js";
export { MemoryObject, type MemoryObjectOptions } from "./memory-object.js";
export type {
  AlarmsLike,
  KvLike,
  ObjectNamespaceLike,
  ObjectStorageLike,
  SqlLike,
  StubLike,
} from "./platform.js";

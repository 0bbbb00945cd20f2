/**
 * For pages whose memory runs in a worker: there is no wasm on this thread.
 *
 * @module keepsake/worker
 */

export * from "./api.js";

import { optionsIn } from "../base/errors.js";
import { known } from "../base/options.js";
import type { Memory } from "../memory/memory.js";
import { type OpenOptions, openOn } from "../open/open.js";
import { startIn, type WorkerTarget } from "../open/worker/remote.js";
import type { Metadata } from "../wire/types.js";

export type { WorkerTarget } from "../open/worker/remote.js";
export type { TakesMessages } from "../open/worker/wire.js";

/**
 * How to open a memory in a worker: as everywhere else, but that the storage is one of the worker's, and what the core
 * asks in the middle of its work (`countTokens`, `now`, `random`) is given to `serve` there.
 */
export interface WorkerOpenOptions<N extends string = never>
  extends Omit<OpenOptions<N>, "storage" | "core" | "countTokens" | "now" | "random"> {
  /** Where `serve` was called: a `Worker`, a `SharedWorker`, a `ServiceWorker`, or a `MessagePort` to one of them. */
  worker: WorkerTarget;
  /** How many milliseconds the worker may keep silent before it is given up as `unavailable`. Default: 30,000. */
  timeout?: number | undefined;
  /**
   * Where it is kept: `"indexeddb"`, or `"memory"` (gone with the worker). Default: IndexedDB; where there is none, in
   * memory, with `persistent: false`.
   */
  storage?: "indexeddb" | "memory" | undefined;
}

/** Opens one user's memory in a worker. */
export async function openMemory<M extends Metadata = Metadata, N extends string = never>(
  options: WorkerOpenOptions<N>,
): Promise<Memory<M, N>> {
  known(
    options,
    "worker timeout user name storage config embedder onEmbedderError meaning rerank rerankTop knowledge knowledgeTimeout onKnowledgeError summarizeEntry summarizeEntryTimeout onSummarizeEntryError",
  );
  const { worker, timeout, ...rest } = optionsIn(options);
  return openOn(startIn(worker, timeout), rest);
}

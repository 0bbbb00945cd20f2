/**
 * For pages whose memory runs in a worker: this thread loads no wasm.
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
 * Options of a memory in a worker. The same as elsewhere, except that the storage belongs to the worker, and that
 * `countTokens`, `now` and `random`, which the core calls synchronously, are passed to `serve` there.
 */
export interface WorkerOpenOptions<N extends string = never>
  extends Omit<OpenOptions<N>, "storage" | "core" | "countTokens" | "now" | "random"> {
  /** The worker that calls `serve`: a `Worker`, a `SharedWorker`, a `ServiceWorker`, or a `MessagePort` to one of them. */
  worker: WorkerTarget;
  /** How many milliseconds the worker may be silent before calls fail with `unavailable`. Default: 30,000. */
  timeout?: number | undefined;
  /**
   * The storage: `"indexeddb"`, or `"memory"` (lost with the worker). Default: IndexedDB; where it is not available, in
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

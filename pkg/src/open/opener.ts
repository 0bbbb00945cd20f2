// `openMemory` on engines of this thread.

import type { Memory } from "../memory/memory.js";
import type { Metadata } from "../wire/types.js";
import { type OpenOptions, openOn } from "./open.js";
import { type Load, starter, type TurnsOf } from "./start.js";

/** `openMemory` with a loader for the wasm module, and one for the small module, if there is one. */
export function opener(load: Load, loadFirst?: Load, turns?: TurnsOf) {
  const start = starter(load, loadFirst, turns);
  return function openMemory<M extends Metadata = Metadata, N extends string = never>(
    options: OpenOptions<N>,
  ): Promise<Memory<M, N>> {
    return openOn(start, options);
  };
}

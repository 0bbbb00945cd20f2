// Long calls: how far one has come, and the way to stop it.

/** How a long call is watched. */
export interface WatchOptions {
  /** Called as the work goes on. Default: nothing. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Stops the work between two of its slices, and rejects with its reason: nothing of it is written. Default: never. */
  signal?: AbortSignal | undefined;
}

/** How far a long call has come. */
export interface WorkProgress {
  /** How many steps are done. */
  done: number;
  /** How many there are, as far as is known. */
  total: number;
}

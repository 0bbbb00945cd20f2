// Progress and cancellation of long calls.

/** Options of a long call. */
export interface WatchOptions {
  /** Called with the progress of the work. Default: none. */
  onProgress?: ((progress: WorkProgress) => void) | undefined;
  /**
   * Cancels the work between two slices: the call rejects with the signal's reason, and nothing is written. Default:
   * none.
   */
  signal?: AbortSignal | undefined;
}

/** Progress of a long call. */
export interface WorkProgress {
  /** The number of completed steps. */
  done: number;
  /** The total number of steps, as far as known. */
  total: number;
}

// The default of `onError`.

/** Warns of a failure in the background on the console. */
export function warn(error: unknown): void {
  console.warn("keepsake: ai-sdk:", error);
}

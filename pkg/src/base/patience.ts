// Waiting for a function of the app's: until it answers, is too late, or nobody wants to know any more.

import { MemoryError } from "./errors.js";

/** How long to wait. */
export interface Patience {
  /** The function's name, for the error. */
  name: string;
  /** In milliseconds. */
  timeout: number;
  /** Aborted when the memory is closed. */
  stopped: AbortSignal;
  /** The app's own. */
  signal?: AbortSignal | undefined;
}

/** What `ask` answers. Rejects with its error, or with the reason for which it was not waited for any longer. */
export async function answerOf<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { name, timeout, stopped, signal }: Patience,
): Promise<T> {
  const waiting = new AbortController();
  const stop = () => waiting.abort(new MemoryError("closed", "the memory was closed"));
  const enough = () => waiting.abort(signal?.reason);
  if (stopped.aborted) stop();
  else if (signal?.aborted) enough();
  waiting.signal.throwIfAborted();
  const late = () => waiting.abort(new Error(`\`${name}\` gave no answer in ${timeout} ms`));
  const timer = setTimeout(late, timeout);
  stopped.addEventListener("abort", stop);
  signal?.addEventListener("abort", enough);
  try {
    const aborted = new Promise<never>((_, reject) => {
      waiting.signal.addEventListener("abort", () => reject(waiting.signal.reason));
    });
    return await Promise.race([ask(waiting.signal), aborted]);
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
    signal?.removeEventListener("abort", enough);
  }
}

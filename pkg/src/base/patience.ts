// Awaits a callback of the app, with a timeout and abort signals.

import { MemoryError } from "./errors.js";

/** Options of the wait. */
export interface Patience {
  /** The name of the callback, for the error. */
  name: string;
  /** The timeout in milliseconds. */
  timeout: number;
  /** Aborted when the memory is closed. */
  stopped: AbortSignal;
  /** The signal of the app. */
  signal?: AbortSignal | undefined;
}

/** Resolves with the result of `ask`. Rejects with its error, on a timeout, or with the reason of an aborted signal. */
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
  const late = () => waiting.abort(new Error(`\`${name}\` timed out after ${timeout} ms`));
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

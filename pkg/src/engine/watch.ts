// Calls that report progress and can be cancelled.

import type { WatchOptions, WorkProgress } from "../wire/progress.js";

/** The engine that carries out verbs. */
type Call = (verb: string, args: object) => Promise<unknown>;

let works = 0;

/**
 * Runs a verb that reports progress and can be cancelled. A cancellation after its commit has begun has no effect: the call
 * returns its result.
 */
export async function watched(
  call: Call,
  verb: string,
  args: object,
  { onProgress, signal }: WatchOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  works += 1;
  const work = works;
  const stop = () => void call("stop", { work }).catch(() => {});
  signal?.addEventListener("abort", stop);
  try {
    const running = call("watch", { work, verb, args });
    // An error of the callback rejects the call, after the work that it did not stop.
    const told = onProgress && progressed(call, work, onProgress).then(() => undefined, thrown);
    const { answer } = (await running) as { answer?: unknown };
    const failed = await told;
    if (answer === undefined) signal?.throwIfAborted();
    if (failed) throw failed.error;
    return answer;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

const thrown = (error: unknown) => ({ error });

async function progressed(
  call: Call,
  work: number,
  onProgress: (progress: WorkProgress) => void,
): Promise<void> {
  let seen: WorkProgress | null = { done: 0, total: 0 };
  for (;;) {
    seen = (await call("progress", { work, ...seen })) as WorkProgress | null;
    if (!seen) return;
    onProgress(seen);
  }
}

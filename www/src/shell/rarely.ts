// Throttled work.

const PAUSE_MS = 150;

/**
 * Runs `work` at once on the first call, and once after a pause for all calls in between: a thousand writes per second must
 * not cause a thousand reads. `work` must not reject.
 */
export function rarely(work: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  const run = async () => {
    busy = true;
    do {
      again = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (again);
    busy = false;
  };
  return () => {
    if (busy) again = true;
    else void run();
  };
}

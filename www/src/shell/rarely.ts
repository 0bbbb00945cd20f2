// Work that many events ask for, and that is wanted once for them all.

const PAUSE_MS = 150;

/**
 * Does `work` at once when it is first asked for, and after a pause for all that is asked meanwhile: a thousand writes a
 * second are not a thousand reasons to read everything again. `work` must not reject.
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

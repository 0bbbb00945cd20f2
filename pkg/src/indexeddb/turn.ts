// Turns among the tabs and workers of one origin, by the browser's own locks: in order, and released when a tab ends.

import { toBase64 } from "../bytes.js";

/** How long (ms) to wait before the lock is taken from its holder, which then is a frozen tab. */
const PATIENCE = 5_000;

/** Waits for the turn to write to a database; the answer ends it. Nothing where there are no locks, as in insecure pages. */
export function lockTurn(database: string): ((guard: Uint8Array) => Promise<() => void>) | undefined {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  if (!locks) return undefined;
  return (guard) =>
    new Promise((resolve, reject) => {
      const name = `${database}/${toBase64(guard)}`;
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), PATIENCE);
      let isHeld = false;
      const hold = () => {
        isHeld = true;
        clearTimeout(timer);
        return new Promise<void>(resolve);
      };
      const failed = (error: unknown) => {
        // Once it was held, this only says that somebody else has taken it.
        if (isHeld) return;
        if (patience.signal.aborted) locks.request(name, { steal: true }, hold).catch(reject);
        else reject(error);
      };
      locks.request(name, { signal: patience.signal }, hold).catch(failed);
    });
}

// Turns among the tabs and workers of one origin, by the browser's own locks: in order, and released when a tab ends.

import { toBase64 } from "../base/bytes.js";
import type { StorageAdapter, StorageTurn } from "./adapter.js";

/** How long (ms) to wait before the lock is taken from its holder, which then is a frozen tab. */
const PATIENCE = 5_000;

/** Turns of the app called `app`; none where there are no locks, as in pages that came without encryption. */
export function lockTurns(_storage: StorageAdapter, app: string): StorageTurn | undefined {
  const { locks } = navigator;
  if (!locks) return undefined;
  return (guard) =>
    new Promise((resolve, reject) => {
      const name = `keepsake/${app}/${toBase64(guard)}`;
      const signal = AbortSignal.timeout(PATIENCE);
      let isHeld = false;
      const hold = () => {
        isHeld = true;
        return new Promise<void>(resolve);
      };
      locks.request(name, { signal }, hold).catch((error) => {
        // A lock that was held already is one that somebody else has taken over.
        if (isHeld) return;
        if (signal.aborted) locks.request(name, { steal: true }, hold).catch(reject);
        else reject(error);
      });
    });
}

// Turns among the tabs and workers of one origin, by Web Locks: in order, and released when a tab ends.

import { toBase64 } from "../base/bytes.js";
import type { StorageAdapter, StorageTurn } from "./adapter.js";

/** How long (ms) to wait before the lock is stolen from its holder, which is a frozen tab then. */
const PATIENCE = 5_000;

/** Turns of the app `app`; `undefined` without Web Locks, as on pages served without HTTPS. */
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
        // The lock that this writer held was stolen by another.
        if (isHeld) return;
        if (signal.aborted) locks.request(name, { steal: true }, hold).catch(reject);
        else reject(error);
      });
    });
}

// Callbacks after everything that the host has to do.

/**
 * Calls back after so many milliseconds, or after none as soon as the host has had its turn: browsers make nested timers of
 * 0 ms wait for 4 ms, and those of hidden tabs for a second.
 */
export function later(callback: () => void, millis: number): void {
  if (millis > 0 || typeof MessageChannel === "undefined") {
    setTimeout(callback, millis);
  } else if (typeof setImmediate === "function") {
    setImmediate(callback);
  } else {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      callback();
    };
    port2.postMessage(0);
  }
}

/** Lets the host have its turn. */
export const turn = (): Promise<void> => new Promise((resolve) => later(resolve, 0));

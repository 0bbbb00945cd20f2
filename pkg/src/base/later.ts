// Timers that yield to the host first.

/**
 * Calls back after `millis`. With 0 ms it calls back as soon as the host has had its turn: browsers clamp nested timers of 0
 * ms to 4 ms, and timers of hidden tabs to one second.
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

/** Yields to the host. */
export const turn = (): Promise<void> => new Promise((resolve) => later(resolve, 0));

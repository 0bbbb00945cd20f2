// Changes that are heard at a pace: while somebody writes without a pause, it is looked again a few times a second.

import type { AnyMemory } from "../inside.js";

/** Whatever tells of changes. */
export type Heard = Pick<AnyMemory, "on">;

/** To look again takes from those who write. */
const EVERY_MS = 250;

/** The same events, the first at once and then at most one in a while; the last one is never lost. */
export function paced(memory: Heard): Heard {
  return {
    on(event, listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let last = Number.NEGATIVE_INFINITY;
      const off = memory.on(event, (told) => {
        if (timer !== undefined) return;
        const tell = () => {
          timer = undefined;
          last = performance.now();
          listener(told);
        };
        timer = setTimeout(tell, Math.max(0, last + EVERY_MS - performance.now()));
      });
      return () => {
        off();
        clearTimeout(timer);
      };
    },
  };
}

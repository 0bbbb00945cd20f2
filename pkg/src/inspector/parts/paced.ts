// Throttled change events: during continuous writes views update a few times per second.

import type { AnyMemory } from "../inside.js";

/** A source of change events. */
export type Heard = Pick<AnyMemory, "on">;

/** The interval (ms): every update takes time from the writers. */
const EVERY_MS = 250;

/** The same events: the first at once, then at most one per interval; the last one is never dropped. */
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

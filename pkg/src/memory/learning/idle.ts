// Learning when nothing else is to be done.

import { MemoryError, optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Learned } from "../../wire/learning.js";
import type { LearnOptions } from "./learn.js";

/** How to learn when idle. */
export interface IdleOptions extends Omit<LearnOptions, "signal" | "onProgress"> {
  /** How many milliseconds lie between the end of one time and the next. Default: 60,000. */
  every?: number | undefined;
  /** Called after each time that something was learned. Default: nothing. */
  onLearned?: ((learned: Learned) => void) | undefined;
  /** Called when learning fails. Nothing is lost by that. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Learning that goes on until it is stopped, or the memory is closed. */
export interface IdleLearning {
  /** Ends it, after the step under way. */
  stop(): void;
  /** `using learning = …` stops it at the end of the block. */
  [Symbol.dispose](): void;
}

const EVERY = 60_000;

/** Learns again and again, whenever there is time. */
export function learnWhenIdle(
  learn: (options: LearnOptions) => Promise<Learned>,
  closed: AbortSignal,
  options: IdleOptions,
): IdleLearning {
  known(options, "every onLearned onError taskType minSupport minConfidence extractSkill extractTimeout");
  const { every = EVERY, onLearned, onError, ...how } = optionsIn(options);
  const failed = onError ?? ((error) => console.warn("keepsake: learning:", error));
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => {
    closed.removeEventListener("abort", stop);
    stopping.abort();
  };
  const once = async () => {
    if (signal.aborted) return;
    try {
      const learned = await learn({ ...how, signal });
      if (learned.skills.length + learned.guards.length + learned.demoted.length > 0) onLearned?.(learned);
    } catch (error) {
      const over = signal.aborted || (error instanceof MemoryError && error.code === "closed");
      if (!over) failed(error);
    }
    if (!signal.aborted) later(() => whenIdle(once, every, signal), every, signal);
  };
  closed.addEventListener("abort", stop);
  if (closed.aborted) stop();
  else whenIdle(once, every, signal);
  return { stop, [Symbol.dispose]: stop };
}

/** Calls `work` when the page has nothing else to do, but not later than `latest`; soon where nobody can tell. */
function whenIdle(work: () => void, latest: number, signal: AbortSignal): void {
  if (typeof requestIdleCallback !== "function") {
    later(work, 0, signal);
    return;
  }
  const handle = requestIdleCallback(work, { timeout: latest });
  signal.addEventListener("abort", () => cancelIdleCallback(handle), { once: true });
}

/** A timer that keeps no program from ending. */
function later(work: () => void, millis: number, signal: AbortSignal): void {
  const end = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", end);
    work();
  }, millis);
  // A number in browsers.
  if (typeof timer === "object") timer.unref?.();
  signal.addEventListener("abort", end, { once: true });
}

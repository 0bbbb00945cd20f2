// Learning while the app is idle.

import { MemoryError, optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Learned } from "../../wire/learning.js";
import type { LearnOptions } from "./learn.js";

/** Options of `learnWhenIdle`. */
export interface IdleOptions extends Omit<LearnOptions, "signal" | "onProgress"> {
  /** The pause between two runs, in milliseconds. Default: 60,000. */
  every?: number | undefined;
  /** Called after each run that learned something. Default: none. */
  onLearned?: ((learned: Learned) => void) | undefined;
  /** Called when a run fails; the next run retries. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A handle to idle learning, which runs until it is stopped or the memory is closed. */
export interface IdleLearning {
  /** Stops learning, after the current step. */
  stop(): void;
  /** `using learning = …` stops learning at the end of the block. */
  [Symbol.dispose](): void;
}

const EVERY = 60_000;

/** Calls `learn` repeatedly when the app is idle. */
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

/** Calls `work` in the next idle period, at the latest after `latest` ms. Without `requestIdleCallback`, calls it soon. */
function whenIdle(work: () => void, latest: number, signal: AbortSignal): void {
  if (typeof requestIdleCallback !== "function") {
    later(work, 0, signal);
    return;
  }
  const handle = requestIdleCallback(work, { timeout: latest });
  signal.addEventListener("abort", () => cancelIdleCallback(handle), { once: true });
}

/** A timer that does not keep the process alive. */
function later(work: () => void, millis: number, signal: AbortSignal): void {
  const end = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", end);
    work();
  }, millis);
  // In browsers, a timer is a number.
  if (typeof timer === "object") timer.unref?.();
  signal.addEventListener("abort", end, { once: true });
}

// Long tasks: progress, cancellation and result.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { Failed } from "./state.js";

/** The progress; the total may be unknown. */
export interface Progress {
  done: number;
  total?: number | undefined;
}

export interface Work {
  /** Aborted when the user cancels. */
  signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface Task {
  /** The label of the running task; `undefined` if there is none. */
  running: string | undefined;
  at: Progress;
  /** The result of the last task. */
  result: string | undefined;
  error: unknown;
  /** Starts a task, unless one is running. The work returns its result as text. */
  start(name: string, work: (work: Work) => Promise<string>): void;
  cancel(): void;
}

const NOTHING: Progress = { done: 0 };

export function useTask(): Task {
  const { say, announce } = useInside();
  const [running, setRunning] = useState<string>();
  const [at, setAt] = useState<Progress>(NOTHING);
  const [result, setResult] = useState<string>();
  const [error, setError] = useState<unknown>();
  const ending = useRef<AbortController>(undefined);
  // Unmounting cancels the task.
  useEffect(() => () => ending.current?.abort(), []);
  const start: Task["start"] = (name, work) => {
    if (ending.current) return;
    const controller = new AbortController();
    const { signal } = controller;
    ending.current = controller;
    setRunning(name);
    setAt(NOTHING);
    setResult(undefined);
    setError(undefined);
    const tell = (text: string) => {
      setResult(text);
      announce(text);
    };
    work({ signal, progress: setAt })
      .then(tell, (reason: unknown) => {
        if (signal.aborted) tell(say("cancelled"));
        else setError(reason);
      })
      .finally(() => {
        ending.current = undefined;
        setRunning(undefined);
      });
  };
  return { running, at, result, error, start, cancel: () => ending.current?.abort() };
}

/** The state of the task. */
export function TaskLine({ task }: { task: Task }): VNode {
  const { say, percent } = useInside();
  const { running, at, result, error } = task;
  const part = at.total ? Math.min(1, at.done / at.total) : undefined;
  return (
    <div class="task">
      {running !== undefined && (
        <div class="running">
          <span>{running}</span>
          <progress aria-label={running} max={1} {...(part === undefined ? {} : { value: part })} />
          <span class="figure">{part === undefined ? "" : percent(part)}</span>
          <button type="button" onClick={task.cancel}>
            {say("cancel")}
          </button>
        </div>
      )}
      {result !== undefined && <p class="result">{result}</p>}
      <Failed error={error} />
    </div>
  );
}

/** Rejects as soon as the signal aborts, for calls that take no signal. */
export function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
  });
}

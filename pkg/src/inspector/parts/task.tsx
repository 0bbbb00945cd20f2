// Work that takes a while: how far it is, a way to end it, and what came of it.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useInside } from "../inside.js";
import { Failed } from "./state.js";

/** How far it is; without a total nobody knows. */
export interface Progress {
  done: number;
  total?: number | undefined;
}

export interface Work {
  /** Aborted when somebody has had enough of it. */
  signal: AbortSignal;
  progress(progress: Progress): void;
}

export interface Task {
  /** What goes on, in words; nothing if nothing does. */
  running: string | undefined;
  at: Progress;
  /** What came of the last one. */
  result: string | undefined;
  error: unknown;
  /** Begins, unless something goes on. The work answers what came of it. */
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
  // Whoever goes away does not want it any more.
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

/** The task as it stands. */
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

/** Rejects as soon as it is no longer wanted, for calls that cannot be told. */
export function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    answer.then(resolve, reject);
  });
}

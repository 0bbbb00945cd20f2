// Live queries: an answer of the memory that is read again after every write, here or in another tab.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Live } from "../../memory/live.js";
import type { Metadata } from "../../wire/types.js";
import { type AnyMemory, useInside } from "../inside.js";
import { paced } from "./paced.js";

/** The state of a query. */
export interface Shown<T> {
  /** The last answer; that of the previous query until the next one arrives. */
  value: T | undefined;
  error: unknown;
  /** Whether the answer to this query is pending. */
  waiting: boolean;
}

/**
 * Runs the query now, when `name` changes, and after changes of the memory, one call at a time. `name` must change with the
 * query. With `paused` change events are ignored.
 */
export function useLive<T>(
  name: string,
  ask: (memory: AnyMemory) => Promise<T>,
  { paused = false }: { paused?: boolean } = {},
): Shown<T> {
  const { memory } = useInside();
  const live = useMemo(() => new Live<Metadata, string, T>(paced(memory)), [memory]);
  const [, redraw] = useState(0);
  const quiet = useRef(paused);
  const wasPaused = quiet.current;
  quiet.current = paused;
  const question = () => live.ask({ name, ask: () => ask(memory), concerns: () => !quiet.current });
  useEffect(() => live.subscribe(() => redraw((n) => n + 1)), [live]);
  useEffect(question, [live, name]);
  useEffect(() => {
    if (wasPaused && !paused) question();
  }, [paused]);
  const { value, error, question: answered } = live.answer();
  return { value, error, waiting: answered !== name };
}

// An answer of the memory that stays true: asked again when something is written, here or in another tab.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Live } from "../../memory/live.js";
import type { Metadata } from "../../wire/types.js";
import { type AnyMemory, useInside } from "../inside.js";
import { paced } from "./paced.js";

/** What was answered so far. */
export interface Shown<T> {
  /** The last answer; one to the question before, until the next has come. */
  value: T | undefined;
  error: unknown;
  /** Whether an answer to this question is still to come. */
  waiting: boolean;
}

/**
 * Asks now, whenever `name` is another one, and after changes, one call at a time. What changes the question has to be
 * in its name. With `paused` changes are not heard.
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

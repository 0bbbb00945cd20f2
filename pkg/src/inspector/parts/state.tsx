// Placeholders: loading, empty, or failed.

import type { ComponentChildren, VNode } from "preact";
import { useInside } from "../inside.js";
import type { Shown } from "./live.js";

/** An error as text. Errors of the library contain no memory content. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { code?: unknown };
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}

export function Failed({ error }: { error: unknown }): VNode | null {
  const { say } = useInside();
  if (error === undefined) return null;
  return (
    <p class="failed" role="alert">
      {say("failed", { why: wordsOf(error) })}
    </p>
  );
}

interface EmptyProps {
  /** The call that fills the view, for developers. */
  call?: string;
  children: ComponentChildren;
}

export function Empty({ call, children }: EmptyProps): VNode {
  const { say, hints } = useInside();
  return (
    <p class="empty">
      {children}
      {hints && call !== undefined && <span class="hint">{say("hint", { call })}</span>}
    </p>
  );
}

interface AnswerProps<T> {
  of: Shown<T>;
  children: (value: T) => ComponentChildren;
}

/** Renders an answer once it has arrived; a failure is shown above the last good one. */
export function Answer<T>({ of, children }: AnswerProps<T>): VNode {
  const { say } = useInside();
  return (
    <>
      <Failed error={of.error} />
      {of.value !== undefined
        ? children(of.value)
        : of.error === undefined && <p class="empty">{say("loading")}</p>}
    </>
  );
}

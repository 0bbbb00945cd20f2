// Shows replies word by word, for every agent. With reduced motion they appear at once.

import type { Piece } from "../agents/agent.js";

const STEP_MS = 14;

/** A longer text appears several words at a time: showing it takes at most two seconds. */
const STEPS = 120;

/** The same pieces, with texts split into words and a pause after each step. */
export async function* paced(
  pieces: AsyncGenerator<Piece, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    if (still || !("text" in piece)) {
      yield piece;
      continue;
    }
    const words = wordsOf(piece.text);
    const step = Math.ceil(words.length / STEPS);
    for (let at = 0; at < words.length; at += step) {
      signal.throwIfAborted();
      yield { text: words.slice(at, at + step).join("") };
      await rest(STEP_MS);
    }
  }
  signal.throwIfAborted();
}

/** Words with the space after them; in scripts without spaces, a few characters at a time. */
function wordsOf(text: string): string[] {
  return (
    text.match(
      /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{1,3}|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]*\s+|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu,
    ) ?? []
  );
}

function rest(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

// Replies come word by word, whoever answers. Where the user wants little motion, they come at once.

import type { Piece } from "../agents/agent.js";

const WORD_MS = 14;

/** The same pieces; long texts in words, with a breath after each. */
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
    for (const text of wordsOf(piece.text)) {
      signal.throwIfAborted();
      yield { text };
      await rest(WORD_MS);
    }
  }
  signal.throwIfAborted();
}

/** Words with the space behind them; in scripts without spaces, a few letters at a time. */
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

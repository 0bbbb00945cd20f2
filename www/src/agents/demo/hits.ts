// Searching for what a text itself says. The library also finds entries by what was said around them, which is of use to
// a model that reads on; rules can only repeat, so what they repeat has to say it.

import type { Memory, MemoryHit } from "keepsake";

/** Below this a hit has too little to do with a text. */
const LEAST_SCORE = 0.15;

/** Entries that have a word of the text in them, best first. */
export async function hitsOf(
  memory: Memory,
  text: string,
  limit: number,
  minScore = LEAST_SCORE,
): Promise<MemoryHit[]> {
  const hits = await memory.search(text, { limit: limit * 3, minScore, explain: true });
  return hits.filter(saysIt).slice(0, limit);
}

function saysIt({ summary, receipt = [] }: MemoryHit): boolean {
  const text = plain(summary);
  return receipt.some(({ term }) => {
    const word = plain(term ?? "");
    // A single Latin letter says nothing; a single character of other scripts is half a word, and comes with others.
    return word.length > 1 && text.includes(word);
  });
}

function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

// Searches entries by their own words. The library also finds entries by the messages around them, which helps a model that
// reads on; rules can only repeat a text, so the text itself has to match.

import type { Memory, MemoryHit } from "keepsake";

/** A hit below this score is unrelated. */
const LEAST_SCORE = 0.15;

/** Entries that contain a word of the text, best first. */
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
    // A single Latin letter carries no meaning; a single character of other scripts is part of a word.
    return word.length > 1 && text.includes(word);
  });
}

function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

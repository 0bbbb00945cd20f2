// The app's own order of hits: a model that reads the question and the best few, asked after the core has ranked.

import { MemoryError } from "./errors.js";

/** A hit as `rerank` sees it. */
export interface RerankHit {
  /** The id of the entry or message, or the name of the history. */
  id: string;
  /** The text, or its beginning. */
  text: string;
  /** The score of the memory's own ranking, from 0 to 1. */
  score: number;
}

/**
 * Orders hits: answers all of their ids, best first, or a score for each hit in the order given, the higher the better. Hits of
 * equal score stay in the order that they had.
 */
export type Rerank = (query: string, hits: RerankHit[]) => Promise<string[] | number[]> | string[] | number[];

/** The app's hook, and how many hits it sees. */
export interface RerankOptions {
  rerank?: Rerank | undefined;
  rerankTop?: number | undefined;
}

/** How many hits `rerank` sees, unless the app says otherwise. */
export const RERANK_TOP = 50;

/** The hits in the app's order. What it answers must account for each of them, once. */
export async function reranked<T>(
  rerank: Rerank,
  query: string,
  hits: readonly T[],
  shown: (hit: T) => RerankHit,
): Promise<T[]> {
  if (hits.length === 0) return [];
  const seen = hits.map(shown);
  let answer: unknown;
  try {
    answer = await rerank(
      query,
      seen.map((hit) => ({ ...hit })),
    );
  } catch (cause) {
    throw new MemoryError("invalid-input", "`rerank` failed", { field: "rerank", cause });
  }
  if (!Array.isArray(answer) || answer.length !== hits.length) throw wrong(hits.length);
  const ids = seen.map(({ id }) => id);
  const places = answer.every((score) => typeof score === "number" && !Number.isNaN(score))
    ? byScore(answer)
    : answer.map((id) => ids.indexOf(id));
  if (new Set(places).size !== hits.length || places.includes(-1)) throw wrong(hits.length);
  return places.map((at) => hits[at] as T);
}

/** The places of scores, the highest first; equal ones as they were. */
function byScore(scores: number[]): number[] {
  const score = (at: number) => scores[at] as number;
  return scores
    .map((_, at) => at)
    .sort((one, other) => +(score(other) > score(one)) - +(score(other) < score(one)));
}

function wrong(count: number): MemoryError {
  const message = `\`rerank\` must answer the ids of all ${count} hits, each once, or ${count} numbers`;
  return new MemoryError("invalid-input", message, { field: "rerank" });
}

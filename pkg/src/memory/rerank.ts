// The app's own order of hits: a model that reads the question and the best few, asked after the core has ranked.

import { MemoryError } from "../base/errors.js";
import type { Candidates, RerankHit } from "../wire/rerank.js";

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

/** The verbs whose hits a reranker orders. */
export const RANKED_VERBS: readonly string[] = ["search", "queryMemory", "context", "retrieve", "callTool"];

/** The keys of the hits in the app's order. What it answers must account for each of them, once. */
export async function reranked(rerank: Rerank, { query, hits }: Candidates): Promise<string[]> {
  if (hits.length === 0) return [];
  let answer: unknown;
  try {
    answer = await rerank(
      query,
      hits.map(({ id, text, score }) => ({ id, text, score })),
    );
  } catch (cause) {
    throw new MemoryError("invalid-input", "`rerank` failed", { field: "rerank", cause });
  }
  if (!Array.isArray(answer) || answer.length !== hits.length) throw wrong(hits.length);
  const places = answer.every((score) => typeof score === "number" && !Number.isNaN(score))
    ? byScore(answer)
    : byId(
        answer,
        hits.map(({ id }) => id),
      );
  const keys = places.flatMap((at) => hits[at]?.key ?? []);
  if (keys.length !== hits.length) throw wrong(hits.length);
  return keys;
}

/** The places of ids, each used once: messages of two conversations may have the same id. -1 for one that is not there. */
function byId(answer: unknown[], ids: string[]): number[] {
  const places = new Map<unknown, number[]>();
  for (const [at, id] of ids.entries()) places.set(id, [...(places.get(id) ?? []), at]);
  return answer.map((id) => places.get(id)?.shift() ?? -1);
}

/** The places of scores, the highest first; equal ones as they were. */
function byScore(scores: number[]): number[] {
  return [...scores.entries()]
    .sort(([, one], [, other]) => +(other > one) - +(other < one))
    .map(([at]) => at);
}

function wrong(count: number): MemoryError {
  const message = `\`rerank\` must answer the ids of all ${count} hits, each once, or ${count} numbers`;
  return new MemoryError("invalid-input", message, { field: "rerank" });
}

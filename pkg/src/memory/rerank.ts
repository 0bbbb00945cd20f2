// The app's reranker, called with the query and the best hits after the core has ranked them.

import { MemoryError } from "../base/errors.js";
import type { Candidates, RerankHit } from "../wire/rerank.js";

/**
 * Reranks hits. Returns all of their ids, best first, or a score for each hit in the given order, higher is better. Hits
 * with equal scores keep their order.
 */
export type Rerank = (query: string, hits: RerankHit[]) => Promise<string[] | number[]> | string[] | number[];

/** The app's reranker, and the number of hits it gets. */
export interface RerankOptions {
  rerank?: Rerank | undefined;
  rerankTop?: number | undefined;
}

/** The default number of hits passed to `rerank`. */
export const RERANK_TOP = 50;

/** The verbs whose hits a reranker orders. */
export const RANKED_VERBS: readonly string[] = ["search", "queryMemory", "context", "retrieve", "callTool"];

/** The keys of the hits in the app's order. Throws `invalid-input` unless the reranker returns each hit exactly once. */
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

/** The positions of ids, each used once, since messages of two sessions may share an id. -1 for an unknown id. */
function byId(answer: unknown[], ids: string[]): number[] {
  const places = new Map<unknown, number[]>();
  for (const [at, id] of ids.entries()) places.set(id, [...(places.get(id) ?? []), at]);
  return answer.map((id) => places.get(id)?.shift() ?? -1);
}

/** The positions of scores, highest first; a stable sort. */
function byScore(scores: number[]): number[] {
  return [...scores.entries()]
    .sort(([, one], [, other]) => +(other > one) - +(other < one))
    .map(([at]) => at);
}

function wrong(count: number): MemoryError {
  const message = `\`rerank\` must return the ids of all ${count} hits, each once, or ${count} numbers`;
  return new MemoryError("invalid-input", message, { field: "rerank" });
}

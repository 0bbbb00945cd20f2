// Candidates for a reranker.

/** A candidate as passed to `rerank`. */
export interface RerankHit {
  /** The id of the entry or message, or the name of the history. */
  id: string;
  /** The text, or its beginning. */
  text: string;
  /** The score of the memory's own ranking, from 0 to 1. */
  score: number;
}

/** The core's candidates of a call, each with the key that `ranked` takes. */
export interface Candidates {
  query: string;
  hits: (RerankHit & { key: string })[];
}

// Documents that were added, and search results.

import type { Metadata } from "./types.js";

/** The result of adding a document. */
export interface DocumentAdded {
  /** The document's id. */
  id: string;
  /** The number of passages. */
  chunks: number;
  /** The number of passages of an earlier version that were deleted. */
  replaced: number;
}

/** A search result. */
export interface RetrievalResult {
  /** The id of the passage, the name of the entity, or the id from the app's knowledge base. */
  id: string;
  /**
   * `"chunk"`: a passage or a memory. `"entity"`: an entity of the graph. `"external"`: an item of the app's knowledge
   * base.
   */
  kind: "chunk" | "entity" | "external";
  /** The text. */
  text: string;
  /** The score, from 0 to 1. Results are ordered best first. */
  score: number;
  /** The id of the source document; for other results, the source that they name. */
  source?: string;
  /** The title of the document. */
  title?: string;
  /** Custom data. */
  metadata?: Metadata;
  /** The entities on the path from a hit to this result, if it was not a hit itself. */
  via?: string[];
}

// Documents that were found or added.

import type { Metadata } from "./types.js";

/** What became of a document. */
export interface DocumentAdded {
  /** Its id. */
  id: string;
  /** How many passages it has. */
  chunks: number;
  /** How many passages of an earlier version are gone. */
  replaced: number;
}

/** What was found. */
export interface RetrievalResult {
  /** The id of the passage, the name of the entity, or the id that the app's knowledge base gave. */
  id: string;
  /** A passage or a memory, an entity of the graph, or something of the app's knowledge base. */
  kind: "chunk" | "entity" | "external";
  /** What it says. */
  text: string;
  /** From 0 to 1, best first. */
  score: number;
  /** The document that it is from, by its id; elsewhere what is said there. */
  source?: string;
  /** What its document is called. */
  title?: string;
  /** Data of the app's own. */
  metadata?: Metadata;
  /** The entities on the way from a hit to this one, if it was not found by itself. */
  via?: string[];
}

// Semantic: documents in passages, a knowledge graph, and hits from the app's knowledge base.

import { optionsIn } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { type Embedding, plain } from "../../wire/embedding.js";
import type { WatchOptions } from "../../wire/progress.js";
import type { SemanticFilters } from "../../wire/search.js";
import type { DocumentAdded, RetrievalResult } from "../../wire/semantic.js";
import type { Metadata } from "../../wire/types.js";
import type { Core } from "../core.js";
import type { WithOwn } from "./experience.js";
import { KnowledgeGraph } from "./graph.js";
import type { KnowledgeBase } from "./knowledge.js";

/** The fields of a document beside its text. */
interface DocumentDetails {
  /** The id. Replaces an existing document with the same id. Default: `source`, or an id derived from the text. */
  id?: string | undefined;
  /** The source. Stored in the metadata if the document has an `id` too. Default: `id`. */
  source?: string | undefined;
  /** The title. Default: none. */
  title?: string | undefined;
  /** Labels to filter by. Default: none. */
  tags?: readonly string[] | undefined;
  /** The app's metadata. Default: none. */
  metadata?: Metadata | undefined;
  /** The namespace of its passages. Default: `"long-term"`. */
  namespace?: string | undefined;
  /** The embedding of each of its passages. Default: from the memory's embedder; none without an embedder. */
  embedding?: Embedding | undefined;
}

/** A document to add. Custom fields become part of its metadata, and filters match them. */
export type DocumentInput = DocumentDetails &
  (
    | {
        /** The text. */
        content: string;
      }
    | {
        /** The text. Alias of `content`. */
        text: string;
      }
  );

/** A search hit that is a passage of a document. */
export type DocumentChunk = RetrievalResult & {
  /** Always `"chunk"`. */
  kind: "chunk";
};

/** Options of `semantic.search`. */
export interface SemanticSearchOptions {
  /** How many graph relations to follow from each hit. Default: 1. */
  graph?: 0 | 1 | 2 | undefined;
  /** The embedding of the query. Default: from the memory's embedder; without one, only words count. */
  embedding?: Embedding | undefined;
}

/** The knowledge of one user's agents. */
export class SemanticMemory {
  /** The knowledge graph. */
  readonly graph: KnowledgeGraph;
  readonly #core: Core;
  readonly #knowledge: KnowledgeBase | undefined;

  /** @internal Use `memory.semantic`. */
  constructor(core: Core, knowledge: KnowledgeBase | undefined) {
    this.graph = new KnowledgeGraph(core);
    this.#core = core;
    this.#knowledge = knowledge;
  }

  /**
   * Searches passages, memories, entities and the app's `knowledge`. Returns hits, best first. Default for `filters`:
   * none. Default for `topK`: 5.
   */
  async search(
    query: string,
    filters: WithOwn<SemanticFilters> | null = null,
    topK = 5,
    options: SemanticSearchOptions = {},
  ): Promise<RetrievalResult[]> {
    const args = { ...options, query, topK, filters: filters ?? undefined };
    const ask = (external?: unknown) => this.#core.ask("semanticSearch", { ...args, external });
    return this.#knowledge?.fused(query, topK, ask, filters) ?? ask();
  }

  /** Adds documents, split at semantic boundaries. A changed document replaces its earlier passages. */
  async addDocuments(
    documents: readonly WithOwn<DocumentInput>[],
    options: WatchOptions = {},
  ): Promise<DocumentAdded[]> {
    known(options, "onProgress signal");
    return this.#core.remember("addDocuments", { documents: plainDocuments(documents) }, optionsIn(options));
  }

  /** Deletes a document. Returns the number of deleted passages. */
  async delete(id: string): Promise<number> {
    return this.#core.write("deleteDocument", { id });
  }
}

/** Converts the embeddings of documents to plain JSON. A value that is no array is passed on; the core rejects it. */
export function plainDocuments(documents: unknown): unknown {
  if (!Array.isArray(documents)) return documents;
  return documents.map(plainDocument);
}

/** Converts the embedding of one document to plain JSON. */
export function plainDocument(document: { embedding?: Embedding | undefined }): object {
  return document?.embedding ? { ...document, embedding: plain(document.embedding) } : document;
}

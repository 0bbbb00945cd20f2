// Semantic: documents in passages, a knowledge graph, and what an app's own knowledge base finds.

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
  /** The id. An earlier document of the same id is replaced. Default: `source`, or one made from the text. */
  id?: string | undefined;
  /** Where it came from; in the metadata, if it has an `id` too. Default: `id`. */
  source?: string | undefined;
  /** What it is called. Default: nothing. */
  title?: string | undefined;
  /** Labels to filter by. Default: none. */
  tags?: readonly string[] | undefined;
  /** Data of your own. Default: none. */
  metadata?: Metadata | undefined;
  /** Where its passages belong. Default: `"long-term"`. */
  namespace?: string | undefined;
  /** Where it lies, which each of its passages is given. Default: what the memory's embedder says; otherwise none. */
  embedding?: Embedding | undefined;
}

/** A document that is still to be added. Fields of the app's own become part of its metadata, and filters find them. */
export type DocumentInput = DocumentDetails &
  (
    | {
        /** The text. */
        content: string;
      }
    | {
        /** The text: an alias of `content`. */
        text: string;
      }
  );

/** A passage of a document that was found. */
export type DocumentChunk = RetrievalResult & {
  /** Always a passage. */
  kind: "chunk";
};

/** How knowledge is searched. */
export interface SemanticSearchOptions {
  /** How many relations of the graph are walked from a hit; 0 for none. Default: 1. */
  graph?: 0 | 1 | 2 | undefined;
  /** Where the query lies. Default: what the memory's embedder says; otherwise only words count. */
  embedding?: Embedding | undefined;
}

/** What one user's agents know. */
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
   * Passages, memories, entities and what the app's `knowledge` finds, best first. Default: without filters, 5 of them.
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

  /** Takes documents in, split where their meaning is. A document that has changed replaces its earlier passages. */
  async addDocuments(
    documents: readonly WithOwn<DocumentInput>[],
    options: WatchOptions = {},
  ): Promise<DocumentAdded[]> {
    known(options, "onProgress signal");
    return this.#core.remember("addDocuments", { documents: plainDocuments(documents) }, optionsIn(options));
  }

  /** Takes a document away. Answers how many passages that were. */
  async delete(id: string): Promise<number> {
    return this.#core.write("deleteDocument", { id });
  }
}

/** Documents with their embeddings as JSON takes them. What is no list is refused where all input is checked. */
export function plainDocuments(documents: unknown): unknown {
  if (!Array.isArray(documents)) return documents;
  return documents.map(plainDocument);
}

/** The same for one document. */
export function plainDocument(document: { embedding?: Embedding | undefined }): object {
  return document?.embedding ? { ...document, embedding: plain(document.embedding) } : document;
}

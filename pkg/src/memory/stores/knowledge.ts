// The app's own knowledge base: its documents are fused with the memory's hits.

import type { Background } from "../../base/background.js";
import { MemoryError, refused } from "../../base/errors.js";
import { answerOf } from "../../base/patience.js";
import type { SemanticFilters } from "../../wire/search.js";
import type { Metadata } from "../../wire/types.js";

/** A document found by the app's knowledge base. */
export interface ExternalDocument {
  /** The id in the knowledge base. */
  id: string;
  /** The text. */
  content: string;
  /** The score, on the base's own scale. Only the order of the documents counts. Default: unknown. */
  score?: number | undefined;
  /** The source. Default: none. */
  source?: string | undefined;
  /** Metadata from the knowledge base. Default: none. */
  metadata?: Metadata | undefined;
}

/** A request to a knowledge base. */
export interface KnowledgeRequest {
  /** The maximum number of documents. */
  topK: number;
  /** The filters of the search, if any. */
  filters?: SemanticFilters;
  /** Aborted after `knowledgeTimeout`, or when the memory is closed. */
  signal: AbortSignal;
}

/** Queries the app's knowledge base or graph. If it rejects or times out, the search continues without its documents. */
export type Knowledge = (query: string, request: KnowledgeRequest) => Promise<ExternalDocument[]>;

/** Options of a knowledge base. */
export interface KnowledgeOptions {
  /** Queries the knowledge base. */
  knowledge?: Knowledge | undefined;
  /** The timeout in milliseconds. */
  knowledgeTimeout?: number | undefined;
  /** Called when a query fails. */
  onKnowledgeError?: ((error: unknown) => void) | undefined;
}

const TIMEOUT = 5_000;

/** The app's knowledge base. Its failures never fail a search. */
export class KnowledgeBase {
  readonly #ask: Knowledge;
  readonly #timeout: number;
  readonly #onError: (error: unknown) => void;
  readonly #background: Background;

  private constructor(ask: Knowledge, options: KnowledgeOptions, background: Background) {
    this.#ask = ask;
    this.#timeout = options.knowledgeTimeout ?? TIMEOUT;
    this.#onError = options.onKnowledgeError ?? ((error) => console.warn("keepsake: knowledge:", error));
    this.#background = background;
  }

  /** The knowledge base, if there is one. */
  static of(options: KnowledgeOptions, background: Background): KnowledgeBase | undefined {
    const { knowledge } = options;
    return knowledge && new KnowledgeBase(knowledge, options, background);
  }

  /** Calls `ask` with the base's documents, or without if there are none or the core rejects them. */
  async fused<T>(
    query: unknown,
    topK: number,
    ask: (external?: ExternalDocument[]) => Promise<T>,
    filters?: SemanticFilters | null,
  ): Promise<T> {
    const found = typeof query === "string" ? await this.#found(query, topK, filters) : undefined;
    if (!found) return ask();
    try {
      return await ask(found);
    } catch (error) {
      if (!(error instanceof MemoryError) || !error.field?.includes("external")) throw error;
      this.#onError(error);
      return ask();
    }
  }

  async #found(
    query: string,
    topK: number,
    filters: SemanticFilters | null | undefined,
  ): Promise<ExternalDocument[] | undefined> {
    const asked = filters ? { topK, filters } : { topK };
    const stopped = this.#background.stopped;
    try {
      const found: unknown = await answerOf((signal) => this.#ask(query, { ...asked, signal }), {
        name: "knowledge",
        timeout: this.#timeout,
        stopped,
      });
      if (!Array.isArray(found)) throw refused("knowledge", "must return an array of documents");
      return found.length > 0 ? found.slice(0, topK) : undefined;
    } catch (error) {
      if (!stopped.aborted) this.#onError(error);
      return undefined;
    }
  }
}

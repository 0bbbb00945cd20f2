// The app's own knowledge base, asked beside the memory: what it finds is fused with what is remembered.

import type { Background } from "../../base/background.js";
import { MemoryError, refused } from "../../base/errors.js";
import { answerOf } from "../../base/patience.js";
import type { SemanticFilters } from "../../wire/search.js";
import type { Metadata } from "../../wire/types.js";

/** Something that an app's knowledge base found. */
export interface ExternalDocument {
  /** Its id there. */
  id: string;
  /** What it says. */
  content: string;
  /** How well it fits, in the base's own measure. Only the order of the documents counts. Default: not known. */
  score?: number | undefined;
  /** Where it came from. Default: nowhere. */
  source?: string | undefined;
  /** Data of the base's own. Default: none. */
  metadata?: Metadata | undefined;
}

/** How a knowledge base is asked. */
export interface KnowledgeRequest {
  /** How many documents are wanted. */
  topK: number;
  /** Which are wanted, if the search says so. */
  filters?: SemanticFilters;
  /** Aborted when nobody waits any longer: after `knowledgeTimeout`, or when the memory is closed. */
  signal: AbortSignal;
}

/** Asks a knowledge base or a graph of the app's. One that fails or is late costs nothing but its documents. */
export type Knowledge = (query: string, request: KnowledgeRequest) => Promise<ExternalDocument[]>;

/** What a knowledge base is made with. */
export interface KnowledgeOptions {
  /** Asks it. */
  knowledge?: Knowledge | undefined;
  /** How long to wait for it, in milliseconds. */
  knowledgeTimeout?: number | undefined;
  /** Is told of failures. */
  onKnowledgeError?: ((error: unknown) => void) | undefined;
}

const TIMEOUT = 5_000;

/** The app's knowledge base, which may fail without anybody being the worse for it. */
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

  /** What `ask` answers with the documents of the base, or without them if they are none. */
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
      if (!Array.isArray(found)) throw refused("knowledge", "must answer a list of documents");
      return found.length > 0 ? found.slice(0, topK) : undefined;
    } catch (error) {
      if (!stopped.aborted) this.#onError(error);
      return undefined;
    }
  }
}

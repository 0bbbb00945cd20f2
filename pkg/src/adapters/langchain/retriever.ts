// Retrieves from a memory as LangChain documents.

import { Document, type DocumentInterface } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import type { RecallOptions } from "../../wire/recall.js";
import type { SearchOptions } from "../../wire/search.js";
import type { Json, Metadata } from "../../wire/types.js";

/** The metadata of a document. */
export interface RetrievedMetadata {
  /** Its kind: a memory, a message, or a summary. */
  kind: "entry" | "message" | "history";
  /** Its score, from 0 to 1. */
  score: number;
  /** Its time, in ISO 8601. */
  at: string;
  /** Its session. */
  session?: string;
  /** The role of the speaker. */
  speaker?: string;
  /** The source document, or another source. */
  source?: string;
  /** Its namespace, with `search`. */
  namespace?: string;
  /** Its labels, with `search`. */
  tags?: string[];
  /** The app's data of the memory, with `search`. */
  metadata?: { [key: string]: Json };
}

/** Options of `KeepsakeRetriever`. */
export interface RetrieverOptions<N extends string = never> extends BaseRetrieverInput {
  /** Searches only memories, with the filters of `memory.search`. Default: everything, including sessions. */
  search?: SearchOptions<N> | undefined;
  /** Options of the search in everything. Default: the five best. */
  recall?: RecallOptions | undefined;
}

/**
 * A retriever over a memory: over memories, sessions and documents, or with `search` over memories only. Documents come best
 * first, with their full content.
 *
 * @example
 * const retriever = new KeepsakeRetriever(memory, { recall: { limit: 4 } });
 * const documents = await retriever.invoke("What does Ann drink?");
 */
export class KeepsakeRetriever<N extends string = never> extends BaseRetriever<RetrievedMetadata> {
  /** The namespace of the class in LangChain. */
  lc_namespace = ["keepsake", "langchain"];
  readonly #memory: Memory<Metadata, N>;
  readonly #search: SearchOptions<N> | undefined;
  readonly #recall: RecallOptions;

  constructor(memory: Memory<Metadata, N>, options: RetrieverOptions<N> = {}) {
    known(options, "search recall callbacks tags metadata verbose");
    const { search, recall = {}, ...fields } = options;
    if (search && options.recall) throw refused("recall", "cannot be combined with `search`");
    super(fields);
    this.#memory = memory;
    this.#search = search;
    this.#recall = recall;
  }

  /** LangChain's name of the class. */
  static override lc_name(): string {
    return "KeepsakeRetriever";
  }

  /** The documents for a query. Apps call `invoke`. */
  override async _getRelevantDocuments(query: string): Promise<DocumentInterface<RetrievedMetadata>[]> {
    if (this.#search) return this.#entries(query, this.#search);
    const found = await this.#memory.queryMemory(query, this.#recall);
    return found.map(({ ref, text, ...metadata }) => new Document({ id: ref, pageContent: text, metadata }));
  }

  async #entries(query: string, options: SearchOptions<N>): Promise<DocumentInterface<RetrievedMetadata>[]> {
    const hits = await this.#memory.search(query, options);
    const entries = await Promise.all(hits.map(({ id }) => this.#memory.get(id)));
    return hits.flatMap(({ id, score }, at) => {
      const entry = entries[at];
      // Deleted since the search.
      if (!entry) return [];
      const { content: pageContent, namespace, tags, metadata, session, speaker, source, at: when } = entry;
      const told = { session, speaker, source };
      const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
      const said: RetrievedMetadata = { kind: "entry", score, at: when, ...known, namespace, tags, metadata };
      return new Document({ id, pageContent, metadata: said });
    });
  }
}

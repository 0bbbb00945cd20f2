// What a memory knows about a question, as LangChain's documents.

import { Document, type DocumentInterface } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import type { RecallOptions } from "../../wire/recall.js";
import type { SearchOptions } from "../../wire/search.js";
import type { Json, Metadata } from "../../wire/types.js";

/** What a document says beside its content. */
export interface RetrievedMetadata {
  /** What it is: a memory, something said, or a summary of that. */
  kind: "entry" | "message" | "history";
  /** How well it answers the question, from 0 to 1. */
  score: number;
  /** When it happened, in ISO 8601. */
  at: string;
  /** The conversation that it belongs to. */
  session?: string;
  /** Who said it. */
  speaker?: string;
  /** The document that it is from, or another source. */
  source?: string;
  /** Its namespace, if `search` was asked for. */
  namespace?: string;
  /** Its labels, if `search` was asked for. */
  tags?: string[];
  /** The app's own data of the memory, if `search` was asked for. */
  metadata?: { [key: string]: Json };
}

/** What to look through, and how. */
export interface RetrieverOptions<N extends string = never> extends BaseRetrieverInput {
  /** Only memories, with the filters of `memory.search`. Default: everything, conversations too. */
  search?: SearchOptions<N> | undefined;
  /** How to look through everything. Default: the five best. */
  recall?: RecallOptions | undefined;
}

/**
 * A retriever over a memory: over memories, conversations and documents, or with `search` over memories alone. Documents
 * come best first, each with its whole content.
 *
 * @example
 * const retriever = new KeepsakeRetriever(memory, { recall: { limit: 4 } });
 * const documents = await retriever.invoke("What does Ann drink?");
 */
export class KeepsakeRetriever<N extends string = never> extends BaseRetriever<RetrievedMetadata> {
  /** Where LangChain files it. */
  lc_namespace = ["keepsake", "langchain"];
  readonly #memory: Memory<Metadata, N>;
  readonly #search: SearchOptions<N> | undefined;
  readonly #recall: RecallOptions;

  constructor(memory: Memory<Metadata, N>, options: RetrieverOptions<N> = {}) {
    known(options, "search recall callbacks tags metadata verbose");
    const { search, recall = {}, ...fields } = options;
    if (search && options.recall) throw refused("recall", "and `search` exclude each other");
    super(fields);
    this.#memory = memory;
    this.#search = search;
    this.#recall = recall;
  }

  /** LangChain's name of the class. */
  static override lc_name(): string {
    return "KeepsakeRetriever";
  }

  /** The documents for a question. Apps call `invoke`. */
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
      // Taken away since it was found.
      if (!entry) return [];
      const { content: pageContent, namespace, tags, metadata, session, speaker, source, at: when } = entry;
      const told = { session, speaker, source };
      const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
      const said: RetrievedMetadata = { kind: "entry", score, at: when, ...known, namespace, tags, metadata };
      return new Document({ id, pageContent, metadata: said });
    });
  }
}

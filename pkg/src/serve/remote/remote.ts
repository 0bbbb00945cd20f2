/**
 * A memory that is served elsewhere by the API of `docs/openapi.json`, with the shape of a memory here. It needs no wasm
 * and no storage.
 *
 * @module keepsake/remote
 */

import { refused } from "../../base/errors.js";
import { type EntriesOptions, entriesOf } from "../../memory/entries.js";
import type { Memory } from "../../memory/memory.js";
import { type Digest, type DigestOptions, type Recalls, recalls } from "../../wire/digest.js";
import { plain } from "../../wire/embedding.js";
import type { Recall, RecallOptions } from "../../wire/recall.js";
import type { MemoryHit, SearchOptions } from "../../wire/search.js";
import type { SessionInfo } from "../../wire/sessions.js";
import type {
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
} from "../../wire/types.js";
import { ROUTES } from "../http/generated.js";
import { RemoteCollection } from "./collection.js";
import { type RemoteOptions, type RequestOptions, Requests } from "./requests.js";
import { RemoteSession, type RemoteSessionOptions } from "./session.js";

export { MemoryError, type MemoryErrorCode } from "../../base/errors.js";
export type { RemoteCollection } from "./collection.js";
export { RemoteError, type RemoteOptions, type RequestOptions } from "./requests.js";
export type { RemoteSession, RemoteSessionOptions } from "./session.js";

/** What a remote memory has of a memory. */
type Shared =
  | "add"
  | "get"
  | "update"
  | "delete"
  | "history"
  | "search"
  | "queryMemory"
  | "digest"
  | "list"
  | "entries"
  | "count"
  | "stats"
  | "clear"
  | "sessions";

const PAGE = ROUTES.list.most.limit;

/**
 * A memory that is served elsewhere.
 *
 * @example
 * const memory = remoteMemory({ url: "https://memory.example", token });
 * await memory.add("Deploy keys rotate on Mondays");
 */
export function remoteMemory<M extends Metadata = Metadata, N extends string = never>(
  options: RemoteOptions,
): RemoteMemory<M, N> {
  return new RemoteMemory(new Requests({ ...options }));
}

/**
 * One user's memory, elsewhere. Calls may overlap, and may then happen in any order: wait for one to be sure that another
 * comes after it. Every call that fails rejects with a `RemoteError`.
 */
export class RemoteMemory<M extends Metadata = Metadata, N extends string = never>
  implements Pick<Memory<M, N>, Shared>
{
  readonly #requests: Requests;

  /** @internal Use `remoteMemory`. */
  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Remembers `content`. Answers what is kept of it, without the content. */
  async add(
    content: string,
    draft: MemoryDraft<M, N> = {},
    options?: RequestOptions,
  ): Promise<MemoryEntry<M, N>> {
    const args = { ...draft, embedding: plain(draft?.embedding), content };
    return this.#requests.call("add", args, options);
  }

  /** The entry with this id and its whole content; `null` if there is none, or no longer. */
  async get(id: string, options?: RequestOptions): Promise<MemoryEntryWithContent<M, N> | null> {
    return this.#requests.find("get", { id }, options);
  }

  /** Changes an entry. What it was stays in its `history`. Rejects with `not-found` if there is none. */
  async update(
    id: string,
    changes: MemoryChanges<M, N>,
    options?: RequestOptions,
  ): Promise<MemoryEntry<M, N>> {
    const args = { ...changes, embedding: plain(changes?.embedding), id };
    return this.#requests.call("update", args, options);
  }

  /** What the entry was before, oldest first. */
  async history(id: string, options?: RequestOptions): Promise<MemoryEntryWithContent<M, N>[]> {
    return this.#requests.call("history", { id }, options);
  }

  /** Takes an entry away for good, with its history. Answers whether it was there. */
  async delete(id: string, options?: RequestOptions): Promise<boolean> {
    return this.#requests.call("delete", { id }, options);
  }

  /** Searches everything there is. Hits come best first, without their contents. */
  async search(query: string, how: SearchOptions<N> = {}, options?: RequestOptions): Promise<MemoryHit<N>[]> {
    const args = { ...how, embedding: plain(how?.embedding), query };
    return this.#requests.call("search", args, options);
  }

  /**
   * Looks through everything: memories, all conversations, their histories, and documents. Best first. If the question asks
   * for an overview or an order, the array's `digest` has that.
   */
  async queryMemory(query: string, how: RecallOptions = {}, options?: RequestOptions): Promise<Recalls> {
    const args = { ...how, embedding: plain(how?.embedding), query };
    type Answer = { found: Recall[]; digest?: Digest };
    const { found, digest } = await this.#requests.send<Answer>("queryMemory", args, options);
    return recalls(digest ? { hits: found, digest } : found);
  }

  /** Topics, decisions and dates of the conversations, in the order of time and within a budget. */
  async digest(what: DigestOptions = {}, options?: RequestOptions): Promise<Digest> {
    return this.#requests.call("digest", { ...what }, options);
  }

  /** Entries without their contents, newest first; more than 1,000 are read in pages. */
  async list(asked: ListOptions<N> = {}, options?: RequestOptions): Promise<MemoryEntry<M, N>[]> {
    const { limit = Number.POSITIVE_INFINITY, namespace } = asked;
    const all: MemoryEntry<M, N>[] = [];
    let { after } = asked;
    for (;;) {
      const most = Math.min(PAGE, limit - all.length);
      const query = { namespace, after, limit: most };
      type Answer = { entries: MemoryEntry<M, N>[]; next?: string };
      const { entries, next } = await this.#requests.send<Answer>("list", query, options);
      all.push(...entries);
      if (next === undefined || all.length >= limit) return all;
      after = next;
    }
  }

  /** All entries without their contents, newest first, read in pages. */
  entries(options: EntriesOptions<N> = {}): AsyncGenerator<MemoryEntry<M, N>, void, undefined> {
    return entriesOf((page) => this.list(page), options);
  }

  /** How many entries there are, in one namespace or in all. */
  async count(namespace?: DefaultNamespace | N, options?: RequestOptions): Promise<number> {
    const { total, namespaces } = await this.stats(options);
    if (namespace === undefined) return total;
    if (!Object.hasOwn(namespaces, namespace)) throw refused("namespace", "is not known");
    return namespaces[namespace];
  }

  /** How many entries there are, in all and in each namespace. */
  async stats(options?: RequestOptions): Promise<MemoryStats<N>> {
    return this.#requests.call("stats", {}, options);
  }

  /** Takes away everything, or everything in one namespace. Answers how many entries that were. */
  async clear(namespace?: DefaultNamespace | N, options?: RequestOptions): Promise<number> {
    return this.#requests.call("clear", { namespace }, options);
  }

  /** All conversations, the last used first. */
  async sessions(options?: RequestOptions): Promise<SessionInfo[]> {
    return this.#requests.call("sessions", {}, options);
  }

  /** The conversation of this id, which begins with the first `append`. */
  session(id: string, options: RemoteSessionOptions = {}): RemoteSession {
    return new RemoteSession(this.#requests, id, options);
  }

  /** An app's own values by key, in a collection of this name. */
  collection<T = Json>(name: string): RemoteCollection<T> {
    return new RemoteCollection(this.#requests, name);
  }
}

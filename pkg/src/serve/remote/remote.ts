/**
 * A client for a memory served by the API of `docs/openapi.json`, with the interface of a local memory. It needs no
 * wasm and no storage.
 *
 * @module keepsake/remote
 */

import { refused } from "../../base/errors.js";
import { type EntriesOptions, entriesOf } from "../../memory/entries.js";
import type { Memory } from "../../memory/memory.js";
import type { Conflict, ConflictsOptions, Keep } from "../../wire/conflicts.js";
import { type Digest, type DigestOptions, type Recalls, recalls } from "../../wire/digest.js";
import { plain } from "../../wire/embedding.js";
import type { ForgetOptions, Forgotten } from "../../wire/long-term.js";
import type { Recall, RecallOptions } from "../../wire/recall.js";
import type { Rollback, RollbackOptions } from "../../wire/rollback.js";
import type { MemoryHit, SearchOptions } from "../../wire/search.js";
import type { SessionInfo } from "../../wire/sessions.js";
import type {
  DefaultNamespace,
  Json,
  ListOptions,
  MemoryChanges,
  MemoryDraft,
  MemoryDraftWithContent,
  MemoryEntry,
  MemoryEntryWithContent,
  MemoryStats,
  Metadata,
  Promotion,
  Time,
} from "../../wire/types.js";
import { ROUTES } from "../http/generated.js";
import { RemoteCollection } from "./collection.js";
import { type RemoteOptions, type RequestOptions, Requests } from "./requests.js";
import { RemoteSession, type RemoteSessionOptions } from "./session.js";

export { MemoryError, type MemoryErrorCode } from "../../base/errors.js";
export type { RemoteCollection } from "./collection.js";
export { RemoteError, type RemoteOptions, type RequestOptions } from "./requests.js";
export type { RemoteSession, RemoteSessionOptions } from "./session.js";

/** The methods of `Memory` that a remote memory has. */
type Shared =
  | "add"
  | "get"
  | "update"
  | "promote"
  | "rollback"
  | "conflicts"
  | "resolve"
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
  | "forget"
  | "sessions";

const PAGE = ROUTES.list.most.limit;

/**
 * Creates a client for a remote memory.
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
 * One user's remote memory. Concurrent calls may run in any order: await a call before one that depends on it. Every
 * failed call rejects with a `RemoteError`.
 */
export class RemoteMemory<M extends Metadata = Metadata, N extends string = never>
  implements Pick<Memory<M, N>, Shared>
{
  readonly #requests: Requests;

  /** @internal Use `remoteMemory`. */
  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Stores `content`. Returns the entry without the content. */
  async add(
    content: string,
    draft: MemoryDraft<M, N> = {},
    options?: RequestOptions,
  ): Promise<MemoryEntry<M, N>> {
    const args = { ...draft, embedding: plain(draft?.embedding), content };
    return this.#requests.call("add", args, options);
  }

  /** Stores entries. Returns them in the order of their drafts, without the contents. */
  async addMany(
    drafts: readonly MemoryDraftWithContent<M, N>[],
    options?: RequestOptions,
  ): Promise<MemoryEntry<M, N>[]> {
    const given = drafts.map((draft) => ({ ...draft, embedding: plain(draft?.embedding) }));
    return this.#requests.call("addMany", { drafts: given }, options);
  }

  /** Reads an entry with its full content; `null` if it does not exist or has expired. */
  async get(id: string, options?: RequestOptions): Promise<MemoryEntryWithContent<M, N> | null> {
    return this.#requests.find("get", { id }, options);
  }

  /** Updates an entry. The old version stays in its `history`. Rejects with `not-found` if the entry does not exist. */
  async update(
    id: string,
    changes: MemoryChanges<M, N>,
    options?: RequestOptions,
  ): Promise<MemoryEntry<M, N>> {
    const args = { ...changes, embedding: plain(changes?.embedding), id };
    return this.#requests.call("update", args, options);
  }

  /**
   * Raises the trust in an entry. Rejects with `not-found` if it does not exist, and with `invalid-input` if the level is
   * not higher than before.
   */
  async promote(id: string, promotion: Promotion, options?: RequestOptions): Promise<MemoryEntry<M, N>> {
    return this.#requests.call("promote", { ...promotion, id }, options);
  }

  /**
   * Takes back what came from a source, from a session or since a time, with everything derived from it, in one commit.
   * Entries that it had replaced are valid again. With `preview`, nothing is changed.
   */
  async rollback(what: RollbackOptions, options?: RequestOptions): Promise<Rollback> {
    return this.#requests.call("rollback", { ...what }, options);
  }

  /** Returns statements of long-term memory that contradict each other. See `Memory.conflicts`. */
  async conflicts(what: ConflictsOptions = {}, options?: RequestOptions): Promise<Conflict<M, N>[]> {
    return this.#requests.call("conflicts", { ...what }, options);
  }

  /** Settles a conflict and returns the ids of the entries that are in the past from now on. See `Memory.resolve`. */
  async resolve(id: string, keep: Keep, options?: RequestOptions): Promise<string[]> {
    return this.#requests.call("resolve", { id, keep }, options);
  }

  /** The earlier versions of an entry, oldest first. */
  async history(id: string, options?: RequestOptions): Promise<MemoryEntryWithContent<M, N>[]> {
    return this.#requests.call("history", { id }, options);
  }

  /** Deletes an entry and its history permanently. Returns whether it existed. */
  async delete(id: string, options?: RequestOptions): Promise<boolean> {
    return this.#requests.call("delete", { id }, options);
  }

  /** Searches all entries. Returns hits without their contents, best first. */
  async search(query: string, how: SearchOptions<N> = {}, options?: RequestOptions): Promise<MemoryHit<N>[]> {
    const args = { ...how, embedding: plain(how?.embedding), query };
    return this.#requests.call("search", args, options);
  }

  /**
   * Searches memories, all sessions, their histories, and documents, best first. If the question asks for an overview
   * or an order, the array has a `digest`.
   */
  async queryMemory(query: string, how: RecallOptions = {}, options?: RequestOptions): Promise<Recalls> {
    const args = { ...how, embedding: plain(how?.embedding), query };
    type Answer = { found: Recall[]; digest?: Digest };
    const { found, digest } = await this.#requests.send<Answer>("queryMemory", args, options);
    return recalls(digest ? { hits: found, digest } : found);
  }

  /** A digest of the sessions: topics, decisions and dates, in chronological order and within a token budget. */
  async digest(what: DigestOptions = {}, options?: RequestOptions): Promise<Digest> {
    return this.#requests.call("digest", { ...what }, options);
  }

  /** Lists entries without their contents, newest first; more than 1,000 are read in pages. */
  async list(asked: ListOptions<N> = {}, options?: RequestOptions): Promise<MemoryEntry<M, N>[]> {
    const { limit = Number.POSITIVE_INFINITY, namespace, asOf, includePast } = asked;
    const all: MemoryEntry<M, N>[] = [];
    let { after } = asked;
    for (;;) {
      const most = Math.min(PAGE, limit - all.length);
      const query = { namespace, asOf: isoOf("asOf", asOf), includePast, after, limit: most };
      type Answer = { entries: MemoryEntry<M, N>[]; next?: string };
      const { entries, next } = await this.#requests.send<Answer>("list", query, options);
      all.push(...entries);
      if (next === undefined || all.length >= limit) return all;
      after = next;
    }
  }

  /** Iterates over all entries without their contents, newest first, read in pages. */
  entries(options: EntriesOptions<N> = {}): AsyncGenerator<MemoryEntry<M, N>, void, undefined> {
    return entriesOf((page) => this.list(page), options);
  }

  /** The number of entries, in one namespace or in all. */
  async count(namespace?: DefaultNamespace | N, options?: RequestOptions): Promise<number> {
    const { total, namespaces } = await this.stats(options);
    if (namespace === undefined) return total;
    if (!Object.hasOwn(namespaces, namespace)) throw refused("namespace", "is not known");
    return namespaces[namespace];
  }

  /** The number of entries, in total and per namespace. */
  async stats(options?: RequestOptions): Promise<MemoryStats<N>> {
    return this.#requests.call("stats", {}, options);
  }

  /** Deletes all entries, or all entries in one namespace. Returns the number of deleted entries. */
  async clear(namespace?: DefaultNamespace | N, options?: RequestOptions): Promise<number> {
    return this.#requests.call("clear", { namespace }, options);
  }

  /**
   * Erases the entries that `query` means, with their history, and with `messages` also the text of messages that said
   * it. Returns the ids of the erased entries and the number of messages.
   */
  async forget(what: ForgetOptions, options?: RequestOptions): Promise<Forgotten> {
    return this.#requests.call("forget", { ...what }, options);
  }

  /** Lists all sessions, most recently used first. */
  async sessions(options?: RequestOptions): Promise<SessionInfo[]> {
    return this.#requests.call("sessions", {}, options);
  }

  /** The session with this id. The first `append` creates it. */
  session(id: string, options: RemoteSessionOptions = {}): RemoteSession {
    return new RemoteSession(this.#requests, id, options);
  }

  /** A collection of custom values by key. */
  collection<T = Json>(name: string): RemoteCollection<T> {
    return new RemoteCollection(this.#requests, name);
  }
}

/** A time as a parameter of a URL, where the API reads only ISO 8601. */
function isoOf(field: string, time: Time | undefined): string | undefined {
  if (typeof time !== "number") return time;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) {
    throw refused(field, "must be milliseconds since 1970 within the years 0 to 9999");
  }
  return date.toISOString();
}

// The memory domain of Mastra's storage: threads, messages, resources with their working memory.

import { type MastraDBMessage, MessageList } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import {
  calculatePagination,
  jsonValueEquals,
  MemoryStorage,
  normalizePerPage,
  type StorageCloneThreadInput,
  type StorageCopyThreadOutput,
  type StorageListMessagesByResourceIdInput,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
} from "@mastra/core/storage";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import type { Json } from "../../wire/types.js";
import { changed, chosen, type MessageChanges, notFound, once, threadRow } from "./changes.js";
import { type Edit, edited } from "./edit.js";
import { listingOf } from "./listing.js";
import { MessageRows } from "./messages.js";
import {
  dated,
  keyOf,
  type MessageRow,
  messageOf,
  ordered,
  type ResourceRow,
  sorted,
  type ThreadRow,
  timeOf,
} from "./rows.js";

/** Options of the storage. */
export interface KeepsakeStorageOptions {
  /** The collection that holds everything. Default: `"mastra"`. */
  collection?: string | undefined;
}

/** A search result. */
export interface FoundMessage {
  /** The message. */
  message: MastraDBMessage;
  /** Its score, from 0 to 1. */
  score: number;
}

/**
 * The memory domain of a Mastra storage. Every call is atomic, and concurrent writes of two processes or tabs both succeed.
 * Observational memory is not supported: its methods reject.
 */
export class KeepsakeMemoryStorage extends MemoryStorage {
  /** `updateThread` keeps the fields that it is not given. */
  override readonly supportsPartialThreadUpdate = true;
  /** Not supported. */
  override readonly supportsObservationalMemory = false;
  readonly #rows: Collection<Json>;
  readonly #messages: MessageRows;
  /** The last sequence number. */
  #last = 0;

  constructor(memory: Memory, options: KeepsakeStorageOptions = {}) {
    super();
    known(options, "collection");
    if (typeof memory?.collection !== "function") throw refused("memory", "must be an open memory");
    this.#rows = memory.collection<Json>(options.collection ?? "mastra");
    this.#messages = new MessageRows(this.#rows);
  }

  /** Deletes all threads, messages and resources. */
  override async dangerouslyClearAll(): Promise<void> {
    await this.#rows.write([{ prefix: "", delete: true }]);
  }

  /** The thread with this id; `null` if there is none, or if it belongs to another resource. */
  override async getThreadById(of: {
    threadId: string;
    resourceId?: string;
  }): Promise<StorageThreadType | null> {
    const row = (await this.#rows.get(keyOf.thread(of.threadId))) as ThreadRow | undefined;
    return row && (of.resourceId === undefined || row.resourceId === of.resourceId) ? dated(row) : null;
  }

  /** Saves a thread. A thread with the same id is replaced. */
  override async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const key = keyOf.thread(thread?.id, "thread.id");
    await edited(this.#rows, async (edit) => {
      const [before] = await edit.get<ThreadRow>([key]);
      edit.set(key, threadRow(thread, before?.n ?? this.#next()));
    });
    return thread;
  }

  /** Changes the title of a thread, and merges its metadata. Missing arguments change nothing. */
  override async updateThread(changes: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    const { id, title, metadata } = changes;
    return edited(this.#rows, async (edit) => {
      const before = await this.#thread(edit, id);
      if (!before) throw notFound("id", `Thread with id ${id} not found`);
      return this.#touched(edit, {
        ...before,
        ...(title !== undefined && { title }),
        metadata: { ...before.metadata, ...metadata },
      });
    });
  }

  /** Changes the metadata of a thread by a function of its current value; concurrent changes are not lost. */
  override async updateThreadMetadata(change: {
    id: string;
    resourceId?: string;
    update: (thread: StorageThreadType) => Record<string, unknown> | undefined;
  }): Promise<StorageThreadType | null> {
    const { id, resourceId, update } = change;
    return edited(this.#rows, async (edit) => {
      const before = await this.#thread(edit, id);
      if (!before || (resourceId !== undefined && before.resourceId !== resourceId)) return null;
      const metadata = update(dated(before));
      if (!metadata) return dated(before);
      return this.#touched(edit, { ...before, metadata: { ...before.metadata, ...metadata } });
    });
  }

  /** Moves a thread with all its messages to another resource. */
  override async updateThreadResourceId(of: {
    threadId: string;
    resourceId: string;
  }): Promise<StorageThreadType> {
    const { threadId, resourceId } = of;
    keyOf.resource(resourceId);
    return edited(this.#rows, async (edit) => {
      const before = await this.#thread(edit, threadId);
      if (!before) throw notFound("threadId", `Thread "${threadId}" not found`);
      if (before.resourceId === resourceId) return dated(before);
      const rows = await this.#messages.whole(await this.#messages.heads([threadId]));
      for (const row of rows) this.#messages.put(edit, { ...row, resourceId }, row);
      return this.#touched(edit, { ...before, resourceId });
    });
  }

  /** Deletes a thread with all its messages. */
  override async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await edited(this.#rows, async (edit) => {
      await this.#thread(edit, threadId);
      await this.#messages.removeAll(edit, threadId);
      edit.delete(keyOf.thread(threadId));
    });
  }

  /** Threads by resource and metadata, or all; in pages. */
  override async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const { page = 0, perPage: asked, orderBy, filter } = args ?? {};
    const { field, direction } = this.parseOrderBy(orderBy);
    this.validatePaginationInput(page, asked ?? 100);
    const perPage = normalizePerPage(asked, 100);
    this.validateMetadataKeys(filter?.metadata);
    const wanted = Object.entries(filter?.metadata ?? {});
    const rows: ThreadRow[] = [];
    for await (const [, value] of this.#rows.entries({ prefix: "t/" })) {
      const row = value as unknown as ThreadRow;
      if (filter?.resourceId && row.resourceId !== filter.resourceId) continue;
      if (wanted.length > 0 && !wanted.every(([key, value]) => jsonValueEquals(row.metadata?.[key], value)))
        continue;
      rows.push(row);
    }
    const { offset, perPage: shown } = calculatePagination(page, asked, perPage);
    return {
      threads: sorted(rows, field, direction)
        .slice(offset, offset + perPage)
        .map(dated),
      total: rows.length,
      page,
      perPage: shown,
      hasMore: offset + perPage < rows.length,
    };
  }

  /** Messages of threads, in pages, with the neighbours of messages that `include` names. */
  override async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const { threadId, resourceId, include } = args;
    const threads = Array.isArray(threadId) ? threadId : [threadId];
    if (threads.length === 0 || threads.some((id) => typeof id !== "string" || !id.trim())) {
      throw refused("threadId", "must be a non-empty string or array of non-empty strings");
    }
    const list = listingOf(args, this.parseOrderBy(args.orderBy, "ASC"));
    if (list.perPage === 0 && !include?.length) return list.answer([], 0, false);
    const heads = await this.#messages.heads(threads);
    const own = heads.filter((head) => !resourceId || head.resourceId === resourceId);
    const { total: fitting, paged } = await list.page(own, (heads) => this.#messages.whole(heads));
    // An empty page does not tell the total.
    const total = list.perPage === 0 ? 0 : fitting;
    const more = await this.#messages.around(include, resourceId || undefined);
    const all = ordered(once([...paged, ...more]), list.field, list.direction);
    const messages = (await this.#messages.whole(all)).map(messageOf);
    let hasMore = list.offset + list.perPage < total;
    if (list.filtersMetadata) hasMore = list.offset + paged.length < total;
    else if (include?.length) hasMore = all.filter((row) => row.threadId === threadId).length < total;
    return list.answer(messages, total, list.perPage > 0 && hasMore);
  }

  /** Messages of a resource in all threads, in pages. */
  override async listMessagesByResourceId(
    args: StorageListMessagesByResourceIdInput,
  ): Promise<StorageListMessagesOutput> {
    const { resourceId, include } = args;
    const list = listingOf(args, this.parseOrderBy(args.orderBy, "ASC"));
    const heads = (await this.#messages.heads()).filter((head) => head.resourceId === resourceId);
    const { total, paged } = await list.page(heads, (heads) => this.#messages.whole(heads));
    const more = await this.#messages.around(include, resourceId);
    const all = ordered(once([...paged, ...more]), list.field, list.direction);
    const messages = (await this.#messages.whole(all)).map(messageOf);
    return list.answer(messages, total, list.offset + paged.length < total);
  }

  /** The messages with these ids. */
  override async listMessagesById(of: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const rows = await edited(this.#rows, (edit) => this.#messages.named(edit, of.messageIds));
    const found = rows.flatMap((row) => (row ? messageOf(row) : []));
    return { messages: new MessageList().add(found, "memory").get.all.db() };
  }

  /** Saves messages. Messages with the same ids are replaced. */
  override async saveMessages(args: {
    messages: MastraDBMessage[];
  }): Promise<{ messages: MastraDBMessage[] }> {
    const { messages } = args;
    // Of duplicates the last one counts.
    const rows = once(messages.map((message, at) => this.#row(message, `messages[${at}]`)));
    const [ids, threads] = [rows.map(({ id }) => id), rows.map(({ threadId }) => threadId)];
    await edited(this.#rows, async (edit) => {
      const before = await this.#messages.named(edit, ids);
      rows.forEach((row, at) => {
        this.#messages.put(edit, { ...row, n: before[at]?.n ?? row.n }, before[at]);
      });
      await this.#touch(edit, threads);
    });
    return { messages: new MessageList().add(messages, "memory").get.all.db() };
  }

  /** Changes messages: content and its metadata are merged. Missing messages are skipped. */
  override async updateMessages(args: { messages: MessageChanges[] }): Promise<MastraDBMessage[]> {
    return edited(this.#rows, async (edit) => {
      const ids = args.messages.map(({ id }) => id);
      const rows = new Map(
        (await this.#messages.named(edit, ids)).flatMap((row) => (row ? [[row.id, row]] : [])),
      );
      const touched: string[] = [];
      const answer: MastraDBMessage[] = [];
      for (const [at, changes] of args.messages.entries()) {
        const old = rows.get(changes.id);
        if (!old) continue;
        const row = changed(old, changes, `messages[${at}]`);
        this.#messages.put(edit, row, old);
        rows.set(row.id, row);
        touched.push(old.threadId, row.threadId);
        answer.push(messageOf(row));
      }
      await this.#touch(edit, touched);
      return answer;
    });
  }

  /** Deletes messages. */
  override async deleteMessages(messageIds: string[]): Promise<void> {
    if (!messageIds?.length) return;
    await edited(this.#rows, async (edit) => {
      const rows = (await this.#messages.named(edit, messageIds)).flatMap((row) => row ?? []);
      for (const row of rows) this.#messages.remove(edit, row);
      await this.#touch(
        edit,
        rows.map(({ threadId }) => threadId),
      );
    });
  }

  /** Copies a thread with its messages, or some of them. */
  override async copyThread(args: StorageCloneThreadInput): Promise<StorageCopyThreadOutput> {
    const { sourceThreadId, newThreadId = crypto.randomUUID(), resourceId, title, metadata, options } = args;
    return edited(this.#rows, async (edit) => {
      const source = await this.#thread(edit, sourceThreadId);
      if (!source) throw notFound("sourceThreadId", `Source thread with id ${sourceThreadId} not found`);
      if (await this.#thread(edit, newThreadId)) {
        throw new MemoryError("already-exists", `Thread with id ${newThreadId} already exists`, {
          field: "newThreadId",
        });
      }
      const heads = sorted(await this.#messages.heads([sourceThreadId]), "createdAt", "ASC");
      const rows = await this.#messages.whole(chosen(heads, options));
      const now = new Date();
      const last = rows.at(-1)?.id;
      const thread: StorageThreadType = {
        id: newThreadId,
        resourceId: resourceId || source.resourceId,
        ...((title || source.title) && { title: title || `Clone of ${source.title}` }),
        metadata: {
          ...metadata,
          clone: { sourceThreadId, clonedAt: now, ...(last && { lastMessageId: last }) },
        },
        createdAt: now,
        updatedAt: now,
      };
      edit.set(keyOf.thread(newThreadId), threadRow(thread, this.#next()));
      const messageIdMap: Record<string, string> = {};
      for (const row of rows) {
        const id = crypto.randomUUID();
        Object.defineProperty(messageIdMap, row.id, {
          value: id,
          enumerable: true,
          writable: true,
          configurable: true,
        });
        const owner = resourceId || row.resourceId;
        this.#messages.put(edit, { ...row, id, threadId: newThreadId, resourceId: owner, n: this.#next() });
      }
      return { thread, messageIdMap };
    });
  }

  /** The resource with this id, with its working memory; `null` if there is none. */
  override async getResourceById(of: { resourceId: string }): Promise<StorageResourceType | null> {
    const row = (await this.#rows.get(keyOf.resource(of.resourceId))) as ResourceRow | undefined;
    return row ? dated(row) : null;
  }

  /** Saves a resource. A resource with the same id is replaced. */
  override async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    await edited(this.#rows, async (edit) =>
      edit.set(keyOf.resource(resource?.id, "resource.id"), {
        ...resource,
        createdAt: timeOf(resource.createdAt, "resource.createdAt"),
        updatedAt: timeOf(resource.updatedAt, "resource.updatedAt"),
      }),
    );
    return resource;
  }

  /** Changes the working memory of a resource, and merges its metadata. A missing resource is created. */
  override async updateResource(changes: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const { resourceId, workingMemory, metadata } = changes;
    return edited(this.#rows, async (edit) => {
      const key = keyOf.resource(resourceId);
      const [before] = await edit.get<ResourceRow>([key]);
      const now = new Date().toISOString();
      const row: ResourceRow = {
        ...(before ?? { id: resourceId, createdAt: now }),
        ...(workingMemory !== undefined && { workingMemory }),
        metadata: { ...before?.metadata, ...metadata },
        updatedAt: now,
      };
      edit.set(key, row);
      return dated(row);
    });
  }

  /** Searches messages by words, best first: in one thread or in all. Default: in all, 10 results. */
  async searchMessages(
    query: string,
    options: {
      /** Only this thread. Default: all. */
      threadId?: string | undefined;
      /** The maximum number of results. Default: 10. */
      limit?: number | undefined;
    } = {},
  ): Promise<FoundMessage[]> {
    const prefix = options.threadId === undefined ? "m/" : keyOf.messages(options.threadId);
    const hits = await this.#rows.search(query, { prefix, limit: options.limit });
    return hits.map(({ value, score }) => ({ message: messageOf(value as unknown as MessageRow), score }));
  }

  async #thread(edit: Edit, id: string): Promise<ThreadRow | undefined> {
    return (await edit.get<ThreadRow>([keyOf.thread(id)]))[0];
  }

  /** Writes a changed thread, and returns it. */
  #touched(edit: Edit, row: ThreadRow): StorageThreadType {
    // Strictly later than before: clocks can stand still and go back.
    const now = Math.max(Date.now(), Date.parse(row.updatedAt) + 1);
    const written = { ...row, updatedAt: new Date(now).toISOString() };
    edit.set(keyOf.thread(row.id), written);
    return dated(written);
  }

  /** Updates the time of the last change of existing threads. */
  async #touch(edit: Edit, ids: string[]): Promise<void> {
    const threads = await edit.get<ThreadRow>([...new Set(ids)].map((id) => keyOf.thread(id)));
    for (const row of threads) if (row) this.#touched(edit, row);
  }

  #row(message: MastraDBMessage, field: string): MessageRow {
    const { id, threadId, resourceId, role, type, content, createdAt } = Object(message) as MastraDBMessage;
    keyOf.place(id, `${field}.id`);
    keyOf.messages(threadId as string, `${field}.threadId`);
    if (typeof content !== "object" || content === null)
      throw refused(`${field}.content`, "must be an object");
    return {
      id,
      threadId: threadId as string,
      resourceId: resourceId || null,
      role: role || "user",
      type: type || "text",
      content,
      createdAt: timeOf(createdAt, `${field}.createdAt`),
      n: this.#next(),
    };
  }

  #next(): number {
    this.#last = Math.max(this.#last + 1, Date.now() * 1000);
    return this.#last;
  }
}

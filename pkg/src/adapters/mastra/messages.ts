// Storage of messages: each message in its thread, its header in a second key, and its thread by message id. Headers are
// small: a page is selected by them, and only its messages are read.

import type { StorageListMessagesInput } from "@mastra/core/storage";
import { refused } from "../../base/errors.js";
import type { Collection } from "../../memory/collection.js";
import type { Json } from "../../wire/types.js";
import { type Edit, edited } from "./edit.js";
import { keyOf, type MessageHead, type MessageRow, sorted, wordsOf } from "./rows.js";

const HEADS_AT_ONCE = 1000;
const MESSAGES_AT_ONCE = 200;

/** The messages of a collection. */
export class MessageRows {
  readonly #rows: Collection<Json>;

  constructor(rows: Collection<Json>) {
    this.#rows = rows;
  }

  /** The headers of the messages of threads, or of all. */
  async heads(threads?: readonly string[]): Promise<MessageHead[]> {
    const found: MessageHead[] = [];
    const prefixes = threads ? [...new Set(threads)].map((id) => keyOf.heads(id)) : ["h/"];
    for (const prefix of prefixes) {
      let after: string | undefined;
      do {
        const page = await this.#rows.list({ prefix, after, limit: HEADS_AT_ONCE });
        for (const { value } of page) found.push(value as unknown as MessageHead);
        after = page[HEADS_AT_ONCE - 1]?.key;
      } while (after !== undefined);
    }
    return found;
  }

  /** The messages of these headers, in the same order, without deleted ones. */
  async whole(heads: readonly MessageHead[]): Promise<MessageRow[]> {
    const found: MessageRow[] = [];
    for (let at = 0; at < heads.length; at += MESSAGES_AT_ONCE) {
      const keys = heads
        .slice(at, at + MESSAGES_AT_ONCE)
        .map((head) => keyOf.message(head.threadId, head.id));
      for (const row of await this.#rows.getMany(keys)) if (row) found.push(row as unknown as MessageRow);
    }
    return found;
  }

  /** The messages with these ids, in the same order. */
  async named(edit: Edit, ids: readonly string[]): Promise<(MessageRow | undefined)[]> {
    if (!Array.isArray(ids)) throw refused("messageIds", "must be an array of ids");
    const places = await edit.get<{ thread: string }>(ids.map((id) => keyOf.place(id)));
    const keys = ids.map((id, at) => (places[at] ? keyOf.message(places[at].thread, id) : undefined));
    const rows = await edit.get<MessageRow>(keys.filter((key) => key !== undefined));
    return keys.map((key) => (key === undefined ? undefined : rows.shift()));
  }

  /** Writes a message, and removes its previous version. */
  put(edit: Edit, row: MessageRow, before?: MessageRow): void {
    if (before && before.threadId !== row.threadId) this.remove(edit, before);
    const { id, threadId, resourceId, createdAt, n } = row;
    edit.set(keyOf.message(threadId, id), row, wordsOf(row) || undefined);
    edit.set(keyOf.head(threadId, id), { id, threadId, resourceId, createdAt, n });
    edit.set(keyOf.place(id), { thread: threadId });
  }

  /** Deletes a message. */
  remove(edit: Edit, { threadId, id }: MessageHead): void {
    edit.delete(keyOf.message(threadId, id));
    edit.delete(keyOf.head(threadId, id));
    edit.delete(keyOf.place(id));
  }

  /** Deletes all messages of a thread. */
  async removeAll(edit: Edit, threadId: string): Promise<void> {
    for (const { id } of await this.heads([threadId])) edit.delete(keyOf.place(id));
    edit.deleteAll(keyOf.messages(threadId));
    edit.deleteAll(keyOf.heads(threadId));
  }

  /** The messages that `include` names, with their neighbours in the thread; only of this resource, if one is named. */
  async around(
    include: StorageListMessagesInput["include"],
    resourceId: string | undefined,
  ): Promise<MessageHead[]> {
    const wanted = include ?? [];
    const ids = wanted.map(({ id }) => id);
    const targets = ids.length > 0 ? await edited(this.#rows, (edit) => this.named(edit, ids)) : [];
    const fits = (head: MessageHead) => resourceId === undefined || head.resourceId === resourceId;
    const found: MessageHead[] = [];
    for (const [at, { withPreviousMessages = 0, withNextMessages = 0 }] of wanted.entries()) {
      const target = targets[at];
      if (!target || !fits(target)) continue;
      const heads = sorted((await this.heads([target.threadId])).filter(fits), "createdAt", "ASC");
      const index = heads.findIndex(({ id }) => id === target.id);
      const first = Math.max(0, index - withPreviousMessages);
      if (index >= 0) found.push(...heads.slice(first, index + withNextMessages + 1));
    }
    return found;
  }
}

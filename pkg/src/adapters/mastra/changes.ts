// The new values of threads and messages that are saved, changed or copied.

import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type { StorageCloneThreadInput } from "@mastra/core/storage";
import { MemoryError, refused } from "../../base/errors.js";
import { type MessageHead, type MessageRow, type ThreadRow, timeOf } from "./rows.js";

/** The changes of a message. */
export type MessageChanges = Partial<Omit<MastraDBMessage, "createdAt">> & {
  id: string;
  createdAt?: Date;
};

/** The error for a missing item. */
export function notFound(field: string, message: string): MemoryError {
  return new MemoryError("not-found", message, { field });
}

/** A thread in its stored format. */
export function threadRow(thread: StorageThreadType, n: number): ThreadRow {
  if (typeof thread.resourceId !== "string") throw refused("thread.resourceId", "must be a string");
  return {
    ...thread,
    createdAt: timeOf(thread.createdAt, "thread.createdAt"),
    updatedAt: timeOf(thread.updatedAt, "thread.updatedAt"),
    n,
  };
}

/** Removes duplicates by id. */
export function once<T extends MessageHead>(rows: T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Applies a change to a message: content and its metadata are merged. */
export function changed(row: MessageRow, changes: MessageChanges, field: string): MessageRow {
  const { role, type, createdAt, resourceId, threadId, content } = changes;
  const merged = { ...row.content, ...content };
  if (row.content.metadata && content?.metadata) {
    merged.metadata = { ...row.content.metadata, ...content.metadata };
  }
  return {
    ...row,
    ...(role !== undefined && { role }),
    ...(type !== undefined && { type }),
    ...(createdAt !== undefined && { createdAt: timeOf(createdAt, `${field}.createdAt`) }),
    ...(resourceId !== undefined && { resourceId }),
    ...(threadId && { threadId }),
    content: merged,
  };
}

/** The messages to copy. */
export function chosen(rows: MessageHead[], options: StorageCloneThreadInput["options"]): MessageHead[] {
  const { messageIds, startDate, endDate } = options?.messageFilter ?? {};
  const found = rows.filter((row) => {
    const at = new Date(row.createdAt);
    if (messageIds?.length && !messageIds.includes(row.id)) return false;
    return !(startDate && at < startDate) && !(endDate && at > endDate);
  });
  const limit = options?.messageLimit ?? 0;
  return limit > 0 ? found.slice(-limit) : found;
}

// What becomes of threads and messages when they are saved, changed and copied.

import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type { StorageCloneThreadInput } from "@mastra/core/storage";
import { MemoryError, refused } from "../../base/errors.js";
import { type MessageHead, type MessageRow, type ThreadRow, timeOf } from "./rows.js";

/** What is to become different about a message. */
export type MessageChanges = Partial<Omit<MastraDBMessage, "createdAt">> & {
  id: string;
  createdAt?: Date;
};

/** The error for something that is not there. */
export function notFound(field: string, message: string): MemoryError {
  return new MemoryError("not-found", message, { field });
}

/** A thread as it is kept. */
export function threadRow(thread: StorageThreadType, n: number): ThreadRow {
  if (typeof thread.resourceId !== "string") throw refused("thread.resourceId", "must be a text");
  return {
    ...thread,
    createdAt: timeOf(thread.createdAt, "thread.createdAt"),
    updatedAt: timeOf(thread.updatedAt, "thread.updatedAt"),
    n,
  };
}

/** Each message once. */
export function once<T extends MessageHead>(rows: T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** A message after a change: content and its metadata are merged. */
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

/** The messages that a copy takes along. */
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

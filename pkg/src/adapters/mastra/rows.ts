// Threads, messages and resources as values of a collection, and their keys.

import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type { StorageResourceType } from "@mastra/core/storage";
import { refused } from "../../base/errors.js";
import { isWellFormed } from "../../base/json.js";

/** A stored thread. */
export type ThreadRow = Kept<StorageThreadType> & Numbered;
/** A stored resource. */
export type ResourceRow = Kept<StorageResourceType>;
type Kept<T> = Omit<T, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };

interface Numbered {
  /** A unique sequence number of the first save. */
  n: number;
}

/** The header of a message: the fields that lists filter and sort by. */
export interface MessageHead extends Numbered {
  id: string;
  threadId: string;
  resourceId: string | null;
  createdAt: string;
}

/** A stored message. */
export interface MessageRow extends MessageHead {
  role: MastraDBMessage["role"];
  type: string;
  content: MastraDBMessage["content"];
}

const part = (id: string, field: string): string => {
  if (typeof id !== "string" || id === "") throw refused(field, "must be a non-empty string");
  if (!isWellFormed(id)) throw refused(field, "must be a well-formed string: it has a lone surrogate");
  // Escaped, so that no id is a prefix of another one's keys.
  return encodeURIComponent(id);
};

/** The keys. */
export const keyOf = {
  thread: (id: string, field = "threadId") => `t/${part(id, field)}`,
  resource: (id: string, field = "resourceId") => `r/${part(id, field)}`,
  /** The key of the entry that maps a message id to its thread. */
  place: (id: string, field = "messageId") => `i/${part(id, field)}`,
  messages: (thread: string, field = "threadId") => `m/${part(thread, field)}/`,
  message: (thread: string, id: string) => `${keyOf.messages(thread)}${part(id, "messageId")}`,
  heads: (thread: string) => `h/${part(thread, "threadId")}/`,
  head: (thread: string, id: string) => `${keyOf.heads(thread)}${part(id, "messageId")}`,
} as const;

/** A time in ISO 8601. */
export function timeOf(value: unknown, field: string): string {
  const time = value instanceof Date ? value : new Date(value as string);
  if (Number.isNaN(time.getTime())) throw refused(field, "must be a valid date");
  return time.toISOString();
}

/** A thread or a resource in the framework's format: times are `Date`s. */
export function dated<T extends { createdAt: string; updatedAt: string; n?: number }>(row: T): Dated<T> {
  const { n: _, ...rest } = row;
  return { ...rest, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) } as Dated<T>;
}

type Dated<T> = Omit<T, "createdAt" | "updatedAt" | "n"> & { createdAt: Date; updatedAt: Date };

/** A message in the framework's format. */
export function messageOf({ n: _, resourceId, type, createdAt, ...row }: MessageRow): MastraDBMessage {
  return {
    ...row,
    type,
    createdAt: new Date(createdAt),
    ...(resourceId !== null && { resourceId }),
  };
}

/** The words of a message, for search. */
export function wordsOf({ content }: MessageRow): string {
  const parts = Array.isArray(content?.parts) ? content.parts : [];
  const texts = parts.flatMap((part) => (part?.type === "text" ? part.text : []));
  return texts.length > 0 ? texts.join("\n") : String(content?.content ?? "");
}

/** Sorts by a field; the sort is stable. */
export function ordered<T>(rows: T[], field: string, direction: "ASC" | "DESC"): T[] {
  const sign = direction === "ASC" ? 1 : -1;
  const value = (row: T) => Date.parse((row as Record<string, unknown>)[field] as string);
  return [...rows].sort((one, other) => sign * (value(one) - value(other)) || 0);
}

/** Sorts by a field, then by the order of saving. */
export function sorted<T extends Numbered>(rows: T[], field: string, direction: "ASC" | "DESC"): T[] {
  return ordered(
    [...rows].sort((one, other) => one.n - other.n),
    field,
    direction,
  );
}

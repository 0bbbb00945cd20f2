// Threads, messages and resources as values of a collection, and the keys that they have there.

import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import type { StorageResourceType } from "@mastra/core/storage";
import { refused } from "../../base/errors.js";
import { isWellFormed } from "../../base/json.js";

/** A thread as it is kept. */
export type ThreadRow = Kept<StorageThreadType> & Numbered;
/** A resource as it is kept. */
export type ResourceRow = Kept<StorageResourceType>;
type Kept<T> = Omit<T, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };

interface Numbered {
  /** When it was first saved, in an order in which no two are the same. */
  n: number;
}

/** What a message is found by. */
export interface MessageHead extends Numbered {
  id: string;
  threadId: string;
  resourceId: string | null;
  createdAt: string;
}

/** A message as it is kept. */
export interface MessageRow extends MessageHead {
  role: MastraDBMessage["role"];
  type: string;
  content: MastraDBMessage["content"];
}

const part = (id: string, field: string): string => {
  if (typeof id !== "string" || id === "") throw refused(field, "must be a text that is not empty");
  if (!isWellFormed(id)) throw refused(field, "must be well-formed text: it holds half of a surrogate pair");
  // No id is the beginning of another one's keys.
  return encodeURIComponent(id);
};

/** Where things lie. */
export const keyOf = {
  thread: (id: string, field = "threadId") => `t/${part(id, field)}`,
  resource: (id: string, field = "resourceId") => `r/${part(id, field)}`,
  /** Where the message of an id is told to lie. */
  place: (id: string, field = "messageId") => `i/${part(id, field)}`,
  messages: (thread: string, field = "threadId") => `m/${part(thread, field)}/`,
  message: (thread: string, id: string) => `${keyOf.messages(thread)}${part(id, "messageId")}`,
  heads: (thread: string) => `h/${part(thread, "threadId")}/`,
  head: (thread: string, id: string) => `${keyOf.heads(thread)}${part(id, "messageId")}`,
} as const;

/** A time as it is kept. */
export function timeOf(value: unknown, field: string): string {
  const time = value instanceof Date ? value : new Date(value as string);
  if (Number.isNaN(time.getTime())) throw refused(field, "must be a time");
  return time.toISOString();
}

/** A thread, or a resource, as the framework knows it: times are dates. */
export function dated<T extends { createdAt: string; updatedAt: string; n?: number }>(row: T): Dated<T> {
  const { n: _, ...rest } = row;
  return { ...rest, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) } as Dated<T>;
}

type Dated<T> = Omit<T, "createdAt" | "updatedAt" | "n"> & { createdAt: Date; updatedAt: Date };

/** A message as the framework knows it. */
export function messageOf({ n: _, resourceId, type, createdAt, ...row }: MessageRow): MastraDBMessage {
  return {
    ...row,
    type,
    createdAt: new Date(createdAt),
    ...(resourceId !== null && { resourceId }),
  };
}

/** The words that a message is found by. */
export function wordsOf({ content }: MessageRow): string {
  const parts = Array.isArray(content?.parts) ? content.parts : [];
  const texts = parts.flatMap((part) => (part?.type === "text" ? part.text : []));
  return texts.length > 0 ? texts.join("\n") : String(content?.content ?? "");
}

/** By a field; those that are equal stay as they are. */
export function ordered<T>(rows: T[], field: string, direction: "ASC" | "DESC"): T[] {
  const sign = direction === "ASC" ? 1 : -1;
  const value = (row: T) => Date.parse((row as Record<string, unknown>)[field] as string);
  return [...rows].sort((one, other) => sign * (value(one) - value(other)) || 0);
}

/** By a field; those that are equal as they were saved. */
export function sorted<T extends Numbered>(rows: T[], field: string, direction: "ASC" | "DESC"): T[] {
  return ordered(
    [...rows].sort((one, other) => one.n - other.n),
    field,
    direction,
  );
}

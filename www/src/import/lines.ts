// Entries out of a file of lines: plain ones, or those of the command line's export.

import type { MemoryDraft } from "keepsake";

/** An entry that is still to be added. */
export type Draft = MemoryDraft & { content: string };

/** A line that is no entry. */
export class BadLine extends Error {
  /** Which, counted from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is no entry`);
    this.name = "BadLine";
    this.line = line;
  }
}

/** The drafts of a file's text. Lines of an export that are no entries are left out; any other is a `BadLine`. */
export function* draftsOf(text: string): Generator<Draft> {
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (line.trim() === "") continue;
    const draft = draftOf(parsed(line));
    if (draft === undefined) throw new BadLine(number);
    if (draft !== "other") yield draft;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function draftOf(value: unknown): Draft | "other" | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const item = value as { [field: string]: unknown };
  if (typeof item.kind === "string") return item.kind === "entry" ? draftOf(item.entry) : "other";
  const { content } = item;
  if (typeof content !== "string") return undefined;
  const text = (field: string) => (typeof item[field] === "string" ? { [field]: item[field] } : {});
  const { tags, importance, namespace } = item;
  return {
    ...text("id"),
    ...text("key"),
    ...text("source"),
    ...text("session"),
    ...text("speaker"),
    ...text("at"),
    content,
    namespace: namespace === "short-term" ? "short-term" : "long-term",
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === "string") } : {}),
    ...(typeof importance === "number" ? { importance } : {}),
  };
}

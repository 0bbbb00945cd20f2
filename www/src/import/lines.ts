// Parses entries from a file of lines: plain ones, or those of an export.

import type { MemoryDraft } from "keepsake";

/** An entry to add. */
export type Draft = MemoryDraft & { content: string };

/** An invalid line. */
export class BadLine extends Error {
  /** Its number, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is not an entry`);
    this.name = "BadLine";
    this.line = line;
  }
}

/** The drafts in a file. Other lines of an export are skipped; anything else is a `BadLine`. */
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

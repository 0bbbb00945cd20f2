// Adds many entries, in parts that do not block the page.

import { MemoryError, optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import { plain } from "../wire/embedding.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { WatchOptions } from "../wire/progress.js";
import type { MemoryDraftWithContent, MemoryEntry, Metadata } from "../wire/types.js";
import type { Core } from "./core.js";

/** The most drafts and characters of a part. */
const DRAFTS = 1_000;
const CHARACTERS = 500_000;

/** Adds drafts part by part, each after the one before. */
export async function addMany<M extends Metadata, N extends string>(
  core: Core,
  drafts: readonly MemoryDraftWithContent<M, N>[],
  options: WatchOptions & WriteOptions,
): Promise<MemoryEntry<M, N>[]> {
  known(options, "onProgress signal idempotencyKey");
  const { onProgress, signal, idempotencyKey } = optionsIn(options);
  if (!Array.isArray(drafts)) throw refused("drafts", "must be an array");
  // A copy: the app may change its array meanwhile.
  const given = [...drafts];
  const entries: MemoryEntry<M, N>[] = [];
  do {
    signal?.throwIfAborted();
    const done = entries.length;
    const part = idempotencyKey === undefined ? nextPart(given, done) : given;
    const told = part.map((draft) => ({ ...draft, embedding: plain(draft?.embedding) }));
    const written = await core.rememberMany<M, N>(told, once({ idempotencyKey }), signal).catch((error) => {
      throw atPlace(error, done);
    });
    for (const entry of written) entries.push(entry);
    onProgress?.({ done: entries.length, total: given.length });
  } while (entries.length < given.length);
  return entries;
}

/** The drafts from a place on that fit into one part; one at least. */
function nextPart<T extends { content: string }>(drafts: readonly T[], from: number): T[] {
  let characters = 0;
  let end = from;
  while (end < drafts.length && end - from < DRAFTS && (characters < CHARACTERS || end === from)) {
    const content: unknown = drafts[end]?.content;
    characters += typeof content === "string" ? content.length : 0;
    end += 1;
  }
  return drafts.slice(from, end);
}

/** An error of a part, with the place of the draft among all of them. */
function atPlace(error: unknown, done: number): unknown {
  if (done === 0 || !(error instanceof MemoryError)) return error;
  const moved = (text: string) =>
    text.replace(/\bdrafts\[(\d+)\]/, (_, at: string) => `drafts[${Number(at) + done}]`);
  const { code, message, field, cause } = error;
  return new MemoryError(code, moved(message), { field: field && moved(field), cause });
}

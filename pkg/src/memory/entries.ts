// Iteration over all entries, read in pages.

import { MemoryError, optionsIn, refused } from "../base/errors.js";
import { known } from "../base/options.js";
import type { ListOptions, MemoryEntry, Metadata } from "../wire/types.js";

/** Options of `memory.entries`. */
export interface EntriesOptions<N extends string = never>
  extends Pick<ListOptions<N>, "namespace" | "asOf" | "includePast"> {
  /** The number of entries per page. Default: 100. */
  pageSize?: number | undefined;
}

type Page<M extends Metadata, N extends string> = MemoryEntry<M, N>[];
type List<M extends Metadata, N extends string> = (options: ListOptions<N>) => Promise<Page<M, N>>;

/** Yields every entry once, newest first. */
export async function* entriesOf<M extends Metadata, N extends string>(
  list: List<M, N>,
  given: EntriesOptions<N>,
): AsyncGenerator<MemoryEntry<M, N>, void, undefined> {
  known(given, "namespace pageSize asOf includePast");
  const { pageSize = 100, ...options } = optionsIn(given);
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    throw refused("pageSize", "must be a positive integer");
  }
  // An entry that is deleted and added again with its id would be yielded twice.
  const seen = new Set<string>();
  let page: Page<M, N> = [];
  do {
    page = await following(list, { ...options, limit: pageSize }, page);
    for (const entry of page) {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
      yield entry;
    }
  } while (page.length === pageSize);
}

/**
 * The page that follows `page`: after its last entry that still exists. If none exists, for example because the caller
 * deletes each entry, the next page starts with the newest entry.
 */
async function following<M extends Metadata, N extends string>(
  list: List<M, N>,
  options: ListOptions<N>,
  page: Page<M, N>,
): Promise<Page<M, N>> {
  for (const { id } of [...page].reverse()) {
    try {
      return await list({ ...options, after: id });
    } catch (error) {
      if (!(error instanceof MemoryError) || error.field !== "after") throw error;
    }
  }
  return list(options);
}

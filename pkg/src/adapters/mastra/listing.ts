// Lists of messages: pages, filters and order, as in the framework's own storage.

import type { MastraDBMessage } from "@mastra/core/agent";
import {
  calculatePagination,
  filterByDateRange,
  normalizePerPage,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  storageMessageMatchesMetadataFilter,
  validateStorageMetadataFilter,
} from "@mastra/core/storage";
import { refused } from "../../base/errors.js";
import { type MessageHead, type MessageRow, sorted } from "./rows.js";

type Asked = Omit<StorageListMessagesInput, "threadId" | "orderBy">;

/** The field to sort by, and the direction. */
export interface Order {
  field: string;
  direction: "ASC" | "DESC";
}

/** Parses the arguments of a list. */
export function listingOf({ filter, perPage: asked, page = 0 }: Asked, { field, direction }: Order) {
  const metadata = validateStorageMetadataFilter(filter?.metadata);
  const perPage = normalizePerPage(asked, 40);
  if (!Number.isSafeInteger(page) || page < 0) throw refused("page", "must be >= 0");
  if (page * perPage > Number.MAX_SAFE_INTEGER / 2) throw refused("page", "value too large");
  const { offset, perPage: shown } = calculatePagination(page, asked, perPage);
  return {
    field,
    direction,
    perPage,
    offset,
    filtersMetadata: metadata !== undefined,
    /** The number of matching messages, and those of the page. */
    async page(heads: MessageHead[], whole: (heads: MessageHead[]) => Promise<MessageRow[]>) {
      const inTime = filterByDateRange(heads, (head) => new Date(head.createdAt), filter?.dateRange);
      const fits = ({ content }: MessageRow) => storageMessageMatchesMetadataFilter(content, metadata);
      const fitting: MessageHead[] = metadata ? (await whole(inTime)).filter(fits) : inTime;
      const found = sorted(fitting, field, direction);
      return { total: found.length, paged: found.slice(offset, offset + perPage) };
    },
    answer: (messages: MastraDBMessage[], total: number, hasMore: boolean): StorageListMessagesOutput => ({
      messages,
      total,
      page,
      perPage: shown,
      hasMore,
    }),
  };
}

// The documented functions on a store of the app (D9–D19): ids, summaries, limits, expiry and results.

import { MemoryError, refused } from "../../base/errors.js";

import type {
  MemoryAdded,
  MemoryAddOptions,
  MemoryFunctions,
  MemorySearchOptions,
  MemorySearchResult,
} from "../../wire/documented.js";
import { limitsOf, type MemoryServiceConfig, outputOf, retrievalOf } from "./limits.js";
import type { MemoryEntry, MemoryStore } from "./store.js";
import { previewOf, summaryOf, tokensOf, truncated } from "./texts.js";

const DAY = 86_400_000;

/** The functions before failures become results. */
export type Throwing = {
  [name in keyof MemoryFunctions]: (...args: Parameters<MemoryFunctions[name]>) => Promise<unknown>;
};

/** The documented functions on a store. */
export function onStore(store: MemoryStore, config: MemoryServiceConfig): Throwing {
  const live = (entry: MemoryEntry) =>
    entry.expiresAt === undefined || Date.parse(entry.expiresAt) > Date.now();
  const read = async (id: unknown) => {
    const entry = await store.get(text("id", id));
    return entry && live(entry) ? entry : null;
  };
  return {
    memoryAdd: (content, namespace = "short-term", options = {}) =>
      added(store, entryOf(config, content, namespace, options), config, content),
    memorySearch: (query, options = {}) => searched(store, read, config, query, options),
    memoryStats: async () => {
      const [total, shortTerm, longTerm] = await Promise.all([
        store.count(),
        store.count("short-term"),
        store.count("long-term"),
      ]);
      const counts = { total, shortTerm, longTerm };
      return { success: true, ...counts, data: counts };
    },
    memoryClearShortTerm: async () => {
      const cleared = await store.clear("short-term");
      return { success: true, data: { cleared, remaining: await store.count() } };
    },
    memoryClearAll: async () => ({ success: true, data: { cleared: await store.clear() } }),
    memoryCleanup: async () => {
      let cleaned = 0;
      for (const entry of await store.list()) {
        if (!live(entry) && (await store.delete(entry.id))) cleaned++;
      }
      return {
        success: true,
        data: {
          cleaned,
          message: `${cleaned} expired ${cleaned === 1 ? "entry was" : "entries were"} deleted`,
        },
      };
    },
    memoryDelete: async (id) => ({ success: true, data: { deleted: await store.delete(text("id", id)) } }),
    memoryGetContent: async (id) => {
      const entry = await read(id);
      if (!entry) throw new MemoryError("not-found", "not found: no entry with this id", { field: "id" });
      return { success: true, data: { id: entry.id, content: entry.content } };
    },
  };
}

async function added(
  store: MemoryStore,
  entry: MemoryEntry,
  config: MemoryServiceConfig,
  content: string,
): Promise<MemoryAdded> {
  const { id, namespace, summary } = entry;
  await store.add(entry);
  const over = (await store.count(namespace)) - limitsOf(config, namespace).maxEntries;
  if (over > 0) {
    // The oldest entries are evicted, never the new one (D38).
    const others = (await store.list(namespace)).filter((other) => other.id !== id);
    others.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
    for (const { id: oldest } of others.slice(0, over)) await store.delete(oldest);
  }
  const contentLength = [...content].length;
  const data = { id, namespace, contentLength, summary, message: `Stored in ${namespace} memory` };
  return { success: true, referenceId: id, summary, contentLength, data };
}

function entryOf(
  config: MemoryServiceConfig,
  content: unknown,
  namespace: unknown,
  options: MemoryAddOptions,
): MemoryEntry {
  const limits = limitsOf(config, namespace);
  const whole = text("content", content);
  const { tags = [], source, importance, metadata, ...others } = { ...options };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refused(unknown, "is not a known option");
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) {
    throw refused("tags", "must be an array of strings");
  }
  if (importance !== undefined && !(typeof importance === "number" && importance >= 0 && importance <= 1)) {
    throw refused("importance", "must be a number from 0 to 1");
  }
  const now = Date.now();
  const at = new Date(now).toISOString();
  return {
    id: idOf(crypto.getRandomValues(new Uint8Array(8))),
    namespace: namespace as string,
    content: truncated(whole, limits.maxContentChars),
    summary: summaryOf(whole, limits.maxSummaryChars),
    tags: [...tags],
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(now + limits.ttlDays * DAY).toISOString(),
    ...(source !== undefined && { source }),
    ...(importance !== undefined && { importance }),
    ...(metadata !== undefined && { metadata }),
  };
}

async function searched(
  store: MemoryStore,
  read: (id: string) => Promise<MemoryEntry | null>,
  config: MemoryServiceConfig,
  query: string,
  options: MemorySearchOptions,
): Promise<unknown> {
  text("query", query);
  const usual = retrievalOf(config);
  const output = outputOf(config);
  const { namespace, tags, limit = usual.limit, minScore = usual.minScore, ...more } = { ...options };
  const { includeContent = output.include, ...others } = more;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refused(unknown, "is not a known option");
  if (namespace !== undefined) limitsOf(config, namespace);
  if (!Number.isSafeInteger(limit) || limit < 1) throw refused("limit", "must be a positive integer");
  const wanted = ({ namespace: of, tags: labels }: MemoryEntry) => {
    const lower = (labels ?? []).map((label) => label.toLowerCase());
    const labelled = !tags || tags.length === 0 || tags.some((tag) => lower.includes(tag.toLowerCase()));
    return labelled && (namespace === undefined || namespace === of);
  };
  const shown = (entry: MemoryEntry, score?: number): MemorySearchResult => ({
    id: entry.id,
    namespace: entry.namespace,
    summary: entry.summary,
    tags: entry.tags,
    ...(score !== undefined && { score: `${(score * 100).toFixed(1)}%` }),
    createdAt: entry.createdAt,
    ...(includeContent && { contentPreview: previewOf(entry.content, output.chars) }),
  });
  // An id matches exactly; such a result has no score (D11, D16).
  const exact = await read(query);
  const results: MemorySearchResult[] = [];
  if (exact && (namespace === undefined || namespace === exact.namespace)) {
    results.push(shown(exact));
  } else {
    const tokens = tokensOf(query);
    const hits = tokens.length === 0 ? [] : await store.search(tokens, { namespace, tags, limit, minScore });
    const now = Date.now();
    const fits = ({ entry, score }: { entry: MemoryEntry; score: number }) =>
      score >= minScore && wanted(entry) && !(entry.expiresAt && Date.parse(entry.expiresAt) <= now);
    const best = hits.filter(fits).sort((one, other) => other.score - one.score);
    results.push(...best.slice(0, limit).map(({ entry, score }) => shown(entry, score)));
  }
  const found = results.length > 0;
  const data = { found, results, total: results.length, query };
  return { success: true, data: found ? data : { ...data, message: "No matching memories" } };
}

function text(field: string, value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") throw refused(field, "must be a non-empty string");
  return value;
}

const idOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

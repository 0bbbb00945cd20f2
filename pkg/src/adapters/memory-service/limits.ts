// The documented configuration (D6, D7), with defaults for missing fields.

import { refused } from "../../base/errors.js";
import type { BackendConfig } from "../../storage/backends.js";
import type { MemoryConfig, NamespaceConfig } from "../../wire/types.js";

/** The documented configuration: the storage of entries, and limits. */
export interface MemoryServiceConfig extends BackendConfig, MemoryConfig<string> {
  /** The version of the configuration. Default: `"1.0.0"`. */
  version?: string | undefined;
}

/** The limits of a namespace, with every field set. */
export type Limits = { [name in keyof NamespaceConfig]-?: number };

const SHORT: Limits = { maxEntries: 2000, ttlDays: 14, maxContentChars: 200_000, maxSummaryChars: 1200 };
const LONG: Limits = { ...SHORT, maxEntries: 20_000, ttlDays: 3650, maxContentChars: 500_000 };
const DEFAULTS: { readonly [name: string]: Limits } = { "short-term": SHORT, "long-term": LONG };

/** The limits of a namespace. A namespace that is not in the configuration is refused (D36). */
export function limitsOf(config: MemoryServiceConfig, namespace: unknown): Limits {
  const all: { [name: string]: NamespaceConfig | undefined } = { ...DEFAULTS, ...config.namespaces };
  if (typeof namespace !== "string" || !Object.hasOwn(all, namespace)) {
    throw refused("namespace", `must be one of ${Object.keys(all).join(", ")}`);
  }
  const given = Object.entries({ ...all[namespace] }).filter(([, value]) => value !== undefined);
  return { ...(DEFAULTS[namespace] ?? SHORT), ...Object.fromEntries(given) };
}

/** The defaults of a search. */
export function retrievalOf(config: MemoryServiceConfig): { limit: number; minScore: number } {
  const { topK: limit = 5, minScore = 0.15 } = config.retrieval ?? {};
  return { limit, minScore };
}

/** The length of a content in results. */
export function outputOf(config: MemoryServiceConfig): { include: boolean; chars: number } {
  const { includeContentByDefault: include = false, contentPreviewChars: chars = 1200 } = config.output ?? {};
  return { include, chars };
}

// The documented configuration (D6, D7), with defaults for everything that it leaves out.

import { refused } from "../../base/errors.js";
import type { BackendConfig } from "../../storage/backends.js";
import type { MemoryConfig, NamespaceConfig } from "../../wire/types.js";

/** The documented configuration: where entries are kept, and within which limits. */
export interface MemoryServiceConfig extends BackendConfig, MemoryConfig<string> {
  /** The version of the configuration. Default: `"1.0.0"`. */
  version?: string | undefined;
}

/** The limits of a namespace, with no field missing. */
export type Limits = { [name in keyof NamespaceConfig]-?: number };

const SHORT: Limits = { maxEntries: 2000, ttlDays: 14, maxContentChars: 200_000, maxSummaryChars: 1200 };
const LONG: Limits = { ...SHORT, maxEntries: 20_000, ttlDays: 3650, maxContentChars: 500_000 };
const DEFAULTS: { readonly [name: string]: Limits } = { "short-term": SHORT, "long-term": LONG };

/** The limits of a namespace. One that no configuration names is refused (D36). */
export function limitsOf(config: MemoryServiceConfig, namespace: unknown): Limits {
  const all: { [name: string]: NamespaceConfig | undefined } = { ...DEFAULTS, ...config.namespaces };
  if (typeof namespace !== "string" || !Object.hasOwn(all, namespace)) {
    throw refused("namespace", `must be one of ${Object.keys(all).join(", ")}`);
  }
  const given = Object.entries({ ...all[namespace] }).filter(([, value]) => value !== undefined);
  return { ...(DEFAULTS[namespace] ?? SHORT), ...Object.fromEntries(given) };
}

/** How a search answers unless it says otherwise. */
export function retrievalOf(config: MemoryServiceConfig): { limit: number; minScore: number } {
  const { topK: limit = 5, minScore = 0.15 } = config.retrieval ?? {};
  return { limit, minScore };
}

/** How much of a content is shown. */
export function outputOf(config: MemoryServiceConfig): { include: boolean; chars: number } {
  const { includeContentByDefault: include = false, contentPreviewChars: chars = 1200 } = config.output ?? {};
  return { include, chars };
}

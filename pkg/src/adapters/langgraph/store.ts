// LangGraph's store, which threads share, in a collection of the memory.

import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { MemoryError, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Collection } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import type { Json } from "../../wire/types.js";
import { passes } from "./filter.js";
import { itemKey, namespaceOf, partsOfItem } from "./item-keys.js";
import { under } from "./keys.js";
import { matches } from "./namespaces.js";
import { wordsAt } from "./words.js";

/** Options of `KeepsakeStore`. */
export interface StoreOptions {
  /** The collection. Stores with the same name share their items. Default: `"langgraph.store"`. */
  name?: string | undefined;
  /** The paths of the searchable strings of an item, if `put` names none. Default: `["$"]`, the whole value. */
  fields?: readonly string[] | undefined;
}

/** A filter: fields with values, or with operators. */
export interface StoreFilter {
  [field: string]: unknown;
}

type Kept = { value: { [field: string]: Json }; createdAt: number; updatedAt: number };

/** The maximum number of retries after conflicts. In every race one writer succeeds, so more means another problem. */
const TRIES = 100;

/** With a filter, this many times more hits are read at first. */
const MORE = 4;

/**
 * Items in namespaces, shared by all threads and tabs. A search with a `query` ranks by words, best first, without a model;
 * every `batch` is atomic.
 *
 * @example
 * const graph = builder.compile({ checkpointer, store: new KeepsakeStore(memory) });
 */
export class KeepsakeStore extends BaseStore {
  readonly #kept: Collection<Kept>;
  readonly #fields: readonly string[];

  constructor(memory: Memory, options: StoreOptions = {}) {
    super();
    known(options, "name fields");
    const { name = "langgraph.store", fields = ["$"] } = options;
    if (!Array.isArray(fields) || !fields.every((path) => typeof path === "string")) {
      throw refused("fields", "must be an array of paths");
    }
    this.#kept = memory.collection<Kept>(name);
    this.#fields = fields;
  }

  /** Runs all operations. Reads see the state before the puts; of two puts with one key the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    if (!Array.isArray(operations)) throw refused("operations", "must be an array");
    const puts = new Map<string, PutOperation>();
    for (const [at, operation] of operations.entries()) {
      if (typeof operation !== "object" || operation === null) {
        throw refused(`operations[${at}]`, "must be an object");
      }
      if ("value" in operation) puts.set(itemKey(operation), checked(operation));
    }
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    if (puts.size > 0) await this.#put(puts);
    return results as OperationResults<Op>;
  }

  async #read(operation: Operation): Promise<SearchItem[] | Item | string[][] | null | undefined> {
    if ("namespacePrefix" in operation) return this.#search(operation);
    if ("value" in operation) return undefined;
    return "key" in operation ? this.#get(operation) : this.#namespaces(operation);
  }

  async #get(operation: GetOperation): Promise<Item | null> {
    const key = itemKey(operation);
    const kept = await this.#kept.get(key);
    return kept ? itemOf(key, kept) : null;
  }

  async #put(puts: ReadonlyMap<string, PutOperation>): Promise<void> {
    const keys = [...puts.keys()];
    for (let tried = 0; tried < TRIES; tried += 1) {
      const now = Date.now();
      const before = await this.#kept.getMany(keys);
      const changes = Array.from(puts, ([key, { value, index }], at) => {
        if (value === null) return { key, delete: true as const };
        const kept: Kept = { value, createdAt: before[at]?.createdAt ?? now, updatedAt: now };
        const text = index === false ? "" : wordsAt(value, index ?? this.#fields);
        return text === "" ? { key, value: kept } : { key, value: kept, text };
      });
      // An item that another tab has created since keeps its creation time.
      const expect = keys.map((key, at) => [key, before[at]] as const);
      if (await this.#kept.write(changes, { expect })) return;
    }
    throw new MemoryError("conflict", "others kept writing first; try again");
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, query, limit = 10, offset = 0 } = operation;
    const prefix = under(...namespaceOf(namespacePrefix, "namespacePrefix"));
    const end = count(offset, "offset") + count(limit, "limit");
    const found: SearchItem[] = [];
    if (query) {
      for (const hit of await this.#hits(query, prefix, end, filter)) {
        found.push({ ...itemOf(hit.key, hit.value), score: hit.score });
      }
    } else if (end > 0) {
      for await (const [key, kept] of this.#kept.entries({ prefix })) {
        if (passes(kept.value, filter)) found.push(itemOf(key, kept));
        if (found.length >= end) break;
      }
    }
    return found.slice(offset, end);
  }

  /** At least `limit` hits, if there are that many. A filter drops some, so more are read. */
  async #hits(query: string, prefix: string, wanted: number, filter: StoreFilter | undefined) {
    for (let limit = filter ? wanted * MORE : wanted; ; limit *= MORE) {
      const hits = await this.#kept.search(query, { prefix, limit });
      const passing = hits.filter(({ value: { value } }) => passes(value, filter));
      if (passing.length >= wanted || hits.length < limit) return passing;
    }
  }

  async #namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit = 100, offset = 0 } = operation;
    const end = count(offset, "offset") + count(limit, "limit");
    const depth = maxDepth === undefined ? undefined : count(maxDepth, "maxDepth");
    const found = new Map<string, string[]>();
    for await (const namespace of this.#everyNamespace()) {
      if (!matchConditions.every((condition) => matches(namespace, condition))) continue;
      const cut = namespace.slice(0, depth);
      found.set(under(...cut), cut);
    }
    const keys = [...found.keys()].sort();
    return keys.slice(offset, end).map((key) => found.get(key) ?? []);
  }

  /** Every namespace with an item. After one item of each it skips to the end of that namespace. */
  async *#everyNamespace(): AsyncGenerator<string[]> {
    for (let after: string | undefined; ; ) {
      const [next] = await this.#kept.list(after === undefined ? { limit: 1 } : { after, limit: 1 });
      if (!next) return;
      const { namespace } = partsOfItem(next.key);
      yield namespace;
      after = afterItems(namespace);
    }
  }
}

/** The end of a namespace: `0` is the character after `/`, which follows the namespace in keys. */
function afterItems(namespace: readonly string[]): string {
  return `${under(...namespace)}0`;
}

function itemOf(key: string, { value, createdAt, updatedAt }: Kept): Item {
  return { ...partsOfItem(key), value, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) };
}

function checked(operation: PutOperation): PutOperation {
  const { value, index } = operation;
  if (value === undefined || typeof value !== "object" || Array.isArray(value)) {
    throw refused("value", "must be an object, or null to delete the item");
  }
  if (
    index !== undefined &&
    index !== false &&
    !(Array.isArray(index) && index.every((path) => typeof path === "string"))
  ) {
    throw refused("index", "must be false or an array of paths");
  }
  return operation;
}

function count(value: number, field: string): number {
  if (Number.isInteger(value) && value >= 0) return value;
  throw refused(field, "must be an integer >= 0");
}

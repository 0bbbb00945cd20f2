// The routes of the API: which method of a memory each one calls, and with what.

import type { Collection, CollectionChange } from "../../memory/collection.js";
import type { Memory } from "../../memory/memory.js";
import type { ContextOptions } from "../../wire/context.js";
import type { DigestOptions } from "../../wire/digest.js";
import type { Format } from "../../wire/formats.js";
import type { MessageInput } from "../../wire/messages.js";
import type { WriteOptions } from "../../wire/once.js";
import type { RecallOptions } from "../../wire/recall.js";
import type { SearchOptions } from "../../wire/search.js";
import type { Json, MemoryChanges, MemoryDraft } from "../../wire/types.js";
import { Refusal, unfit } from "./failures.js";
import { type Fields, numberOf } from "./incoming.js";

/** What a route is asked. */
export interface Asked {
  memory: Memory;
  /** What stands in the path where the route has a name: an id, or the name of a collection. */
  name: string;
  /** The parameters of the address. */
  query: Query;
  /** The body, if the route has one. */
  body: Fields;
  /** The key under which a write is made once. */
  once: WriteOptions;
}

/** All parameters that some route knows. */
export interface Query {
  namespace?: string;
  limit?: string;
  after?: string;
  before?: string;
  id?: string;
  keepEntries?: string;
}

/** One route. */
export interface Route {
  /** Its method and its path, in which `*` stands for a name. With `POST` and `PATCH` there is a body. */
  at: `${"GET" | "POST" | "PATCH" | "DELETE"} ${string}`;
  /** The parameters that it knows. Default: none. */
  query?: readonly (keyof Query)[];
  /** The status of its answer if it writes. Default: it only reads. */
  writes?: 200 | 201;
  run(asked: Asked): Promise<unknown>;
}

/** Collections of the API's own, which clients do not see. */
const RESERVED = "keepsake/";

/** How many entries or values a page has at most. */
export const MOST = 1000;
const PAGE = 100;

export const ROUTES: readonly Route[] = [
  { at: "GET stats", run: ({ memory }) => memory.stats() },
  {
    at: "POST entries",
    writes: 201,
    run: ({ memory, body: { content, ...draft }, once }) =>
      memory.add(content as string, draft as MemoryDraft, once),
  },
  {
    at: "GET entries",
    query: ["namespace", "limit", "after"],
    run: async ({ memory, query }) => {
      const limit = numberOf(query.limit, "limit", MOST) ?? PAGE;
      const entries = await memory.list({ ...(query as object), limit });
      const next = entries.length === limit ? entries.at(-1)?.id : undefined;
      return { entries, next };
    },
  },
  { at: "GET entries/*", run: async ({ memory, name }) => there(await memory.get(name), "id") },
  {
    at: "PATCH entries/*",
    writes: 200,
    run: async ({ memory, name, body: { id, ...changes }, once }) => {
      // The path says which entry it is.
      if (id !== undefined) none({ id });
      return memory.update(name, changes as MemoryChanges, once);
    },
  },
  {
    at: "DELETE entries/*",
    writes: 200,
    run: async ({ memory, name, once }) => ({ deleted: await memory.delete(name, once) }),
  },
  {
    at: "GET entries/*/history",
    run: async ({ memory, name }) => ({ versions: await memory.history(name) }),
  },
  {
    at: "POST search",
    run: async ({ memory, body: { query, ...options } }) => ({
      hits: await memory.search(query as string, options as SearchOptions),
    }),
  },
  {
    at: "POST recall",
    run: async ({ memory, body: { query, ...options } }) => {
      const found = await memory.queryMemory(query as string, options as RecallOptions);
      return { found, digest: found.digest };
    },
  },
  {
    at: "POST clear",
    writes: 200,
    run: async ({ memory, body: { namespace, ...rest }, once }) => {
      none(rest);
      return { deleted: await memory.clear(namespace as "short-term" | undefined, once) };
    },
  },
  { at: "GET sessions", run: async ({ memory }) => ({ sessions: await memory.sessions() }) },
  {
    at: "GET sessions/*",
    run: async ({ memory, name }) => there(await memory.session(name).info(), "session"),
  },
  {
    at: "PATCH sessions/*",
    writes: 200,
    run: ({ memory, name, body: { title, ...rest }, once }) => {
      none(rest);
      return memory.session(name).setTitle(title as string, once);
    },
  },
  {
    at: "DELETE sessions/*",
    query: ["keepEntries"],
    writes: 200,
    run: async ({ memory, name, query: { keepEntries = "false" }, once }) => {
      if (!["true", "false"].includes(keepEntries)) throw unfit("keepEntries", "must be `true` or `false`");
      const keeps = { keepEntries: keepEntries === "true", ...once };
      return { deleted: await memory.session(name).delete(keeps) };
    },
  },
  {
    at: "GET sessions/*/messages",
    query: ["limit", "before"],
    run: ({ memory, name, query }) => {
      const limit = numberOf(query.limit, "limit", MOST);
      return memory.session(name).messages({ limit, before: query.before });
    },
  },
  {
    at: "POST sessions/*/messages",
    writes: 201,
    run: async ({ memory, name, body: { messages, agent, ...rest }, once }) => {
      none(rest);
      const said = listed<MessageInput>(messages, "messages");
      const talk = memory.session(name, { agent: agent as string | undefined });
      return { messages: await talk.append(said, once) };
    },
  },
  {
    at: "GET sessions/*/messages/one",
    query: ["id"],
    run: async ({ memory, name, query }) => there(await memory.session(name).message(query.id ?? ""), "id"),
  },
  {
    at: "POST digest",
    run: async ({ memory, body }) => memory.digest(body as DigestOptions),
  },
  {
    at: "POST sessions/*/context",
    run: ({ memory, name, body }) =>
      memory.session(name).context(body as unknown as ContextOptions & { format: Format }),
  },
  {
    at: "POST collections/*/values",
    run: async ({ memory, name, body: { keys, ...rest } }) => {
      none(rest);
      const all = listed<string>(keys, "keys");
      const found = await collection(memory, name).getMany(all);
      const values = found.flatMap((value, at) => (value === undefined ? [] : [{ key: all[at], value }]));
      return { values };
    },
  },
  {
    at: "POST collections/*/list",
    run: async ({ memory, name, body: { limit = PAGE, ...range } }) => {
      numberOf(String(limit), "limit", MOST);
      return { values: await collection(memory, name).list({ ...range, limit: limit as number }) };
    },
  },
  {
    at: "POST collections/*/search",
    run: async ({ memory, name, body: { query, ...options } }) => ({
      hits: await collection(memory, name).search(query as string, options),
    }),
  },
  {
    at: "POST collections/*/write",
    writes: 200,
    run: async ({ memory, name, body: { changes, expect, ...rest }, once }) => {
      none(rest);
      const options = { expect: expect === undefined ? expect : expectations(expect), ...once };
      const all = listed<CollectionChange>(changes, "changes");
      return { written: await collection(memory, name).write(all, options) };
    },
  },
];

function collection(memory: Memory, name: string): Collection {
  if (name.startsWith(RESERVED)) throw unfit("collection", `must not begin with \`${RESERVED}\``);
  return memory.collection(name);
}

/** `[{ key, value? }]`, as JSON can say it: no value means that there must be none. */
function expectations(expect: unknown): [string, Json | undefined][] {
  const all = listed<{ key: string; value?: Json } | null>(expect, "expect");
  // Without a key it is refused by the memory.
  return all.map((one) => [one?.key as string, one?.value]);
}

/** What it lists is looked at by the memory. */
function listed<T>(value: unknown, field: string): T[] {
  if (!Array.isArray(value)) throw unfit(field, "must be an array");
  return value as T[];
}

function none(rest: Fields): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw unfit(unknown.slice(0, 64), "is not known here");
}

function there<T>(found: T | null, field: string): T {
  if (found === null) throw new Refusal(404, "not-found", "there is none with that id", field);
  return found;
}

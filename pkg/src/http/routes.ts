// The routes of the API: which method of a memory each one calls, and with what.

import type { Collection, CollectionChange } from "../collection.js";
import type { ContextOptions } from "../context.js";
import type { DigestOptions } from "../digest.js";
import type { Format } from "../formats.js";
import type { Memory } from "../memory.js";
import type { MessageInput } from "../messages.js";
import type { RecallOptions } from "../recall.js";
import type { SearchOptions } from "../search.js";
import type { Json, MemoryChanges, MemoryDraft } from "../types.js";
import { Refusal, unfit } from "./failures.js";
import { type Fields, numberOf } from "./incoming.js";
import { addOnce, appendOnce, RESERVED } from "./once.js";

/** What a route is asked. */
export interface Asked {
  memory: Memory;
  /** What stands in the path where the route has a name: an id, or the name of a collection. */
  name: string;
  /** The parameters of the address. */
  query: Query;
  /** The body, if the route has one. */
  body: Fields;
  /** The key under which it is to be done once. */
  once: string | undefined;
  /** Does it once under that key, by keeping its answer; without a key it is just done. */
  keep(write: () => Promise<unknown>): Promise<unknown>;
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
  /** `*` stands for a name. */
  path: string;
  /** With `POST` and `PATCH` there is a body. */
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The parameters that it knows. Default: none. */
  query?: readonly (keyof Query)[];
  /**
   * How it is done once: by `itself`, which makes something new, or with its `answer` kept under the request's key.
   * Default: it only reads.
   */
  writes?: "itself" | "answer";
  run(asked: Asked): Promise<unknown>;
}

/** How many entries or values a page has at most. */
export const MOST = 1000;
const PAGE = 100;

export const ROUTES: readonly Route[] = [
  { path: "stats", method: "GET", run: ({ memory }) => memory.stats() },
  {
    path: "entries",
    method: "POST",
    writes: "itself",
    run: async ({ memory, body: { content, ...draft }, once, keep }) => {
      const text = content as string;
      // An entry with a key takes the place of the one before it, and has that one's id: the id cannot tell.
      if (once === undefined || Object.hasOwn(draft, "key"))
        return keep(() => memory.add(text, draft as MemoryDraft));
      return addOnce(memory, text, draft as MemoryDraft, once);
    },
  },
  {
    path: "entries",
    method: "GET",
    query: ["namespace", "limit", "after"],
    run: async ({ memory, query }) => {
      const limit = numberOf(query.limit, "limit", MOST) ?? PAGE;
      const entries = await memory.list({ ...(query as object), limit });
      const next = limit > 0 && entries.length === limit ? entries.at(-1)?.id : undefined;
      return { entries, next };
    },
  },
  { path: "entries/*", method: "GET", run: async ({ memory, name }) => there(await memory.get(name), "id") },
  {
    path: "entries/*",
    method: "PATCH",
    writes: "answer",
    run: ({ memory, name, body }) => memory.update(name, withoutId(body) as MemoryChanges),
  },
  {
    path: "entries/*",
    method: "DELETE",
    writes: "answer",
    run: async ({ memory, name }) => ({ deleted: await memory.delete(name) }),
  },
  {
    path: "entries/*/history",
    method: "GET",
    run: async ({ memory, name }) => ({ versions: await memory.history(name) }),
  },
  {
    path: "search",
    method: "POST",
    run: async ({ memory, body: { query, ...options } }) => ({
      hits: await memory.search(query as string, options as SearchOptions),
    }),
  },
  {
    path: "recall",
    method: "POST",
    run: async ({ memory, body: { query, ...options } }) => {
      const found = await memory.queryMemory(query as string, options as RecallOptions);
      return { found, digest: found.digest };
    },
  },
  {
    path: "clear",
    method: "POST",
    writes: "answer",
    run: async ({ memory, body: { namespace, ...rest } }) => {
      none(rest);
      return { deleted: await memory.clear(namespace as "short-term" | undefined) };
    },
  },
  { path: "sessions", method: "GET", run: async ({ memory }) => ({ sessions: await memory.sessions() }) },
  {
    path: "sessions/*",
    method: "GET",
    run: async ({ memory, name }) => there(await memory.session(name).info(), "session"),
  },
  {
    path: "sessions/*",
    method: "PATCH",
    writes: "answer",
    run: ({ memory, name, body: { title, ...rest } }) => {
      none(rest);
      return memory.session(name).setTitle(title as string);
    },
  },
  {
    path: "sessions/*",
    method: "DELETE",
    query: ["keepEntries"],
    writes: "answer",
    run: async ({ memory, name, query: { keepEntries = "false" } }) => {
      if (!["true", "false"].includes(keepEntries)) throw unfit("keepEntries", "must be `true` or `false`");
      return { deleted: await memory.session(name).delete({ keepEntries: keepEntries === "true" }) };
    },
  },
  {
    path: "sessions/*/messages",
    method: "GET",
    query: ["limit", "before"],
    run: ({ memory, name, query }) => {
      const limit = numberOf(query.limit, "limit", MOST);
      return memory.session(name).messages({ limit, before: query.before });
    },
  },
  {
    path: "sessions/*/messages",
    method: "POST",
    writes: "itself",
    run: async ({ memory, name, body: { messages, agent, ...rest }, once }) => {
      none(rest);
      const said = listed<MessageInput>(messages, "messages");
      const whose = agent as string | undefined;
      if (once !== undefined) return { messages: await appendOnce(memory, name, said, whose, once) };
      return { messages: await memory.session(name, { agent: whose }).append(said) };
    },
  },
  {
    path: "sessions/*/messages/one",
    method: "GET",
    query: ["id"],
    run: async ({ memory, name, query }) => there(await memory.session(name).message(query.id ?? ""), "id"),
  },
  {
    path: "digest",
    method: "POST",
    run: async ({ memory, body }) => memory.digest(body as DigestOptions),
  },
  {
    path: "sessions/*/context",
    method: "POST",
    run: ({ memory, name, body }) =>
      memory.session(name).context(body as unknown as ContextOptions & { format: Format }),
  },
  {
    path: "collections/*/values",
    method: "POST",
    run: async ({ memory, name, body: { keys, ...rest } }) => {
      none(rest);
      const all = listed<string>(keys, "keys");
      const found = await collection(memory, name).getMany(all);
      const values = found.flatMap((value, at) => (value === undefined ? [] : [{ key: all[at], value }]));
      return { values };
    },
  },
  {
    path: "collections/*/list",
    method: "POST",
    run: async ({ memory, name, body: { limit = PAGE, ...range } }) => {
      if (Number(limit) > MOST) throw unfit("limit", `must be a whole number from 0 to ${MOST}`);
      return { values: await collection(memory, name).list({ ...range, limit: limit as number }) };
    },
  },
  {
    path: "collections/*/search",
    method: "POST",
    run: async ({ memory, name, body: { query, ...options } }) => ({
      hits: await collection(memory, name).search(query as string, options),
    }),
  },
  {
    path: "collections/*/write",
    method: "POST",
    writes: "answer",
    run: async ({ memory, name, body: { changes, expect, ...rest } }) => {
      none(rest);
      const options = { expect: expect === undefined ? expect : expectations(expect) };
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
  return listed<{ key: string; value?: Json } | null>(expect, "expect").map((one, at) => {
    if (!one) throw unfit(`expect[${at}]`, "must be a key with its value");
    return [one.key, one.value];
  });
}

/** What it lists is looked at by the memory. */
function listed<T>(value: unknown, field: string): T[] {
  if (!Array.isArray(value)) throw unfit(field, "must be a list");
  return value as T[];
}

/** The path says whose id it is; a second one in the body would have to be checked against it. */
function withoutId(body: Fields): Fields {
  if (Object.hasOwn(body, "id")) throw unfit("id", "is in the path");
  return body;
}

function none(rest: Fields): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw unfit(unknown.slice(0, 64), "is not known here");
}

function there<T>(found: T | null, field: string): T {
  if (found === null) throw new Refusal(404, "not-found", "there is none with that id", { field });
  return found;
}

// Maps a request to the arguments of its route's verb, and the verb's result to the response. The table of routes is
// generated from `wit/`.

import type { Memory } from "../../memory/memory.js";
import type { MessageInput } from "../../wire/messages.js";
import type { WriteOptions } from "../../wire/once.js";
import { Refusal, unfit } from "./failures.js";
import { ROUTES, type Route } from "./generated.js";
import { type Fields, flagOf, numberOf } from "./incoming.js";

export type { Route };

/** A verb call. */
interface Asked {
  memory: Memory;
  /** The arguments of the verb. */
  args: Fields;
  /** The idempotency key of a write. */
  once: WriteOptions;
}

/** The prefix of internal collections, which clients cannot access. */
const RESERVED = "keepsake/";

/** Verbs that need more than a call of the core: an embedder, a reranker or a compression. */
const METHODS: { readonly [verb: string]: (asked: Asked) => Promise<unknown> } = {
  add: async ({ memory, args: { content, ...draft }, once }) =>
    memory.add(stringOf(content, "content"), draft, once),
  addMany: async ({ memory, args: { drafts, ...rest }, once }) => {
    checkNothing(rest);
    if (!Array.isArray(drafts))
      throw unfit("drafts", drafts === undefined ? "is required" : "must be a list");
    return memory.addMany(drafts, once);
  },
  update: async ({ memory, args: { id, ...changes }, once }) =>
    memory.update(stringOf(id, "id"), changes, once),
  search: async ({ memory, args: { query, ...options } }) => memory.search(stringOf(query, "query"), options),
  queryMemory: async ({ memory, args: { query, ...options } }) =>
    memory.queryMemory(stringOf(query, "query"), options),
  append: async ({ memory, args: { session, messages, agent, ...rest }, once }) => {
    checkNothing(rest);
    const who = agent === undefined || agent === null ? {} : { agent: stringOf(agent, "agent") };
    return memory.session(stringOf(session, "session"), who).append(arrayOf<MessageInput>(messages), once);
  },
  context: async ({ memory, args: { session, ...options } }) =>
    memory.session(stringOf(session, "session")).context(options),
  values: async ({ memory, args }) => {
    const { keys } = args;
    const found = arrayOf(await memory.byVerb("values", args));
    // An existing value is wrapped in an array, because it may be `null`.
    return found.flatMap((held, at) => arrayOf(held).map((value) => ({ key: arrayOf(keys)[at], value })));
  },
};

/** The routes of a path, one per method, and the name in the path. */
export function routesOf([version, ...parts]: readonly string[]): { routes: Route[]; name: string } {
  const fits = ({ path }: Route) => {
    const wanted = path.split("/");
    // An empty name means an extra slash, which must not match another route.
    const same = (part: string, at: number) => (part.startsWith("{") ? parts[at] !== "" : part === parts[at]);
    return wanted.length === parts.length && wanted.every(same);
  };
  const routes = version === "v1" ? Object.values<Route>(ROUTES).filter(fits) : [];
  return { routes, name: parts[1] ?? "" };
}

/** The arguments of a route's verb: the body, the query parameters, the name in the path, and defaults. */
export function argumentsOf(
  route: Route,
  name: string,
  query: { [name: string]: string },
  body: Fields,
): Fields {
  const { defaults = {}, most = {}, lists = [] } = route;
  const args: Fields = { ...body };
  const [, argument] = /\{(\w+)\}/.exec(route.path) ?? [];
  if (argument !== undefined) {
    if (Object.hasOwn(body, argument)) throw unfit(argument, "is not known here");
    if (argument === "collection" && name.startsWith(RESERVED))
      throw unfit(argument, `must not begin with \`${RESERVED}\``);
    args[argument] = name;
  }
  for (const [param, kind] of Object.entries(route.query ?? {})) {
    const value = query[param];
    if (value === undefined) continue;
    if (kind === "text") args[param] = value;
    else args[param] = kind === "flag" ? flagOf(value, param) : numberOf(value, param, most[param]);
  }
  for (const [field, value] of Object.entries(defaults)) args[field] ??= value;
  for (const [field, limit] of Object.entries(most)) {
    const value = args[field] ?? undefined;
    if (value !== undefined) numberOf(String(value), field, limit);
  }
  for (const field of lists) if (!Array.isArray(args[field])) throw unfit(field, "must be an array");
  return args;
}

/** Calls the verb of a route, and converts its result to the route's response. */
export async function run(route: Route, asked: Asked): Promise<unknown> {
  const method = METHODS[route.verb];
  const { memory, args, once } = asked;
  const found = await (method?.(asked) ?? memory.byVerb(route.verb, args, route.writes && once));
  if (found === null && route.missing !== undefined)
    throw new Refusal(404, "not-found", "there is none with that id", route.missing);
  if (route.answer === undefined) return found;
  const { items } = route;
  const named = (item: unknown) => items?.map((name, at) => [name, arrayOf(item)[at]]);
  const answer = items ? arrayOf(found).map((item) => Object.fromEntries(named(item) ?? [])) : found;
  const more = route.next !== undefined && { [route.next]: cursor(arrayOf(found), args) };
  // A question for an overview returns a digest in addition to the hits.
  const { digest } = route.verb === "queryMemory" ? fieldsOf(found) : {};
  return { [route.answer]: answer, ...more, digest };
}

/** The id of the last item, if the page is full. */
function cursor(page: readonly unknown[], { limit }: Fields): unknown {
  const { id } = fieldsOf(page.at(-1));
  return page.length === limit ? id : undefined;
}

/** Refuses arguments that a route does not have. */
function checkNothing(rest: object): void {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw unfit(unknown.slice(0, 64), "is not known here");
}

/** Checks for a string. The memory validates the rest. */
function stringOf(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw unfit(field, value === undefined || value === null ? "is required" : "must be a string");
}

/** An array. The memory validates its items. */
function arrayOf<T = unknown>(value: unknown): T[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

// Generated from wit/ by `cargo xtask generate`. Do not edit.

/** One route. */
export interface Route {
  /** The verb that it calls. */
  verb: string;
  /** With `POST` and `PATCH` there is a body. */
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below `/v1/`; a name in braces is an argument. */
  path: string;
  /** The status of the answer if it writes. Default: it only reads. */
  writes?: 200 | 201;
  /** The parameters of the address. Default: none. */
  query?: { readonly [name: string]: "text" | "count" | "flag" };
  /** Arguments of the body that must be arrays. Default: none. */
  lists?: readonly string[];
  /** Values of arguments that a request leaves out. Default: none. */
  defaults?: { readonly [name: string]: unknown };
  /** The largest values of arguments. Default: none. */
  most?: { readonly [name: string]: number };
  /** The field that the answer stands in. Default: it is the whole answer. */
  answer?: string;
  /** The field for the id of a full page's last item. Default: there are no pages. */
  next?: string;
  /** The argument that names something that may be missing: then the answer is 404. Default: none. */
  missing?: string;
  /** The names of the values in answered arrays: the API writes objects. Default: items stay as they are. */
  items?: readonly string[];
}

/** Every route of the API by its verb, in the order of path and method. */
export const ROUTES = {
  clear: {
    verb: "clear",
    method: "POST",
    path: "clear",
    writes: 200,
    answer: "deleted",
  },
  listValues: {
    verb: "listValues",
    method: "POST",
    path: "collections/{collection}/list",
    most: { limit: 1000 },
    answer: "values",
    items: ["key", "value"],
  },
  searchValues: {
    verb: "searchValues",
    method: "POST",
    path: "collections/{collection}/search",
    answer: "hits",
    items: ["key", "value", "score"],
  },
  values: {
    verb: "values",
    method: "POST",
    path: "collections/{collection}/values",
    lists: ["keys"],
    answer: "values",
  },
  editValues: {
    verb: "editValues",
    method: "POST",
    path: "collections/{collection}/write",
    writes: 200,
    lists: ["changes"],
    defaults: { expect: [] },
    answer: "written",
  },
  conflicts: {
    verb: "conflicts",
    method: "GET",
    path: "conflicts",
    query: { agent: "text", limit: "count" },
    most: { limit: 1000 },
    answer: "conflicts",
  },
  resolve: {
    verb: "resolve",
    method: "POST",
    path: "conflicts/{id}",
    writes: 200,
    answer: "past",
  },
  digest: {
    verb: "digest",
    method: "POST",
    path: "digest",
  },
  list: {
    verb: "list",
    method: "GET",
    path: "entries",
    query: { namespace: "text", limit: "count", after: "text", asOf: "text", includePast: "flag" },
    defaults: { limit: 100 },
    most: { limit: 1000 },
    answer: "entries",
    next: "next",
  },
  add: {
    verb: "add",
    method: "POST",
    path: "entries",
    writes: 201,
  },
  get: {
    verb: "get",
    method: "GET",
    path: "entries/{id}",
    missing: "id",
  },
  update: {
    verb: "update",
    method: "PATCH",
    path: "entries/{id}",
    writes: 200,
  },
  delete: {
    verb: "delete",
    method: "DELETE",
    path: "entries/{id}",
    writes: 200,
    answer: "deleted",
  },
  history: {
    verb: "history",
    method: "GET",
    path: "entries/{id}/history",
    answer: "versions",
  },
  promote: {
    verb: "promote",
    method: "POST",
    path: "entries/{id}/promote",
    writes: 200,
  },
  addMany: {
    verb: "addMany",
    method: "POST",
    path: "entries/many",
    writes: 201,
    lists: ["drafts"],
    answer: "entries",
  },
  forget: {
    verb: "forget",
    method: "POST",
    path: "forget",
    writes: 200,
    defaults: { messages: false },
  },
  queryMemory: {
    verb: "queryMemory",
    method: "POST",
    path: "recall",
    answer: "found",
  },
  rollback: {
    verb: "rollback",
    method: "POST",
    path: "rollback",
    writes: 200,
    defaults: { preview: false },
  },
  search: {
    verb: "search",
    method: "POST",
    path: "search",
    answer: "hits",
  },
  sessions: {
    verb: "sessions",
    method: "GET",
    path: "sessions",
    answer: "sessions",
  },
  session: {
    verb: "session",
    method: "GET",
    path: "sessions/{session}",
    missing: "session",
  },
  setTitle: {
    verb: "setTitle",
    method: "PATCH",
    path: "sessions/{session}",
    writes: 200,
  },
  deleteSession: {
    verb: "deleteSession",
    method: "DELETE",
    path: "sessions/{session}",
    writes: 200,
    query: { keepEntries: "flag" },
    defaults: { keepEntries: false },
    answer: "deleted",
  },
  context: {
    verb: "context",
    method: "POST",
    path: "sessions/{session}/context",
    defaults: { budget: 32000 },
  },
  messages: {
    verb: "messages",
    method: "GET",
    path: "sessions/{session}/messages",
    query: { limit: "count", before: "text" },
    most: { limit: 1000 },
  },
  append: {
    verb: "append",
    method: "POST",
    path: "sessions/{session}/messages",
    writes: 201,
    lists: ["messages"],
    answer: "messages",
  },
  message: {
    verb: "message",
    method: "GET",
    path: "sessions/{session}/messages/one",
    query: { id: "text" },
    missing: "id",
  },
  stats: {
    verb: "stats",
    method: "GET",
    path: "stats",
  },
} as const satisfies { [verb: string]: Route };

/** A verb that has a route. */
export type RoutedVerb = keyof typeof ROUTES;

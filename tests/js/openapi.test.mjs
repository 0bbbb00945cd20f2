// The description of the API and the API: the same paths, and answers of the shapes that are described.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { ask, nodeServer } from "./http.mjs";

const read = async (path) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const api = JSON.parse(await read("docs/openapi.json"));

let server;
before(async () => {
  server = await nodeServer();
});
after(() => server.close());

/** What stands behind a reference. */
function resolved(node) {
  if (!node?.$ref) return node;
  const found = node.$ref
    .slice(2)
    .split("/")
    .reduce((at, part) => at?.[part], api);
  assert.ok(found, `${node.$ref} leads nowhere`);
  return resolved(found);
}

/** Where a value does not fit a schema. As much of JSON Schema as the description uses; answers may have no unknown field. */
function misfits(value, schema, at = "answer") {
  const {
    type,
    const: only,
    enum: some,
    required = [],
    properties,
    additionalProperties,
    items,
    allOf,
  } = resolved(schema);
  if (allOf) {
    const parts = allOf.map(resolved);
    const merged = { type: "object", required: parts.flatMap((part) => part.required ?? []), properties: {} };
    for (const part of parts) Object.assign(merged.properties, part.properties);
    return misfits(value, merged, at);
  }
  const is = { array: Array.isArray, integer: Number.isInteger, object: (v) => v?.constructor === Object };
  if (type && !(is[type] ? is[type](value) : typeof value === type)) return [`${at} is no ${type}`];
  if (only !== undefined && value !== only) return [`${at} is not ${only}`];
  if (some && !some.includes(value)) return [`${at} is none of ${some}`];
  if (type === "array") return value.flatMap((item, n) => misfits(item, items, `${at}[${n}]`));
  if (type !== "object") return [];
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${at}.${name} is missing`);
  const inner = Object.entries(value).flatMap(([name, field]) => {
    if (properties?.[name]) return misfits(field, properties[name], `${at}.${name}`);
    if (additionalProperties) return misfits(field, additionalProperties, `${at}.${name}`);
    return properties && !properties.type ? [`${at}.${name} is not described`] : [];
  });
  return [...missing, ...inner];
}

test("every route is described, and every description is a route", async () => {
  const source = await read("pkg/src/serve/http/routes.ts");
  const routes = [...source.matchAll(/at: "(\w+) ([^"]+)"/g)].map(
    ([, method, path]) => `${method} /v1/${path}`,
  );
  const described = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, "*")}`),
  );
  assert.ok(routes.length > 15, String(routes.length));
  assert.deepEqual(described.sort(), [...routes, "GET /v1/health", "GET /v1/metrics"].sort());
});

test("every reference leads somewhere", () => {
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (node.$ref) resolved(node);
    for (const child of Object.values(node)) visit(child);
  };
  visit(api);
});

test("answers have the shapes that are described", async () => {
  const entry = {
    content: "Deploy keys rotate on Mondays",
    tags: ["ops"],
    source: "a",
    speaker: "Ann",
    session: "s",
  };
  const said = {
    messages: [{ role: "user", content: "hello", name: "Ann", metadata: { a: 1 } }],
    agent: "helper",
  };
  let id = "";
  let message = "";
  const calls = [
    ["post", "/v1/entries", "", entry],
    ["get", "/v1/entries", "?limit=1"],
    ["get", "/v1/entries/{id}"],
    ["patch", "/v1/entries/{id}", "", { content: "Deploy keys rotate on Fridays" }],
    ["get", "/v1/entries/{id}/history"],
    ["post", "/v1/search", "", { query: "deploy keys", explain: true, includeContent: true }],
    ["post", "/v1/recall", "", { query: "deploy keys" }],
    ["get", "/v1/stats"],
    ["post", "/v1/sessions/{id}/messages", "", said],
    ["get", "/v1/sessions/{id}/messages"],
    ["get", "/v1/sessions/{id}/messages/one", "?id="],
    ["patch", "/v1/sessions/{id}", "", { title: "A talk" }],
    ["get", "/v1/sessions/{id}"],
    ["get", "/v1/sessions"],
    ["post", "/v1/sessions/{id}/context", "", { budget: 500 }],
    ["post", "/v1/digest", "", { topic: "hello", maxTokens: 500 }],
    ["post", "/v1/digest", "", {}],
    ["post", "/v1/recall", "", { query: "What have we talked about?" }],
    ["delete", "/v1/sessions/{id}"],
    ["post", "/v1/collections/{name}/write", "", { changes: [{ key: "a", value: 1, text: "tea" }] }],
    ["post", "/v1/collections/{name}/values", "", { keys: ["a"] }],
    ["post", "/v1/collections/{name}/list", "", {}],
    ["post", "/v1/collections/{name}/search", "", { query: "tea" }],
    ["delete", "/v1/entries/{id}"],
    ["post", "/v1/clear", "", {}],
    ["get", "/v1/health"],
    ["get", "/v1/entries/{id}", "", undefined, "404"],
    ["post", "/v1/search", "", { query: 7 }, "400"],
  ];
  for (const [method, path, query = "", body, wanted] of calls) {
    const real = path.replace("{id}", path.includes("sessions") ? "s" : id).replace("{name}", "box");
    const asked = `${real}${query}${query === "?id=" ? message : ""}`;
    const { status, json } = await ask(server.url, "ann", method.toUpperCase(), asked, body);
    const { responses } = api.paths[path][method];
    const what = `${method} ${path}: ${status} ${JSON.stringify(json)}`;
    assert.equal(String(status), wanted ?? Object.keys(responses)[0], what);
    const { schema } = resolved(responses[status]).content["application/json"];
    assert.deepEqual(misfits(json, schema), [], what);
    if (path === "/v1/entries" && method === "post") id = json.id;
    if (path.endsWith("/messages") && method === "post") message = json.messages[0].id;
  }
  assert.notDeepEqual(misfits({ total: "1" }, api.components.schemas.Stats), [], "the look itself can fail");
});

// The description of the API and the API: the same paths, and answers of the shapes that are described.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { ask, nodeServer } from "./support/http.mjs";

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

/**
 * A schema that allows no field that it does not describe. Parts of `allOf` stay open: each would refuse the fields of the
 * others.
 */
function closed(node, isPart = false) {
  if (Array.isArray(node)) return node.map((item) => closed(item));
  if (typeof node !== "object" || node === null) return node;
  const { allOf, ...rest } = node;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, child]) => [name, closed(child)]));
  if (allOf) inner.allOf = allOf.map((part) => closed(resolved(part), true));
  const isOpen = isPart || node.additionalProperties !== undefined || !(allOf ?? node.properties);
  return isOpen ? inner : { type: "object", ...inner, unevaluatedProperties: false };
}

const ajv = formats.default(new Ajv2020({ allErrors: true })).addVocabulary(["components"]);
const components = { schemas: closed(api.components.schemas) };

/** Where a value does not fit a schema of the description. */
function misfits(value, schema) {
  const fits = ajv.compile({ ...closed(schema), components });
  return fits(value) ? [] : fits.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test("every route is described, and every description is a route", async () => {
  const source = await read("pkg/src/serve/http/generated.ts");
  const routes = [...source.matchAll(/method: "(\w+)",\s+path: "([^"]+)"/g)].map(
    ([, method, path]) => `${method} /v1/${path.replace(/\{\w+\}/, "*")}`,
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
});

test("an answer that misses a field, has another type or an unknown field is found out", () => {
  const { Error: error, EntryWithContent: entry } = api.components.schemas;
  const told = { code: "not-found", message: "x", field: "id" };
  assert.deepEqual(misfits({ error: told }, error), []);
  assert.deepEqual(misfits({ error: { ...told, message: 1 } }, error), ["/error/message must be string"]);
  assert.deepEqual(misfits({ error: { ...told, more: 1 } }, error), [
    "/error must NOT have unevaluated properties",
  ]);
  assert.ok(misfits({}, entry).includes(" must have required property 'content'"));
  assert.ok(misfits({ createdAt: "Monday" }, entry).includes('/createdAt must match format "date-time"'));
});

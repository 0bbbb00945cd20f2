// The API from Node's server and from Cloudflare's runtime.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { apiSuite } from "./support/api-suite.mjs";
import { tokenOf } from "./support/edge.mjs";
import { ask, nodeServer, raw, workerdServer } from "./support/http.mjs";

apiSuite("Node", nodeServer);
apiSuite("workerd", workerdServer);

test("who asks too fast is told when to come back, and others are not held up", async () => {
  const server = await nodeServer({ requestsPerMinute: 5 });
  try {
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await ask(server.url, "ann", "GET", "/v1/stats")).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    const { json, headers } = await ask(server.url, "ann", "POST", "/v1/entries", { content: "x" });
    assert.equal(json.error.code, "rate-limited");
    assert.ok(Number(headers.get("Retry-After")) >= 1);
    assert.equal((await ask(server.url, "bob", "GET", "/v1/stats")).json.total, 0);
  } finally {
    await server.close();
  }
});

test("S10 S20 only the origins that are named may ask, and a memory that fails keeps its words to itself", async () => {
  const memory = () => {
    throw new TypeError("quotes the secret");
  };
  const server = await nodeServer({ origins: ["https://app.example"], memory });
  try {
    const from = (origin) => ask(server.url, "ann", "GET", "/v1/stats", undefined, { Origin: origin });
    const { status, text, headers } = await from("https://app.example");
    assert.deepEqual([status, text.includes("secret")], [500, false]);
    assert.equal(headers.get("Access-Control-Allow-Origin"), "https://app.example");
    assert.equal((await from("https://evil.example")).headers.get("Access-Control-Allow-Origin"), null);
  } finally {
    await server.close();
  }
});

test("a memory that was closed is said to be unavailable", async () => {
  const server = await nodeServer();
  try {
    await ask(server.url, "ann", "GET", "/v1/stats");
    await (await server.memories.get("ann")).close();
    const { status, json } = await ask(server.url, "ann", "POST", "/v1/entries", { content: "x" });
    assert.deepEqual([status, json.error.code], [503, "closed"]);
  } finally {
    await server.close();
  }
});

/** Runs with a server of Node's, which is closed afterwards. */
async function served(work) {
  const server = await nodeServer();
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

test("finding 7: methods that no `Request` can have are refused as any other, with and without a token", () =>
  served(async ({ url }) => {
    for (const method of ["TRACE", "TRACK", "PROPFIND", "PUT"]) {
      const head = (more) => `${method} /v1/stats HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`;
      const { status, body } = await raw(url, head(`Authorization: Bearer ${tokenOf("ann")}\r\n`));
      // Some of them no `Request` can have, and some Node's own parser does not know.
      assert.ok(
        status === 405 || (status === 400 && method.startsWith("TRAC")),
        `${method}: ${status} ${body}`,
      );
      assert.match(body, /"error"/);
      assert.ok((await raw(url, head(""))).status < 500, method);
    }
  }));

test("finding 7: a body that says it is too long is refused before it comes", () =>
  served(async ({ url }) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    // Not a byte of the body is ever sent.
    socket.write(
      `POST /v1/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf("ann")}\r\nContent-Length: 20000000\r\n\r\n`,
    );
    let first = "";
    socket.on("data", (data) => {
      first += data;
    });
    // It is there before a hundred other requests are answered.
    for (let n = 0; n < 100; n++) await ask(url, "bob", "GET", "/v1/stats");
    assert.match(first, /^HTTP\/1\.1 413 /);
    assert.match(first, /connection: close/i);
    socket.destroy();
    // One that is sent all the same is answered as well, and the next request is not mixed up with it.
    const body = "x".repeat(11_000_000);
    const answer = await ask(url, "ann", "POST", "/v1/entries", body);
    assert.deepEqual([answer.status, answer.json.error.field], [413, "body"]);
    assert.equal((await ask(url, "ann", "GET", "/v1/stats")).json.total, 0);
  }));

test("finding 7: a key that was used on one route is refused on another", () =>
  served(async ({ url }) => {
    const requests = [
      ["POST", "/v1/entries", { content: "tea" }],
      ["POST", "/v1/sessions/a/messages", { messages: [{ role: "user", content: "tea" }] }],
      ["POST", "/v1/sessions/b/messages", { messages: [{ role: "user", content: "tea" }] }],
      ["POST", "/v1/clear", { namespace: "long-term" }],
      ["POST", "/v1/collections/box/write", { changes: [{ key: "k", value: 1 }] }],
    ];
    for (const [at, first] of requests.entries()) {
      for (const [other, second] of requests.entries()) {
        if (other === at) continue;
        const once = { "Idempotency-Key": `k-${at}-${other}` };
        const done = await ask(url, "ann", ...first, once);
        assert.ok(done.status < 300, `${first[1]}: ${done.text}`);
        const { status, json } = await ask(url, "ann", ...second, once);
        assert.deepEqual(
          [status, json.error?.field],
          [422, "Idempotency-Key"],
          `${first[1]}, then ${second[1]}`,
        );
        const again = await ask(url, "ann", ...first, once);
        assert.equal(again.text, done.text);
      }
    }
    // A request that failed has used up nothing.
    const once = { "Idempotency-Key": "failed" };
    assert.equal((await ask(url, "ann", "POST", "/v1/entries", { content: "" }, once)).status, 400);
    assert.equal((await ask(url, "ann", ...requests[1], once)).status, 201);
  }));

test("finding 7: two requests at once under one key, with other contents: one is done, the other refused", () =>
  served(async ({ url }) => {
    const once = { "Idempotency-Key": "both" };
    const add = (content) => ask(url, "ann", "POST", "/v1/entries", { content }, once);
    const answers = await Promise.all([add("green tea"), add("trà xanh")]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    assert.equal((await ask(url, "ann", "GET", "/v1/stats")).json.total, 1);
  }));

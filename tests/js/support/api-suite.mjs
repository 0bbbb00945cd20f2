// The API over real HTTP, whoever serves it: what it does, and what it refuses.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { tokenOf } from "./edge.mjs";
import { ask, raw } from "./http.mjs";

const LIMIT_MS = 60_000;

/**
 * Puts the server that `serve` starts through every case. `says` may name what it calls what others call otherwise: a
 * server in Rust reads no text that is not well formed, and says so of the whole body.
 */
export function apiSuite(name, serve, says = {}) {
  describe(`the API on ${name}`, { timeout: LIMIT_MS }, () => {
    let server;
    before(async () => {
      server = await serve();
    });
    after(() => server?.close());
    const as =
      (user) =>
      (...args) =>
        ask(server.url, user, ...args);
    const total = async (user) => (await as(user)("GET", "/v1/stats")).json.total;

    test("entries are added, read, changed, listed, found and deleted", async () => {
      const ann = as("ann");
      const {
        status,
        json: entry,
        headers,
      } = await ann("POST", "/v1/entries", {
        content: "Deploy keys rotate on Mondays",
        tags: ["ops"],
      });
      assert.equal(status, 201);
      assert.match(headers.get("Content-Type"), /application\/json/);
      assert.equal(headers.get("Cache-Control"), "no-store");
      const path = `/v1/entries/${entry.id}`;
      assert.equal((await ann("GET", path)).json.content, "Deploy keys rotate on Mondays");
      assert.equal((await ann("PATCH", path, { content: "Deploy keys rotate on Fridays" })).json.version, 2);
      const { versions } = (await ann("GET", `${path}/history`)).json;
      assert.deepEqual(
        versions.map(({ content }) => content),
        ["Deploy keys rotate on Mondays"],
      );
      const { hits } = (await ann("POST", "/v1/search", { query: "deploy keys", explain: true })).json;
      assert.deepEqual([hits[0].id, hits[0].receipt.length > 0], [entry.id, true]);
      const { found, digest } = (await ann("POST", "/v1/recall", { query: "deploy keys" })).json;
      assert.equal(digest, undefined);
      assert.equal(found[0].ref, entry.id);
      assert.deepEqual((await ann("DELETE", path)).json, { deleted: true });
      assert.deepEqual((await ann("DELETE", path)).json, { deleted: false });
      assert.equal((await ann("GET", path)).status, 404);
      const notes = [0, 1, 2, 3, 4].map((n) => ({ content: `note ${n}` }));
      const keyed = { "Idempotency-Key": "notes" };
      const many = (await ann("POST", "/v1/entries/many", { drafts: notes }, keyed)).json.entries;
      assert.equal(many.length, 5);
      // The answer was lost, and the request is made again.
      assert.deepEqual((await ann("POST", "/v1/entries/many", { drafts: notes }, keyed)).json.entries, many);
      const first = (await ann("GET", "/v1/entries?limit=3")).json;
      const second = (await ann("GET", `/v1/entries?limit=3&after=${first.next}`)).json;
      assert.deepEqual(
        [...first.entries, ...second.entries].map(({ summary }) => summary),
        ["note 4", "note 3", "note 2", "note 1", "note 0"],
      );
      assert.equal(second.next, undefined);
      assert.deepEqual((await ann("POST", "/v1/clear", { namespace: "short-term" })).json, { deleted: 5 });
      const { id } = (await ann("POST", "/v1/entries", { content: "The garage code is 1357" })).json;
      const forgotten = (await ann("POST", "/v1/forget", { query: "the garage code" })).json;
      assert.deepEqual(forgotten, { entries: [id], messages: 0 });
    });

    test("statements that contradict each other are listed and settled, also if the answer is lost", async () => {
      const ann = as("ann");
      const ids = [];
      for (const content of ["I live in Hanoi", "I live in Da Nang"]) {
        ids.push((await ann("POST", "/v1/entries", { content, namespace: "long-term" })).json.id);
      }
      const { conflicts } = (await ann("GET", "/v1/conflicts")).json;
      assert.deepEqual(
        conflicts.map(({ newer, older }) => [newer.content, older.content]),
        [["I live in Da Nang", "I live in Hanoi"]],
      );
      for (const _ of ["first", "retry"]) {
        const headers = { "Idempotency-Key": "settle" };
        const answer = await ann("POST", `/v1/conflicts/${conflicts[0].id}`, { keep: "newer" }, headers);
        assert.deepEqual([answer.status, answer.json], [200, { past: [ids[0]] }]);
      }
      assert.deepEqual((await ann("GET", "/v1/conflicts?agent=travel")).json, { conflicts: [] });
      for (const id of ids) await ann("DELETE", `/v1/entries/${id}`);
    });

    test("an entry is promoted, and what came from a source, a session or since a time is taken back", async () => {
      const ann = as("ann");
      const add = (body) => ann("POST", "/v1/entries", body);
      const rollback = async (body) => (await ann("POST", "/v1/rollback", body)).json;
      const old = (await add({ content: "Hanoi", key: "city" })).json;
      const [source, trust] = ["https://example.com", "low"];
      assert.equal((await add({ content: "Berlin", key: "city", source, trust })).json.version, 2);
      const { id } = (await add({ content: "The gate opens at nine", source, trust })).json;
      const promotion = { trust: "high", by: "ana", why: "I called them" };
      const promote = (headers) => ann("POST", `/v1/entries/${id}/promote`, promotion, headers);
      const { json: entry } = await promote({ "Idempotency-Key": "promote" });
      assert.deepEqual([entry.trust, entry.version, entry.promoted.from], ["high", 2, "low"]);
      assert.equal((await promote({ "Idempotency-Key": "promote" })).json.version, 2);
      const again = await promote({});
      assert.deepEqual([again.status, again.json.error.field], [400, "trust"]);
      const expected = { removed: [{ kind: "entry", id }], restored: [{ kind: "entry", id: old.id }] };
      assert.deepEqual(await rollback({ source, preview: true }), expected);
      assert.equal((await ann("GET", `/v1/entries/${old.id}`)).json.content, "Berlin");
      for (const _ of ["first", "retry"]) {
        const answer = await ann("POST", "/v1/rollback", { source }, { "Idempotency-Key": "rollback" });
        assert.deepEqual([answer.status, answer.json], [200, expected]);
      }
      assert.equal((await ann("GET", `/v1/entries/${old.id}`)).json.content, "Hanoi");
      assert.equal((await ann("GET", `/v1/entries/${id}`)).status, 404);
      assert.deepEqual(await rollback({ source }), { removed: [], restored: [] });
      await ann("POST", "/v1/sessions/s/messages", { messages: [{ role: "user", content: "hello" }] });
      assert.deepEqual((await rollback({ session: "s" })).removed, [{ kind: "session", id: "s" }]);
      const { removed } = await rollback({ since: old.createdAt });
      assert.deepEqual(removed, [{ kind: "entry", id: old.id }]);
    });

    test("sessions are talked in, read, made a prompt of, and deleted", async () => {
      const ann = as("ann");
      const path = `/v1/sessions/${encodeURIComponent("a/b ü?#%")}`;
      assert.equal((await ann("GET", path)).status, 404);
      const messages = [
        { role: "user", content: "hello" },
        { role: "assistant", content: "hi" },
      ];
      assert.equal((await ann("POST", `${path}/messages`, { messages, agent: "helper" })).status, 201);
      const page = (await ann("GET", `${path}/messages?limit=1`)).json;
      assert.deepEqual([page.total, page.more, page.messages[0].role], [2, true, "assistant"]);
      const one = await ann("GET", `${path}/messages/one?id=${page.messages[0].id}`);
      assert.deepEqual(one.json, page.messages[0]);
      assert.equal((await ann("PATCH", path, { title: "A talk" })).json.title, "A talk");
      assert.equal((await ann("GET", "/v1/sessions")).json.sessions[0].agent, "helper");
      const prompt = (await ann("POST", `${path}/context`, { budget: 500, format: "anthropic" })).json;
      assert.equal(prompt.messages.messages.length, 2);
      assert.deepEqual((await ann("DELETE", path)).json, { deleted: 2 });
      assert.deepEqual((await ann("GET", "/v1/sessions")).json, { sessions: [] });
    });

    test("collections hold values, whole or not at all", async () => {
      const post = (verb, body) => as("ann")("POST", `/v1/collections/box/${verb}`, body);
      const changes = [
        { key: "a", value: { n: 1 }, text: "green tea" },
        { key: "__proto__", value: 2 },
      ];
      assert.deepEqual((await post("write", { changes })).json, { written: true });
      const { values } = (await post("values", { keys: ["a", "none", "__proto__"] })).json;
      assert.deepEqual(values, [
        { key: "a", value: { n: 1 } },
        { key: "__proto__", value: 2 },
      ]);
      const refused = { changes: [{ key: "a", delete: true }], expect: [{ key: "a", value: 0 }] };
      assert.deepEqual((await post("write", refused)).json, { written: false });
      assert.equal((await post("list", { limit: 1 })).json.values.length, 1);
      assert.equal((await post("search", { query: "tea" })).json.hits[0].key, "a");
      const own = await as("ann")("POST", "/v1/collections/keepsake%2Fanswers/list", {});
      assert.deepEqual([own.status, own.json.error.field], [400, "collection"]);
      await post("write", { changes: [{ prefix: "", delete: true }] });
      assert.deepEqual((await post("list", {})).json.values, []);
    });

    test("a write under a key is done once, and its answer is the same", async () => {
      const once = (key) => ({ "Idempotency-Key": key });
      const bob = as("bob");
      const add = (content, key, more) => bob("POST", "/v1/entries", { content, ...more }, once(key));
      const many = await Promise.all(Array.from({ length: 20 }, () => add("once", "k-1")));
      assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([201]));
      assert.equal(new Set(many.map(({ text }) => text)).size, 1);
      const [{ json: entry }] = many;
      assert.equal(await total("bob"), 1);
      const other = await add("another", "k-1");
      assert.deepEqual([other.status, other.json.error.field], [422, "Idempotency-Key"]);
      const keyed = await Promise.all([1, 2, 3].map(() => add("Oslo", "k-2", { key: "user.city" })));
      assert.deepEqual(
        keyed.map(({ json }) => json.version),
        [1, 1, 1],
      );
      const path = `/v1/entries/${entry.id}`;
      const change = () => bob("PATCH", path, { importance: 1 }, once("k-3"));
      const changed = await Promise.all([change(), change(), change()]);
      assert.deepEqual(
        changed.map(({ json }) => json.version),
        [2, 2, 2],
      );
      assert.equal((await bob("PATCH", path, { importance: 0.5 }, once("k-3"))).status, 422);
      const remove = () => bob("DELETE", path, undefined, once("k-4"));
      assert.deepEqual(
        [(await remove()).json, (await remove()).json],
        [{ deleted: true }, { deleted: true }],
      );
      const said = {
        messages: [
          { role: "user", content: "a" },
          { role: "user", content: "b" },
        ],
      };
      const append = (body) => bob("POST", "/v1/sessions/s/messages", body, once("k-5"));
      const [first, second] = await Promise.all([append(said), append(said)]);
      assert.equal(first.text, second.text);
      assert.equal((await append({ messages: [{ role: "user", content: "c" }] })).status, 422);
      assert.equal((await bob("GET", "/v1/sessions/s")).json.messages, 2);
      const told = (await bob("POST", "/v1/digest", { maxTokens: 500 })).json;
      assert.deepEqual(
        told.sessions.map(({ session, messages }) => ({ session, messages })),
        [{ session: "s", messages: 2 }],
      );
      const asked = (await bob("POST", "/v1/recall", { query: "What have we talked about?" })).json;
      assert.deepEqual(asked.digest.sessions, told.sessions);
      for (const key of ["", "a b", "x".repeat(256), "é"]) {
        const { status, json } = await add("never", key).catch(() => ({ status: 400, json: undefined }));
        assert.equal(status, 400, key);
        if (json) assert.equal(json.error.field, "Idempotency-Key");
      }
      assert.equal((await bob("POST", "/v1/recall", { query: "never" })).json.found.length, 0);
    });

    test("nobody comes in without a token, and nobody sees another's", async () => {
      const { json: entry } = await as("ann")("POST", "/v1/entries", { content: "Ann's own" });
      for (const authorization of [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        "Basic abc",
        "Bearer unknown",
        `Bearer ${tokenOf("ann")} x`,
      ]) {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        const answer = await ask(server.url, undefined, "POST", "/v1/entries", { content: "x" }, headers);
        assert.deepEqual([answer.status, answer.json.error.code], [401, "unauthorized"], authorization);
        assert.equal(answer.headers.get("WWW-Authenticate"), "Bearer");
      }
      for (const [method, body] of [["GET"], ["PATCH", { content: "x" }]]) {
        const { status, json } = await as("cyd")(method, `/v1/entries/${entry.id}`, body);
        assert.deepEqual([status, json.error.code], [404, "not-found"]);
      }
      assert.deepEqual((await as("cyd")("DELETE", `/v1/entries/${entry.id}`)).json, { deleted: false });
      assert.equal((await as("cyd")("POST", "/v1/search", { query: "own" })).json.hits.length, 0);
      assert.equal((await as("ann")("GET", `/v1/entries/${entry.id}`)).json.content, "Ann's own");
      assert.equal(await total("cyd"), 0);
    });

    test("bad requests get an error in JSON, and nothing is stored", async () => {
      const dan = as("dan");
      const bad = [
        ["POST", "/v1/entries", "{", 400, "body"],
        ["POST", "/v1/entries", "", 400, "body"],
        ["POST", "/v1/entries", "[]", 400, "body"],
        ["POST", "/v1/entries", "null", 400, "body"],
        [
          "POST",
          "/v1/entries",
          `{"content":"x","metadata":${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
          400,
          says.tooDeep ?? "metadata",
        ],
        ["POST", "/v1/entries", {}, 400, "content"],
        ["POST", "/v1/entries", { content: 7 }, 400, "content"],
        ["POST", "/v1/entries", { content: "x", importance: 2 }, 400, "importance"],
        ["POST", "/v1/entries", '{"content":"x","__proto__":{"a":1}}', 400, "__proto__"],
        ["POST", "/v1/entries", { content: "x", id: "i".repeat(300) }, 413, "id"],
        ["POST", "/v1/entries", '{"content":"\\ud800"}', 400, says.illFormed ?? "content"],
        ["GET", "/v1/entries?limit=-1", undefined, 400, "limit"],
        ["GET", "/v1/entries?limit=1001", undefined, 400, "limit"],
        ["GET", "/v1/entries?limit=1&limit=2", undefined, 400, "limit"],
        ["GET", "/v1/entries?offset=1", undefined, 400, "offset"],
        ["GET", "/v1/entries?after=nobody", undefined, 400, "after"],
        ["GET", "/v1/entries/", undefined, 404, "path"],
        ["DELETE", "/v1/entries/", undefined, 404, "path"],
        ["GET", "/v1/entries/%ff", undefined, 400, "path"],
        ["GET", "/v1/entries/a%0d%0aSet-Cookie:%20a=b", undefined, 404, "id"],
        ["GET", "/v1/nothing", undefined, 404, "path"],
        ["GET", "/v2/stats", undefined, 404, "path"],
        ["GET", "/", undefined, 404, "path"],
        ["PUT", "/v1/entries", { content: "x" }, 405, "method"],
        ["DELETE", "/v1/stats", undefined, 405, "method"],
        ["PATCH", "/v1/entries/nobody", { content: "x" }, 404, undefined],
        ["PATCH", "/v1/entries/a", { id: "b" }, 400, "id"],
        ["POST", "/v1/search", { query: 7 }, 400, "query"],
        ["POST", "/v1/search", { query: "x", limit: -1 }, 400, "limit"],
        ["POST", "/v1/clear", { user: "ann" }, 400, "user"],
        ["POST", "/v1/forget", { query: "?" }, 400, "query"],
        ["POST", "/v1/forget", { query: "tea", messages: "yes" }, 400, "messages"],
        [
          "POST",
          "/v1/entries/many",
          { drafts: [{ content: "a" }, { content: "" }] },
          400,
          "drafts[1].content",
        ],
        ["POST", "/v1/entries/many", { drafts: { content: "a" } }, 400, "drafts"],
        ["POST", "/v1/entries/many", { drafts: [], draft: {} }, 400, "draft"],
        ["POST", "/v1/entries/nobody/promote", { trust: "high", by: "a", why: "b" }, 404, undefined],
        ["POST", "/v1/entries/a/promote", { trust: "high", by: "a" }, 400, "why"],
        ["POST", "/v1/entries/a/promote", { trust: "top", by: "a", why: "b" }, 400, "trust"],
        ["POST", "/v1/rollback", {}, 400, "source"],
        ["POST", "/v1/rollback", { source: "page", session: "s" }, 400, "source"],
        ["POST", "/v1/rollback", { since: "yesterday" }, 400, "since"],
        ["POST", "/v1/rollback", { source: "page", preview: "yes" }, 400, "preview"],
        ["GET", "/v1/conflicts?limit=no", undefined, 400, "limit"],
        ["POST", "/v1/conflicts/none", { keep: "neither" }, 400, "keep"],
        ["POST", "/v1/conflicts/none", { keep: "both" }, 404, undefined],
        ["POST", "/v1/digest", { maxTokens: 0 }, 400, "maxTokens"],
        ["POST", "/v1/digest", { sessions: ["nobody"] }, 404, undefined],
        ["POST", "/v1/sessions/s/messages", { messages: "hello" }, 400, "messages"],
        ["POST", "/v1/sessions/s/messages", { messages: [null] }, 400, undefined],
        ["POST", "/v1/sessions/s/messages", { messages: [{ role: "king", content: "x" }] }, 400, undefined],
        ["DELETE", "/v1/sessions/s?keepEntries=maybe", undefined, 400, "keepEntries"],
        ["POST", "/v1/sessions/s/context", { format: "morse" }, 400, "format"],
        ["POST", "/v1/collections/box/write", { changes: {} }, 400, "changes"],
        ["POST", "/v1/collections/box/write", { changes: [], expect: [null] }, 400, "expect[0]"],
        ["POST", "/v1/collections/box/list", { limit: 5000 }, 400, "limit"],
        ["POST", "/v1/collections/box/values", { keys: "a" }, 400, "keys"],
      ];
      for (const [method, path, body, status, field] of bad) {
        for (const headers of [{}, { "Idempotency-Key": "bad" }]) {
          const answer = await dan(method, path, body, headers);
          const what = `${method} ${path} ${JSON.stringify(body)?.slice(0, 60)}: ${answer.text.slice(0, 200)}`;
          assert.equal(answer.status, status, what);
          assert.equal(typeof answer.json?.error?.message, "string", what);
          if (field) assert.ok(answer.json.error.field.startsWith(field), what);
        }
      }
      assert.equal(await total("dan"), 0);
      assert.deepEqual((await dan("GET", "/v1/sessions")).json.sessions, []);
    });

    test("a body of 100 MB is refused, whether it says its length or not", async () => {
      const head = (more) =>
        `POST /v1/entries HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf("dan")}\r\n${more}\r\n\r\n`;
      const piece = "x".repeat(1_000_000);
      const said = await raw(server.url, head("Content-Length: 100000000"), { body: piece, repeat: 100 });
      assert.deepEqual([said.status, JSON.parse(said.body).error.code], [413, "too-large"]);
      const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
      const silent = await raw(server.url, head("Transfer-Encoding: chunked"), {
        body: chunk,
        repeat: 100,
        last: "0\r\n\r\n",
      });
      assert.equal(silent.status, 413);
      assert.match(silent.body, /"too-large"/);
      assert.equal(await total("dan"), 0);
    });

    test("steps up in a path are refused and not followed, and headers cannot be smuggled in", async () => {
      const get = (path, more = "") =>
        raw(
          server.url,
          `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokenOf("dan")}\r\n${more}Connection: close\r\n\r\n`,
        );
      for (const path of [
        "/v1/entries/%2e%2e/stats",
        "/v1/entries/../stats",
        "/v1/./stats",
        "/v1/entries/.%2E",
      ]) {
        const { status, body } = await get(path);
        assert.ok(status >= 400 && status < 500, `${path}: ${status} ${body}`);
        assert.match(body, /"error"/, path);
      }
      const injected = await get("/v1/stats?limit=%0d%0aX-Evil:%201");
      assert.equal(injected.status, 400);
      assert.ok(!/x-evil/i.test(injected.head), injected.head);
      // A second way to say who somebody is, and one that the parser itself has to refuse.
      const two = await get("/v1/stats", `Authorization: Bearer ${tokenOf("ann")}\r\n`);
      assert.ok(two.status === 401 || /"total":0/.test(two.body), `${two.status} ${two.body}`);
      const broken = await get("/v1/stats", "X-A: a\u0000b\r\n");
      assert.ok(broken.status >= 400 && broken.status < 500, String(broken.status));
      if (name === "Node") assert.match(broken.body, /"invalid-input"/);
    });

    test("pages of other origins may ask, and health and metrics are told", async () => {
      const preflight = await fetch(`${server.url}/v1/entries`, {
        method: "OPTIONS",
        headers: { Origin: "https://app.example", "Access-Control-Request-Method": "POST" },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get("Access-Control-Allow-Origin"), "*");
      assert.match(preflight.headers.get("Access-Control-Allow-Headers"), /Idempotency-Key/);
      const refused = await fetch(`${server.url}/v1/stats`, { headers: { Origin: "https://app.example" } });
      assert.deepEqual([refused.status, refused.headers.get("Access-Control-Allow-Origin")], [401, "*"]);
      const health = await ask(server.url, undefined, "GET", "/v1/health");
      assert.deepEqual([health.status, health.json], [200, { status: "ok" }]);
      const head = await ask(server.url, undefined, "HEAD", "/v1/health");
      assert.deepEqual([head.status, head.text], [200, ""]);
      assert.equal(head.headers.get("Content-Type"), health.headers.get("Content-Type"));
      assert.equal((await ask(server.url, undefined, "POST", "/v1/health", {})).status, 401);
      const eve = as("eve");
      await eve("GET", "/v1/stats");
      await eve("GET", "/v1/entries/secret-name");
      const { text } = await eve("GET", "/v1/metrics");
      // A component counts its reads by a sample.
      const reads = /^keepsake_requests_total\{route="GET \/v1\/stats",status="200"\} 1$/m;
      if (!says.sampled) assert.match(text, reads);
      assert.match(text, /^keepsake_requests_total\{route="GET \/v1\/entries\/\*",status="404"\} 1$/m);
      assert.ok(!text.includes("secret-name"));
      assert.equal((await ask(server.url, undefined, "GET", "/v1/metrics")).status, 401);
    });
  });
}

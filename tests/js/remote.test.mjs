// The client of the API: over real HTTP, against Node's server and Cloudflare's runtime.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { MemoryError, RemoteError, remoteMemory } from "keepsake/remote";
import { tokenOf } from "./support/edge.mjs";
import { nodeServer, workerdServer } from "./support/http.mjs";

const LIMIT_MS = 60_000;

/** A client whose attempts are counted, and whose network can be made to fail. */
function client(server, user, options = {}) {
  const seen = { attempts: 0, keys: [], fail: () => undefined };
  const memory = remoteMemory({
    url: server.url,
    token: tokenOf(user),
    maxPause: 5,
    fetch: async (request) => {
      seen.attempts += 1;
      seen.keys.push(request.headers.get("Idempotency-Key"));
      const failed = await seen.fail(request, seen.attempts);
      return failed ?? fetch(request);
    },
    ...options,
  });
  return { memory, seen };
}

for (const [name, serve] of Object.entries({ Node: nodeServer, workerd: workerdServer })) {
  describe(`a remote memory on ${name}`, { timeout: LIMIT_MS }, () => {
    let server;
    before(async () => {
      server = await serve();
    });
    after(() => server?.close());

    test("entries have the verbs and the answers of a memory", async () => {
      const { memory } = client(server, "ann");
      const entry = await memory.add("Deploy keys rotate on Mondays", { tags: ["ops"], id: "ü/ ?#%" });
      assert.equal(entry.id, "ü/ ?#%");
      assert.equal((await memory.get(entry.id)).content, "Deploy keys rotate on Mondays");
      assert.equal((await memory.update(entry.id, { content: "on Fridays" })).version, 2);
      assert.deepEqual(
        (await memory.history(entry.id)).map(({ version }) => version),
        [1],
      );
      assert.equal((await memory.search("fridays", { tags: ["ops"] }))[0].id, entry.id);
      assert.equal((await memory.queryMemory("fridays"))[0].ref, entry.id);
      assert.equal(await memory.get("nobody"), null);
      await assert.rejects(memory.update("nobody", { content: "x" }), { code: "not-found", status: 404 });
      assert.deepEqual([await memory.delete(entry.id), await memory.delete(entry.id)], [true, false]);
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => memory.add(`note ${n}`, { namespace: "long-term" })),
      );
      assert.equal((await memory.list()).length, 12);
      assert.equal((await memory.list({ limit: 5 })).length, 5);
      assert.deepEqual(await memory.list({ limit: 0 }), []);
      const ids = new Set();
      for await (const { id } of memory.entries({ pageSize: 5 })) ids.add(id);
      assert.equal(ids.size, 12);
      assert.deepEqual([await memory.count(), await memory.count("short-term")], [12, 0]);
      assert.equal((await memory.stats()).namespaces["long-term"], 12);
      assert.equal(await memory.clear(), 12);
    });

    test("a time is milliseconds or ISO 8601 in every read", async () => {
      const { memory } = client(server, "eve");
      const [then, now] = [Date.UTC(2020, 0, 1), Date.UTC(2024, 0, 1)];
      await memory.add("Eve lives in Hanoi", { id: "old", validFrom: then, validUntil: now });
      await memory.add("Eve lives in Da Nang", { id: "new", validFrom: now });
      const ids = (entries) => entries.map(({ id }) => id);
      for (const asOf of [Date.UTC(2022, 0, 1), "2022-01-01", Date.UTC(2022, 0, 1) + 0.5]) {
        assert.deepEqual(ids(await memory.list({ asOf })), ["old"], `list ${asOf}`);
        assert.deepEqual(ids(await memory.search("Eve lives", { asOf })), ["old"], `search ${asOf}`);
        const all = [];
        for await (const entry of memory.entries({ asOf, pageSize: 1 })) all.push(entry);
        assert.deepEqual(ids(all), ["old"], `entries ${asOf}`);
      }
      assert.deepEqual(ids(await memory.list({ asOf: now })), ["new"]);
      // Before 1970.
      assert.deepEqual(await memory.list({ asOf: -1 }), []);
      for (const asOf of [Number.NaN, 1e15, 1e18, -1e15]) {
        await assert.rejects(memory.list({ asOf }), { code: "invalid-input", field: "asOf" }, `${asOf}`);
      }
      await memory.clear();
    });

    test("a conflict is listed and settled", async () => {
      const { memory } = client(server, "eve");
      await memory.add("Ich wohne in Köln", { namespace: "long-term" });
      const { id } = await memory.add("Ich wohne in Bremen", { namespace: "long-term" });
      const [conflict, ...others] = await memory.conflicts({ limit: 5 });
      assert.deepEqual([conflict.newer.id, others.length], [id, 0]);
      assert.deepEqual(await memory.resolve(conflict.id, "older"), [id]);
      assert.deepEqual(await memory.conflicts(), []);
      await assert.rejects(memory.resolve(conflict.id, "older"), { code: "not-found" });
      await memory.clear();
    });

    test("an entry is promoted, and a source is taken back, also if the answer is lost", async () => {
      const { memory, seen } = client(server, "eve");
      const { id } = await memory.add("The gate opens at nine", { trust: "low", source: "page" });
      const lost = async (request, attempt) => {
        if (attempt !== 1) return undefined;
        await fetch(request);
        throw new TypeError("the network is gone");
      };
      const losing = async (call) => {
        Object.assign(seen, { attempts: 0, fail: lost });
        const answer = await call();
        seen.fail = () => undefined;
        return answer;
      };
      const promotion = { trust: "high", by: "kim", why: "I called them" };
      const promoted = await losing(() => memory.promote(id, promotion));
      assert.deepEqual([promoted.trust, promoted.version, promoted.promoted.by], ["high", 2, "kim"]);
      await assert.rejects(memory.promote(id, promotion), { code: "invalid-input", field: "trust" });
      await assert.rejects(memory.promote("nobody", promotion), { code: "not-found" });
      const expected = { removed: [{ kind: "entry", id }], restored: [] };
      assert.deepEqual(await losing(() => memory.rollback({ source: "page", preview: true })), expected);
      assert.equal(await memory.count(), 1);
      assert.deepEqual(await losing(() => memory.rollback({ source: "page" })), expected);
      assert.equal(await memory.count(), 0);
      assert.deepEqual(await memory.rollback({ since: Date.now() }), { removed: [], restored: [] });
    });

    test("an embedding goes as numbers", async () => {
      const { memory } = client(server, "ann");
      const { id } = await memory.add("by meaning", { embedding: new Float32Array([1, 0, 0]) });
      const [hit] = await memory.search("zzz", { embedding: new Float32Array([1, 0, 0]) });
      assert.equal(hit.id, id);
      await memory.clear();
    });

    test("conversations are held, read, and made a prompt of", async () => {
      const { memory } = client(server, "bob");
      const talk = memory.session("s-1", { agent: "helper" });
      assert.equal(await talk.info(), null);
      const one = await talk.append({ role: "user", content: "hello" });
      const more = await talk.append([
        { role: "assistant", content: "hi" },
        { role: "user", content: "tea?" },
      ]);
      assert.deepEqual([one.role, more.length], ["user", 2]);
      assert.deepEqual((await talk.messages({ limit: 1 })).messages, [more[1]]);
      assert.deepEqual(await talk.message(one.id), one);
      assert.equal(await talk.message("nobody"), null);
      assert.equal((await talk.setTitle("Tea")).title, "Tea");
      assert.equal((await talk.info()).agent, "helper");
      const { messages } = await talk.context({ budget: 500, format: "openai" });
      assert.equal(messages.length, 3);
      assert.deepEqual(
        (await memory.sessions()).map(({ id }) => id),
        ["s-1"],
      );
      assert.equal(await talk.delete(), 3);
    });

    test("collections are written whole or not at all, and none of many updates is lost", async () => {
      const box = client(server, "cyd").memory.collection("box/ü");
      await box.set("a", { n: 0 }, { text: "green tea" });
      await box.set("__proto__", { n: 7 });
      assert.deepEqual(await box.getMany(["__proto__", "none", "a"]), [{ n: 7 }, undefined, { n: 0 }]);
      const others = Array.from({ length: 8 }, () => client(server, "cyd").memory.collection("box/ü"));
      await Promise.all(others.map((other) => other.update("a", ({ n }) => ({ n: n + 1 }))));
      assert.deepEqual(await box.get("a"), { n: 8 });
      await box.set("a", { n: 8 }, { text: "green tea" });
      assert.equal((await box.search("tea"))[0].key, "a");
      assert.equal(await box.write([{ key: "b", value: 1 }], { expect: [["b", 2]] }), false);
      const keys = [];
      for await (const [key] of box.entries()) keys.push(key);
      assert.deepEqual(keys, ["__proto__", "a"]);
      assert.deepEqual([await box.delete("a"), await box.delete("a")], [true, false]);
      assert.equal((await box.list({ prefix: "_" })).length, 1);
    });

    test("a write whose answer is lost is sent again under its key, and is there once", async () => {
      const { memory, seen } = client(server, "dan");
      // The service does it, and the answer goes under on the way back.
      const loseTwice = async (request, attempt) => {
        if (attempt > 2) return undefined;
        await fetch(request);
        throw new TypeError("the line went dead");
      };
      seen.fail = loseTwice;
      const { id } = await memory.add("once");
      assert.deepEqual([seen.attempts, new Set(seen.keys).size], [3, 1]);
      assert.equal(await memory.count(), 1);
      for (const write of [
        () => memory.update(id, { importance: 1 }),
        () => memory.session("s").append({ role: "user", content: "hello" }),
        () => memory.collection("box").write([{ key: "a", value: 1 }], { expect: [["a", undefined]] }),
        () => memory.delete(id),
      ]) {
        seen.attempts = 0;
        const answer = await write();
        assert.equal(seen.attempts, 3);
        if (typeof answer === "boolean") assert.equal(answer, true);
        else if ("version" in answer) assert.equal(answer.version, 2);
      }
      assert.equal((await memory.session("s").messages()).total, 1);
    });

    test("wrong tokens, wrong input and wrong ids reject with typed errors that are not tried again", async () => {
      const { memory: stranger, seen } = client(server, "nobody");
      await assert.rejects(stranger.add("x"), (error) => {
        assert.ok(error instanceof RemoteError && error instanceof MemoryError);
        const { code, field, status, reason, name } = error;
        assert.deepEqual(
          [code, field, status, reason, name],
          ["unavailable", "token", 401, "unauthorized", "MemoryError"],
        );
        return true;
      });
      assert.equal(seen.attempts, 1);
      const { memory } = client(server, "eve");
      const refused = (call, field, code = "invalid-input") =>
        assert.rejects(call, { name: "MemoryError", code, field });
      await refused(memory.add(7), "content");
      await refused(memory.add("x", { importance: 2 }), "importance");
      await refused(memory.add("x", { metadata: { a: new Map() } }), "metadata.a");
      await refused(memory.add("x", { tags: [Number.NaN] }), "tags[0]");
      await refused(memory.add("x".repeat(11_000_000)), "body", "too-large");
      await refused(memory.get(""), "id");
      await refused(memory.delete(""), "id");
      await refused(memory.get(".."), "id");
      await refused(memory.get("\ud800"), "id");
      await refused(memory.list({ limit: -1 }), "limit");
      await refused(memory.count("toString"), "namespace");
      await refused(memory.add("x", {}, { idempotencyKey: "a b" }), "idempotencyKey");
      await refused(memory.add("x", {}, { idempotencyKey: "a\r\nb: c" }), "idempotencyKey");
      assert.equal(await memory.count(), 0);
    });
  });
}

/** A server that answers as it is told, and counts. */
async function scripted(t, answer) {
  const seen = { requests: 0 };
  const server = createServer((request, response) => {
    request.resume();
    answer(response, ++seen.requests);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, seen };
}

const fail = (response, status, body = "", headers = {}) => response.writeHead(status, headers).end(body);

test("answers that say to come back are waited for, others are not", async (t) => {
  for (const [status, again] of [
    [429, true],
    [502, true],
    [503, true],
    [504, true],
    [400, false],
    [409, false],
    [507, false],
  ]) {
    const { url, seen } = await scripted(t, (response, n) =>
      n < 3 ? fail(response, status, "<html>not JSON</html>") : response.end('{"total":5,"namespaces":{}}'),
    );
    const memory = remoteMemory({ url, token: "t", maxPause: 1 });
    if (again) assert.equal(await memory.count(), 5);
    else await assert.rejects(memory.count(), { name: "MemoryError", code: "unavailable", status });
    assert.equal(seen.requests, again ? 3 : 1, String(status));
  }
});

test("it gives up after so many attempts, and says what the last one was", async (t) => {
  const { url, seen } = await scripted(t, (response) =>
    fail(response, 503, '{"error":{"code":"conflict","message":"busy"}}'),
  );
  const memory = remoteMemory({ url, token: "t", retries: 2, maxPause: 1 });
  await assert.rejects(memory.add("x"), { code: "conflict", message: "busy", status: 503 });
  assert.equal(seen.requests, 3);
  const nowhere = remoteMemory({ url: "http://127.0.0.1:9", token: "t", retries: 1, maxPause: 1 });
  await assert.rejects(nowhere.add("x"), { code: "unavailable", status: 0 });
});

test("an answer that never comes is not waited for longer than the timeout", async (t) => {
  const { url, seen } = await scripted(t, () => {});
  const memory = remoteMemory({ url, token: "t", retries: 1, timeout: 500, maxPause: 1 });
  await assert.rejects(memory.stats(), { code: "unavailable", message: /no answer in 500 ms/ });
  assert.equal(seen.requests, 2);
});

test("a signal ends a request, a pause, and all that a client does", async (t) => {
  const reason = new Error("enough");
  const { url, seen } = await scripted(
    t,
    (response, n) => n > 1 && fail(response, 503, "", { "Retry-After": "3600" }),
  );
  const memory = remoteMemory({ url, token: "t", maxPause: 3_600_000 });
  const asking = new AbortController();
  const first = memory.stats({ signal: asking.signal });
  while (seen.requests < 1) await new Promise((resolve) => setTimeout(resolve, 1));
  asking.abort(reason);
  await assert.rejects(first, (error) => error === reason);
  const pausing = new AbortController();
  const second = memory.add("x", {}, { signal: pausing.signal });
  while (seen.requests < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  setTimeout(() => pausing.abort(reason), 10);
  await assert.rejects(second, (error) => error === reason);
  await assert.rejects(memory.stats({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
  const closed = remoteMemory({ url, token: "t", signal: AbortSignal.abort(reason) });
  await assert.rejects(closed.session("s").info(), (error) => error === reason);
  assert.equal(seen.requests, 2);
});

test("a token is asked for at each attempt, and may be late", async (t) => {
  const tokens = [];
  const { url } = await scripted(t, (response, n) => {
    tokens.push(response.req.headers.authorization);
    if (n === 1) fail(response, 503);
    else response.end('{"total":1,"namespaces":{}}');
  });
  let number = 0;
  const memory = remoteMemory({ url: `${url}/`, token: async () => `t-${++number}`, maxPause: 1 });
  assert.equal(await memory.count(), 1);
  assert.deepEqual(tokens, ["Bearer t-1", "Bearer t-2"]);
  await assert.rejects(remoteMemory({ url, token: () => "a\r\nb" }).stats(), { field: "token" });
});

test("options that are none are refused by name", () => {
  const good = { url: "https://memory.example", token: "t" };
  for (const [change, field] of [
    [{ url: undefined }, "url"],
    [{ url: "memory.example" }, "url"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: "https://a.example?b" }, "url"],
    [{ token: "" }, "token"],
    [{ token: 7 }, "token"],
    [{ retries: -1 }, "retries"],
    [{ timeout: "soon" }, "timeout"],
    [{ maxPause: Number.NaN }, "maxPause"],
  ]) {
    assert.throws(() => remoteMemory({ ...good, ...change }), {
      name: "MemoryError",
      code: "invalid-input",
      field,
    });
  }
});

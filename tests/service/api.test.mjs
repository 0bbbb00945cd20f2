// The API as a component, in wasmtime and on Redis: the same cases as in Node and workerd.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { apiSuite } from "../js/support/api-suite.mjs";
import { ask, USERS } from "../js/support/http.mjs";
import { admit, DRAFTS, redis, wasmtimeServer } from "./support/server.mjs";

async function served(draft, config) {
  const store = await redis();
  await admit(store, USERS, config);
  const server = await wasmtimeServer(draft, store);
  const close = async () => {
    await server.end();
    await store.end();
  };
  return { ...server, store, close };
}

for (const draft of DRAFTS) {
  apiSuite(`wasmtime, ${draft}`, () => served(draft), { tooDeep: "body", illFormed: "body", sampled: true });

  test(`${draft}: who asks too fast is told when to come back, and others are not held up`, async () => {
    const server = await served(draft, { requestsPerMinute: 5, maxBodyBytes: 100 });
    try {
      const statuses = new Set();
      let last;
      // A minute may begin in between: then there are up to ten.
      for (let n = 0; n < 11; n++) {
        last = await ask(server.url, "ann", "GET", "/v1/stats");
        statuses.add(last.status);
      }
      assert.deepEqual([...statuses], [200, 429]);
      assert.equal(last.json.error.code, "rate-limited");
      assert.ok(Number(last.headers.get("Retry-After")) >= 1);
      assert.equal((await ask(server.url, "bob", "GET", "/v1/stats")).json.total, 0);
      const long = await ask(server.url, "bob", "POST", "/v1/entries", { content: "x".repeat(100) });
      assert.deepEqual([long.status, long.json.error.field], [413, "body"]);
    } finally {
      await server.close();
    }
  });

  test(`${draft}: a store that is gone is said to be unavailable, and so are settings that are none`, async () => {
    const server = await served(draft);
    try {
      await server.store.command("SET", "keepsake.config", "[");
      const { status, json } = await ask(server.url, "ann", "GET", "/v1/stats");
      assert.deepEqual([status, json.error.code], [500, "unavailable"]);
      await server.store.end();
      const gone = await ask(server.url, "ann", "GET", "/v1/stats");
      assert.deepEqual([gone.status, gone.json.error.code], [503, "storage-failed"]);
    } finally {
      await server.close();
    }
  });
}

test("a server refuses a cache folder that is a file", async () => {
  const starts = wasmtimeServer("draft2", { port: 1 }, ["--cache", fileURLToPath(import.meta.url)]);
  await assert.rejects(starts, /the folder of `--cache` cannot be used/);
});

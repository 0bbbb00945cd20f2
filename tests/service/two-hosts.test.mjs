// Two servers of the component before one Redis, writing to one tenant at once, and killed in the middle of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../js/support/http.mjs";
import { notesOf, writeFrom } from "./support/load.mjs";
import { admit, DRAFTS, redis, wasmtimeServer } from "./support/server.mjs";

/** Enough to meet at every step, and to grow beyond one block; `benches/service.mjs` does 2,000 each. */
const WRITES = 150;

/** So many hosts are killed; each takes ten seconds to start. */
const KILLS = Number(process.env.KEEPSAKE_KILLS ?? 2);

for (const draft of DRAFTS) {
  test(`F17 F35 ${draft}: two hosts write to one tenant at once, and none is lost`, async () => {
    const store = await redis();
    await admit(store, ["ann"]);
    const hosts = [await wasmtimeServer(draft, store), await wasmtimeServer(draft, store)];
    try {
      const told = await Promise.all(hosts.map(({ url }, at) => writeFrom(url, "ann", `host ${at}`, WRITES)));
      assert.deepEqual(await notesOf(hosts[0].url, "ann"), told.flat().sort());
      assert.deepEqual(await notesOf(hosts[1].url, "ann"), told.flat().sort());
      const { json } = await ask(hosts[1].url, "ann", "POST", "/v1/search", { query: "host 0 note 7" });
      assert.equal(json.hits[0].summary, "host 0 note 7");
    } finally {
      for (const end of [...hosts, store].map(({ end }) => end)) await end();
    }
  });

  test(`F20 F35 ${draft}: a host that is killed in the middle of a write leaves old or new, and others go on`, async () => {
    const store = await redis();
    await admit(store, ["ann"]);
    const other = await wasmtimeServer(draft, store);
    try {
      const told = [];
      for (let round = 0; round < KILLS; round++) {
        const host = await wasmtimeServer(draft, store);
        const note = (content) => told.push(content);
        // Whoever it is killed under hears nothing more.
        const writing = writeFrom(host.url, "ann", `round ${round}`, 40, note).catch(() => {});
        const beside = writeFrom(other.url, "ann", `beside ${round}`, 15, note);
        // After its tenth answer it is in the middle of the next.
        while (told.filter((content) => content.startsWith(`round ${round} `)).length < 10) {
          await new Promise(setImmediate);
        }
        await host.end();
        await writing;
        await beside;
      }
      const found = await notesOf(other.url, "ann");
      assert.deepEqual(
        told.filter((content) => !found.includes(content)),
        [],
      );
      // One that was not answered may be there, and nothing is there twice.
      assert.equal(new Set(found).size, found.length);
      assert.ok(found.length - told.length <= KILLS * 4, `${found.length} of ${told.length}`);
    } finally {
      await other.end();
      await store.end();
    }
  });
}

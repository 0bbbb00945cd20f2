// The runtime killed in the middle of the work of 50 clients, who also lose one answer in twenty: every acknowledged write
// is there, none twice.
// `KEEPSAKE_EDGE_ADDS=10000` makes it the full size.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judged, load } from "./support/edge-load.mjs";

const ADDS = Number(process.env.KEEPSAKE_EDGE_ADDS ?? 1000);

test(`F20 F31 ${ADDS} adds and searches by 50 clients to 100 objects, killed five times: nothing lost, nothing twice`, {
  timeout: 30_000 + ADDS * 30,
}, async (t) => {
  const outcome = await load({ adds: ADDS, clients: 50, users: 100, kills: 5 });
  t.diagnostic(`${outcome.seconds.toFixed(1)} s, ${outcome.again} requests sent again`);
  assert.equal(outcome.killed, 5);
  assert.equal(outcome.acknowledged.length, ADDS);
  assert.ok(outcome.again > 0, "some requests had to be sent again: the kills were felt");
  assert.deepEqual(judged(outcome), { lost: 0, twice: 0, total: ADDS });
  assert.equal(outcome.unfound, 0, "what was added is found at once");
});

test("a write that is lost, or there twice, would be noticed", () => {
  const acknowledged = [
    [0, "a"],
    [1, "b"],
  ];
  assert.deepEqual(judged({ acknowledged, there: [["a", "a"], []] }), { lost: 1, twice: 1, total: 2 });
});

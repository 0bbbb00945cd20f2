// The browser killed with mixed work of three tabs under way, and started again on the same profile. `benches/kills.mjs` does
// more rounds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { host } from "../../benches/kills/browser.mjs";
import { rounds } from "../../benches/kills/rounds.mjs";
import { notInWebKit } from "./support/browser.mjs";

const ROUNDS = 3;

test(`F17 F20 a browser killed ${ROUNDS} times: each acknowledged write of three tabs is there, and each other one whole or not at all`, {
  skip: notInWebKit("profile on the disk"),
}, async (t) => {
  const browser = await host();
  try {
    const { figures, faults } = await rounds({ host: browser, count: ROUNDS, seed: Date.now() });
    t.diagnostic(JSON.stringify(figures));
    assert.ok(figures.unanswered > 0, "the kills interrupted something");
    for (const [kind, list] of Object.entries(faults)) assert.deepEqual(list, [], kind);
  } finally {
    await browser.remove();
  }
});

// The judge of `benches/kills.mjs` notices each kind of fault, and programs of Node that are killed with mixed work under
// way pass it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judged } from "../../benches/kills/judge.mjs";
import { host } from "../../benches/kills/node.mjs";
import { rounds } from "../../benches/kills/rounds.mjs";

const ROUNDS = 3;

test(`F17 F20 three programs with mixed work under way, killed ${ROUNDS} times: nothing lost, half or twice`, async (t) => {
  const programs = await host();
  try {
    const { figures, faults } = await rounds({ host: programs, count: ROUNDS, seed: Date.now() });
    t.diagnostic(JSON.stringify(figures));
    assert.ok(figures.unanswered > 0, "the kills interrupted something");
    for (const [kind, list] of Object.entries(faults)) assert.deepEqual(list, [], kind);
  } finally {
    await programs.remove();
  }
});

const known = {
  state: new Map([
    ["entry a", "v1 a amber"],
    ["file notes/a.md", "a basil\n"],
  ]),
  count: 3,
  pending: [
    { verb: "append", changes: { "message s b1p0": "0 b1p0", "message s b1p1": "1 b1p1" } },
    { verb: "moveFile", changes: { "file notes/a.md": null, "file notes/b.md": "a basil\n" } },
    { verb: "count", changes: {} },
  ],
};
const asBefore = [...known.state];
const append = Object.entries(known.pending[0].changes);

/** The faults of a view, without the kinds that there are none of. */
function faultsOf(things, more = {}) {
  const view = { things, unfound: [], problems: [], count: 3, ...more };
  return Object.fromEntries(Object.entries(judged(known, view)).filter(([, list]) => list.length > 0));
}

test("an operation without an answer is there as a whole, or not at all", () => {
  assert.deepEqual(faultsOf(asBefore), {});
  assert.deepEqual(faultsOf([...asBefore, ...append], { count: 4 }), {});
  const moved = [asBefore[0], ["file notes/b.md", "a basil\n"]];
  assert.deepEqual(faultsOf(moved), {});
  assert.equal(faultsOf([...asBefore, append[0]]).half.length, 1, "one of two messages");
  assert.equal(
    faultsOf([...asBefore, moved[1]]).half.length,
    1,
    "a file in its old place and in its new one",
  );
  assert.equal(faultsOf([asBefore[0]]).half.length, 1, "a file in neither place");
});

test("a write that is lost, old, there twice, or nobody's would be noticed", () => {
  assert.equal(faultsOf([asBefore[1]]).lost.length, 1);
  assert.equal(faultsOf([["entry a", "v2 a cedar"], asBefore[1]]).lost.length, 1);
  assert.deepEqual(faultsOf([...asBefore, asBefore[0]]), { twice: ["entry a"] });
  assert.equal(faultsOf([["entry a", "v2 a amber"], asBefore[1]]).twice.length, 1, "an update made twice");
  assert.equal(faultsOf([...asBefore, ["entry z", "v1 z"]]).unexpected.length, 1);
  assert.equal(faultsOf(asBefore, { count: 2 }).lost.length, 1);
  assert.equal(faultsOf(asBefore, { count: 5 }).twice.length, 1);
});

test("an entry that no search finds, and a problem that `verify` reports, are faults", () => {
  assert.deepEqual(faultsOf(asBefore, { unfound: ["entry a"] }), { unfound: ["entry a"] });
  const problems = [{ kind: "message", name: "m-1", problem: "is missing" }];
  assert.deepEqual(faultsOf(asBefore, { problems }), { problems: ["message m-1: is missing"] });
});

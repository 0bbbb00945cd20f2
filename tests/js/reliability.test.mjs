// docs/reliability.md says what the tests prove: its table is that of today, and every id has a test or a reason.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import {
  IDS,
  PAGE,
  problems,
  promises,
  renewed,
  testsById,
  testsInJs,
  testsInRust,
} from "../reliability.mjs";

test("every fault and threat has a promise, and a test that carries its id or a written reason", () => {
  assert.deepEqual(problems(), []);
});

test("the table of docs/reliability.md is up to date", async () => {
  const page = await readFile(PAGE, "utf8");
  assert.equal(renewed(page), page, "run `cargo xtask reliability`");
});

test("an id that loses its last test, or claims a browser it has not, would be noticed", () => {
  const tests = testsById();
  const without = new Map([...tests, ["F1", []]]);
  assert.match(problems(promises(), without).join("\n"), /^F1 has neither a test/m);
  const elsewhere = new Map([...tests, ["F1", [{ file: "tests/faults.rs", name: "f1_x" }]]]);
  assert.deepEqual(problems(promises(), elsewhere), ["F1: no test of it has a browser"]);
  const missing = promises().filter(({ id }) => id !== "S20");
  assert.match(problems(missing, tests).join("\n"), /must have F1, .*, S20, once each/);
  assert.equal(IDS.length, 65);
});

test("ids are read from titles, from strings inside of a test, and from names and comments in Rust", () => {
  const js = [
    'test("F1 F2 one", () => {',
    '  assert.ok(true, "S20: a secret stays");',
    "  // F3 is only spoken of",
    '  const place = "at F4";',
    "});",
    "test(",
    "  `F5 $" + "{two}`,",
    ");",
  ].join("\n");
  assert.deepEqual(
    testsInJs(js).map(({ id, name }) => `${id} ${name[0]}`),
    ["F1 F", "F2 F", "S20 F", "F5 F"],
  );
  const rust =
    "/// F9: why.\n#[test]\nfn x1_s15_gone() {}\n\n/// F8\nfn f7_helper() {}\n\n#[test]\nfn f17_two() {}\n";
  assert.deepEqual(
    testsInRust(rust).map(({ id, name }) => `${id} ${name}`),
    ["S15 x1_s15_gone", "F9 x1_s15_gone", "F17 f17_two"],
  );
});

// docs/reliability.md and docs/spec.md are up to date, and every id on them has a test or a reason.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGES, problems, RELIABILITY, renewed, rowsOf, SPEC, unexplained } from "../reliability.mjs";
import { idsIn, testsById, testsInJs, testsInRust } from "../test-ids.mjs";

for (const page of PAGES) {
  test(`each id of ${page.data} has a sentence, and a test that carries it or a written reason`, () => {
    assert.deepEqual(problems(page), []);
  });

  test(`the table generated from ${page.data} is up to date`, () => {
    const text = readFileSync(page.page, "utf8");
    assert.equal(renewed(page, text), text, "run `cargo xtask reliability`");
  });
}

test("every id that code, comments or tests name is explained", () => {
  assert.deepEqual(unexplained(), []);
  const named = new Map([
    ["D27", "src/a.rs"],
    ["D44", "src/b.rs"],
    ["F45", "src/c.rs"],
  ]);
  assert.deepEqual(unexplained(named), [
    "D44 in src/b.rs is in neither docs/reliability.md nor docs/spec.md",
  ]);
});

test("an id that loses its last test, or claims a browser it has not, would be noticed", () => {
  const tests = testsById();
  const without = new Map([...tests, ["F1", []], ["A1", []]]);
  assert.match(problems(RELIABILITY, undefined, without).join("\n"), /^F1 has neither a test/m);
  assert.deepEqual(problems(SPEC, undefined, without), [
    "A1 has neither a test that carries it nor a `reason`",
  ]);
  const elsewhere = new Map([...tests, ["F1", [{ file: "tests/faults.rs", name: "f1_x" }]]]);
  assert.deepEqual(problems(RELIABILITY, undefined, elsewhere), ["F1: no test of it has a browser"]);
  const missing = rowsOf(RELIABILITY).filter(({ id }) => id !== "S20");
  assert.match(problems(RELIABILITY, missing, tests).join("\n"), /must have F1, .*, S20, once each/);
  assert.deepEqual([RELIABILITY.ids.length, SPEC.ids.length], [65, 194]);
});

test("a reason beside a test, and a sentence that is none, would be noticed", () => {
  const rows = rowsOf(SPEC).map((row) =>
    row.id === "A1" ? { ...row, demand: "files", reason: "none" } : row,
  );
  assert.deepEqual(problems(SPEC, rows), [
    "A1: `demand` must be a sentence",
    "A1 has a test: `reason` must go, or become a `note`",
  ]);
});

test("ids are read from titles, from strings inside of a test, and from names and comments in Rust", () => {
  const js = [
    'test("F1 F2 one", () => {',
    '  assert.ok(true, "S20: a secret stays");',
    "  // F3 is only spoken of",
    '  const place = "at F4";',
    '  assert.deepEqual(names, ["D0", "D1"]);',
    '  assert.equal(found, false, "D41");',
    "});",
    "test(",
    "  `F5 D32–D34 $" + "{two}`,",
    ");",
  ].join("\n");
  assert.deepEqual(
    testsInJs(js).map(({ id, name }) => `${id} ${name[1]}`),
    ["F1 1", "F2 1", "S20 1", "D41 1", "F5 5", "D32 5", "D33 5", "D34 5"],
  );
  const rust = [
    "/// F9: why.\n#[test]\nfn x1_s15_gone() {",
    '    assert!(here, "A27, A28: not loaded");',
    '    assert!(here, "not F7");',
    "}\n\n/// F8\nfn f7_helper() {",
    '    assert!(here, "C1");',
    "}\n\n#[test]\nfn a7_to_a9_two() {}\n",
  ].join("\n");
  assert.deepEqual(
    testsInRust(rust).map(({ id, name }) => `${id} ${name}`),
    [
      ...["X1", "S15", "F9", "A27", "A28"].map((id) => `${id} x1_s15_gone`),
      ...["A7", "A8", "A9"].map((id) => `${id} a7_to_a9_two`),
    ],
  );
  assert.deepEqual(idsIn("Type::S32, \\u{E000}, D9 to D11, (E6–E7), x.A1"), ["D9", "D10", "D11", "E6", "E7"]);
});

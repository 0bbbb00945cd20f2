// Finds the ids that tests and comments carry: F1–F45 and S1–S20 (docs/reliability.md), A, B, C, D, E and X (docs/spec.md).
// Ranges count as each of their ids: "D9 to D18", "D32–D34", `a7_to_a14_…`.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The last number of each letter. */
const LAST = { A: 46, B: 41, C: 28, D: 43, E: 23, X: 13, F: 45, S: 20 };

/** Every id of these letters, in order. */
export function idsOf(...letters) {
  return letters.flatMap((letter) => Array.from({ length: LAST[letter] }, (_, at) => `${letter}${at + 1}`));
}

/** Folders with tests. Unit tests are beside the code that they test. */
const TESTS = ["tests", "src", "service/src"];

/** Folders whose code and comments may name ids. */
const CODE = [...TESTS, "pkg/src", "xtask/src", "benches", "examples", "www/src", "wit"];

/** These files name ids without testing them. */
const ABOUT_IDS = /^tests\/(js\/reliability\.test|reliability|test-ids)\.mjs$/;

const ID = /(?<![\w:.$\\{])([ABCDEFSX])([1-9]\d?)(?:(?: to |–)\1?([1-9]\d?))?\b/g;

/** Ids at the beginning of a string, as assertion messages have them: "D41", "A27, A28: not loaded". */
const LEADING = /^(?:[ABCDEFSX][1-9]\d?\b(?:, | to |–| )?)+/;

/** The ids in a text, in order. */
export function idsIn(text) {
  return [...text.matchAll(ID)].flatMap(([, letter, first, last = first]) =>
    Array.from({ length: Math.max(0, last - first) + 1 }, (_, at) => `${letter}${Number(first) + at}`),
  );
}

function filesBelow(folder, extension) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (["node_modules", "target", "fixtures"].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...filesBelow(path, extension));
    else if (extension.test(entry.name)) found.push(path);
  }
  return found;
}

/** The files below these folders, sorted: `{ file, source }`. */
function sources(folders, extension) {
  const paths = new Set(folders.flatMap((folder) => filesBelow(join(root, folder), extension)));
  return [...paths].sort().map((path) => ({
    file: relative(root, path).replaceAll("\\", "/"),
    source: readFileSync(path, "utf8"),
  }));
}

/**
 * The tests of a JavaScript file that carry ids: in their titles, or at the beginning of a string inside. An id alone counts only
 * as a last argument, as an assertion's message is: elsewhere it may be data.
 */
export function testsInJs(source) {
  const found = [];
  let title;
  const strings =
    /((?:\b(?:test|step)\(\s*)?)(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)(?=(\s*,?\s*\))?)/g;
  for (const [, opens, plain, template, isLast] of source.matchAll(strings)) {
    const text = plain ?? template;
    if (opens !== "") title = text;
    const leading = LEADING.exec(text)?.[0] ?? "";
    const message = isLast || leading !== text ? leading : "";
    for (const id of idsIn(opens !== "" ? text : message)) found.push({ id, name: title ?? text });
  }
  return found;
}

/** The beginning of a Rust test's name, as a title has it: `a7_to_a14_…` is "A7 to A14". */
function asTitle(name) {
  const prefix = /^(?:[a-z]\d+_(?:to_(?=[a-z]\d))?)+/.exec(name)?.[0] ?? "";
  return prefix.replaceAll("_", " ").replace(/[a-z]\d/g, (id) => id.toUpperCase());
}

/**
 * The tests of a Rust file that carry ids: at the beginning of their names (`f17_…`), in the documentation right above them, or at
 * the beginning of an assertion's message.
 */
export function testsInRust(source) {
  const found = [];
  let test;
  const parts =
    /((?:^[ \t]*\/\/\/.*\n)*)^[ \t]*#\[test\]\n(?:^[ \t]*#\[.*\n)*^[ \t]*fn (\w+)|\bfn \w+|"((?:[^"\\\n]|\\.)*)"\s*,?\s*\)/gm;
  for (const [, above, name, message] of source.matchAll(parts)) {
    let carried = [];
    if (name !== undefined) {
      test = name;
      carried = [...idsIn(asTitle(name)), ...idsIn(above)];
    } else if (message === undefined) test = undefined;
    else if (test !== undefined) carried = idsIn(LEADING.exec(message)?.[0] ?? "");
    for (const id of new Set(carried)) found.push({ id, name: test });
  }
  return found;
}

/** Every test that carries an id, by id: `{ file, name }`. */
export function testsById() {
  const byId = new Map(idsOf(...Object.keys(LAST)).map((id) => [id, []]));
  for (const { file, source } of sources(TESTS, /\.(rs|mjs)$/)) {
    if (ABOUT_IDS.test(file)) continue;
    const tests = file.endsWith(".rs") ? testsInRust(source) : testsInJs(source);
    for (const { id, name } of tests) {
      const known = byId.get(id);
      if (known && !known.some((test) => test.file === file && test.name === name))
        known.push({ file, name });
    }
  }
  return byId;
}

/** The ids that code, comments and tests name, each with the first file that does. */
export function idsInCode() {
  const found = new Map();
  for (const { file, source } of sources(CODE, /\.(rs|ts|tsx|mjs|wit)$/)) {
    if (ABOUT_IDS.test(file)) continue;
    for (const id of idsIn(source)) if (!found.has(id)) found.set(id, file);
  }
  return found;
}

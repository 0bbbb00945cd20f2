// Generates the table of docs/reliability.md: each fault (F1–F45) and threat (S1–S20), its promise, and the tests that carry
// its id. Promises are in reliability.json beside this file; which tests there are is read from their sources.
//
// `node tests/reliability.mjs` writes the table; tests/js/reliability.test.mjs fails when it is stale.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export const PAGE = join(root, "docs/reliability.md");
const BEGIN = "<!-- table: written by `cargo xtask reliability` -->";
const END = "<!-- end of the table -->";

/** More tests of one id than these are counted, not named: the id finds them. */
const NAMED = 3;

/** Where tests are. Unit tests lie beside the code that they test. */
const SOURCES = ["tests/js", "tests/e2e", "tests/service", "tests/packaging", "tests", "src", "service/src"];

/** What a test has of the real thing, and the files in which it can have that. `injected` can be anywhere. */
const REAL = {
  browser: /^tests\/(e2e|packaging)\//,
  workerd: /^tests\/js\/(cloudflare|workerd|edge-crash)/,
  wasmtime: /^tests\/(host|service)\//,
  Redis: /^tests\/service\//,
  "process kill": /^tests\/(js\/(jsonl-crash|cloudflare|edge-crash|kills)|e2e\/kills|service\/two-hosts)/,
  files: /^tests\/js\/(jsonl|folder|expiry|cli|zip|fuzz)/,
  processes: /^tests\/js\/jsonl/,
  HTTP: /^tests\/(js\/(http|openapi|remote)|service)/,
};

/** Every id that must be in the table, in its order. */
export const IDS = [...ids("F", 45), ...ids("S", 20)];

function ids(letter, count) {
  return Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
}

/** The ids in a text, whatever else is in it. */
function idsIn(text) {
  return [...text.matchAll(/\b[FS][1-9]\d?\b/g)].map(([id]) => id);
}

function filesBelow(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name === "target" || entry.name === "fixtures") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...filesBelow(path));
    else if (/\.(rs|mjs)$/.test(entry.name)) found.push(path);
  }
  return found;
}

/** The tests of a JavaScript file that carry ids: in their titles, or in a string inside that begins with one. */
export function testsInJs(source) {
  const found = [];
  let title;
  const strings = /((?:\b(?:test|step)\(\s*)?)(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  for (const [, opens, plain, template] of source.matchAll(strings)) {
    const text = plain ?? template;
    if (opens !== "") title = text;
    const carried = opens !== "" ? idsIn(text) : idsIn(/^(?:[A-Z]\d+ ?)+/.exec(text)?.[0] ?? "");
    for (const id of carried) found.push({ id, name: title ?? text });
  }
  return found;
}

/** The tests of a Rust file that carry ids: in their names (`f17_…`), or in the documentation right above them. */
export function testsInRust(source) {
  const found = [];
  const tests = /((?:^[ \t]*\/\/\/.*\n)*)^[ \t]*#\[test\]\n(?:^[ \t]*#\[.*\n)*^[ \t]*fn (\w+)/gm;
  for (const [, above, name] of source.matchAll(tests)) {
    const prefix = /^(?:[a-z]\d+_)+/.exec(name)?.[0] ?? "";
    const carried = [...idsIn(prefix.toUpperCase().replaceAll("_", " ")), ...idsIn(above)];
    for (const id of new Set(carried)) found.push({ id, name });
  }
  return found;
}

/** Every test that carries an id, by id. */
export function testsById() {
  const byId = new Map(IDS.map((id) => [id, []]));
  const files = new Set(SOURCES.flatMap((folder) => filesBelow(join(root, folder))));
  for (const path of [...files].sort()) {
    const file = relative(root, path).replaceAll("\\", "/");
    // These two name ids without proving them.
    if (/\breliability\b/.test(file)) continue;
    const source = readFileSync(path, "utf8");
    const tests = file.endsWith(".rs") ? testsInRust(source) : testsInJs(source);
    for (const { id, name } of tests) {
      const known = byId.get(id);
      if (known && !known.some((test) => test.file === file && test.name === name))
        known.push({ file, name });
    }
  }
  return byId;
}

/** The promises: `{ id, promise, how, note?, reason? }`, in the order of the ids. */
export function promises() {
  return JSON.parse(readFileSync(join(root, "tests/reliability.json"), "utf8"));
}

/** What is wrong with the promises, in sentences; none is well. */
export function problems(rows = promises(), byId = testsById()) {
  const said = [];
  const seen = rows.map(({ id }) => id);
  if (seen.join() !== IDS.join())
    said.push(`reliability.json must have ${IDS.join(", ")}, once each and in this order`);
  for (const { id, promise, how = [], reason } of rows) {
    const tests = byId.get(id) ?? [];
    if (!promise?.endsWith(".")) said.push(`${id}: \`promise\` must be a sentence`);
    if (tests.length === 0 && !reason) said.push(`${id} has neither a test that carries it nor a \`reason\``);
    if (tests.length > 0 && how.length === 0)
      said.push(`${id}: \`how\` must say whether its tests are real or injected`);
    if (tests.length === 0 && how.length > 0) said.push(`${id}: \`how\` without a test`);
    for (const kind of how) {
      if (kind === "injected") continue;
      if (!REAL[kind]) said.push(`${id}: \`how\` knows no ${kind}`);
      else if (!tests.some(({ file }) => REAL[kind].test(file)))
        said.push(`${id}: no test of it has a ${kind}`);
    }
  }
  return said;
}

/** So that a title cannot end its cell. */
function cell(text) {
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** Tests of different kinds first: a reader wants to see the real one beside the scripted one. */
function varied(tests) {
  const firsts = new Map();
  for (const test of tests) {
    const kind = Object.keys(REAL).find((name) => REAL[name].test(test.file)) ?? test.file.split("/")[0];
    if (!firsts.has(kind)) firsts.set(kind, test);
  }
  const first = [...firsts.values()];
  return [...first, ...tests.filter((test) => !first.includes(test))];
}

function row({ id, promise, how = [], note, reason }, tests) {
  const named = varied(tests).slice(0, NAMED);
  const more = tests.length - named.length;
  const list = named.map(({ file, name }) => `${file}: ${cell(name)}`);
  if (more > 0) list.push(`and ${more} more`);
  const real = how.filter((kind) => kind !== "injected");
  const kinds = [
    real.length > 0 && `real (${real.join(", ")})`,
    how.includes("injected") && "injected",
  ].filter(Boolean);
  const result =
    tests.length === 0 ? `no test: ${reason}` : note || reason ? `passes; ${note ?? reason}` : "passes";
  return `| ${id} | ${cell(promise)} | ${list.join("<br>") || "–"} | ${kinds.join(", ") || "–"} | ${cell(result)} |`;
}

export function table(rows = promises(), byId = testsById()) {
  const lines = ["| id | promise | test | real or injected | result |", "|---|---|---|---|---|"];
  return [...lines, ...rows.map((each) => row(each, byId.get(each.id) ?? []))].join("\n");
}

/** The page with the table of today in the place of the one in it. */
export function renewed(page) {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/reliability.md lacks ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = problems();
  for (const problem of wrong) console.error(problem);
  if (wrong.length > 0) process.exit(1);
  writeFileSync(PAGE, renewed(readFileSync(PAGE, "utf8")));
}

// Generates the tables of docs/reliability.md (faults F1–F45, threats S1–S20) and docs/spec.md (demands A, B, C, D, E and X):
// each id, its sentence, and the tests that carry the id. The sentences are in reliability.json and spec.json beside this file.
//
// `node tests/reliability.mjs` writes both; tests/js/reliability.test.mjs fails when one is stale.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { idsInCode, idsOf, testsById } from "./test-ids.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const BEGIN = "<!-- table: written by `cargo xtask reliability` -->";
const END = "<!-- end of the table -->";

/** Further tests of an id are counted, not named: the id finds them. */
const NAMED = 3;

/** Real parts that a test can run with, and the files in which it can. `injected` can be anywhere. */
const REAL = {
  browser: /^tests\/(e2e|packaging)\//,
  workerd: /^tests\/js\/(cloudflare|workerd|edge-crash)/,
  wasmtime: /^tests\/(host|service)\//,
  Redis: /^tests\/service\//,
  "process kill":
    /^tests\/(js\/(jsonl-crash|cloudflare|edge-crash|kills)|e2e\/kills|service\/two-hosts|native\/kills)/,
  files: /^tests\/(js\/(jsonl|folder|expiry|cli|zip|fuzz)|native|faults)/,
  processes: /^tests\/(js\/jsonl|native\/(kills|processes))/,
  HTTP: /^tests\/(js\/(http|openapi|remote)|service)/,
};

/** A page with a generated part: its ids, the name of its sentences' field, its own rules, and its rows. */
export const RELIABILITY = {
  page: join(root, "docs/reliability.md"),
  data: "tests/reliability.json",
  ids: idsOf("F", "S"),
  sentence: "promise",
  problems: kindProblems,
  table: reliabilityTable,
};

export const SPEC = {
  page: join(root, "docs/spec.md"),
  data: "tests/spec.json",
  ids: idsOf("A", "B", "C", "D", "E", "X"),
  sentence: "demand",
  problems: ({ id, reason }, tests) =>
    tests.length > 0 && reason ? [`${id} has a test: \`reason\` must go, or become a \`note\``] : [],
  table: specTable,
};

export const PAGES = [RELIABILITY, SPEC];

/** The headings of docs/spec.md. */
const PARTS = {
  A: "A. Markdown memory of agents and teams",
  B: "B. The facade and its six stores",
  C: "C. Hot, warm, cold and frozen memory",
  D: "D. Entries, namespaces and the documented functions",
  E: "E. Short-term and long-term memory of agents",
  X: "X. Decisions where the sources disagree or are silent",
};

/** The rows of a page: `{ id, promise or demand, how?, note?, reason? }`, in the order of the ids. */
export function rowsOf({ data }) {
  return JSON.parse(readFileSync(join(root, data), "utf8"));
}

/** Problems with the rows of a page, in sentences. */
export function problems(page, rows = rowsOf(page), byId = testsById()) {
  const said = [];
  if (rows.map(({ id }) => id).join() !== page.ids.join())
    said.push(`${page.data} must have ${page.ids.join(", ")}, once each and in this order`);
  for (const row of rows) {
    const { id, reason } = row;
    const tests = byId.get(id) ?? [];
    if (!row[page.sentence]?.endsWith(".")) said.push(`${id}: \`${page.sentence}\` must be a sentence`);
    if (tests.length === 0 && !reason) said.push(`${id} has neither a test that carries it nor a \`reason\``);
    said.push(...page.problems(row, tests));
  }
  return said;
}

/** Ids that code, a comment or a test names although no page explains them. */
export function unexplained(named = idsInCode(), pages = PAGES) {
  const explained = new Set(pages.flatMap((page) => rowsOf(page).map(({ id }) => id)));
  const unknown = [...named].filter(([id]) => !explained.has(id));
  return unknown.map(([id, file]) => `${id} in ${file} is in neither docs/reliability.md nor docs/spec.md`);
}

function kindProblems({ id, how = [] }, tests) {
  const said = [];
  if (tests.length > 0 && how.length === 0)
    said.push(`${id}: \`how\` must say whether its tests are real or injected`);
  if (tests.length === 0 && how.length > 0) said.push(`${id}: \`how\` without a test`);
  for (const kind of how) {
    if (kind === "injected") continue;
    if (!REAL[kind]) said.push(`${id}: \`how\` knows no ${kind}`);
    else if (!tests.some(({ file }) => REAL[kind].test(file)))
      said.push(`${id}: no test of it has a ${kind}`);
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

/** The cell that names the tests of an id. */
function testsCell(tests) {
  const list = varied(tests)
    .slice(0, NAMED)
    .map(({ file, name }) => `${file}: ${cell(name)}`);
  if (tests.length > NAMED) list.push(`and ${tests.length - NAMED} more`);
  return list.join("<br>") || "–";
}

function reliabilityTable(rows, byId) {
  const lines = rows.map(({ id, promise, how = [], note, reason }) => {
    const tests = byId.get(id) ?? [];
    const real = how.filter((kind) => kind !== "injected");
    const kinds = [
      real.length > 0 && `real (${real.join(", ")})`,
      how.includes("injected") && "injected",
    ].filter(Boolean);
    const result =
      tests.length === 0 ? `no test: ${reason}` : note || reason ? `passes; ${note ?? reason}` : "passes";
    return `| ${id} | ${cell(promise)} | ${testsCell(tests)} | ${kinds.join(", ") || "–"} | ${cell(result)} |`;
  });
  return ["| id | promise | test | real or injected | result |", "|---|---|---|---|---|", ...lines].join(
    "\n",
  );
}

function specTable(rows, byId) {
  const parts = Object.entries(PARTS).map(([letter, title]) => {
    const own = rows.filter(({ id }) => id.startsWith(letter));
    const lines = own.map(({ id, demand, note, reason }) => {
      const tests = byId.get(id) ?? [];
      const shown = tests.length > 0 ? testsCell(tests) : `no test: ${cell(reason)}`;
      return `| ${id} | ${cell(note ? `${demand} ${note}` : demand)} | ${shown} |`;
    });
    return [`## ${title}`, "", "| id | demand | tests |", "|---|---|---|", ...lines].join("\n");
  });
  return parts.join("\n\n");
}

/** The text of a page with its generated part up to date. */
export function renewed(page, text = readFileSync(page.page, "utf8")) {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${page.page} lacks ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${page.table(rowsOf(page), testsById())}\n\n${END}${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = [...PAGES.flatMap((page) => problems(page)), ...unexplained()];
  for (const problem of wrong) console.error(problem);
  if (wrong.length > 0) process.exit(1);
  for (const page of PAGES) writeFileSync(page.page, renewed(page));
}

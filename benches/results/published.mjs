// The published form of a run, docs/results/results.json: what results.json of a run holds, without what is recorded
// elsewhere in the documentation, and with figures that differ only in the system together.

import { DataError } from "../eval/data.mjs";
import { FLOORS } from "../eval/floors.mjs";

const FORMAT = 1;

/** Three digits are printed. Two more keep a median and its ratio the same after another rounding. */
const DIGITS = 5;

/** Lines up to this length are not broken. */
const WIDTH = 120;

/** Two sizes with retrieval take about 60 KB, samples included. If a run exceeds this, leave the samples out. */
const LARGEST = 150_000;

/** What the figures of a group have in common. */
const SHARED = ["what", "where", "entries", "unit", "better", "spread"];

const rounded = (value) => Number(value.toPrecision(DIGITS));

/** Refuses a run that says nothing about the shipped package, or that is too small. */
export function publishable(results) {
  const { options, release } = results;
  if (options.quick) throw new DataError("results of `--quick` are not published: run `cargo xtask results`");
  if (!release) {
    throw new DataError(
      "results of a build that is not a release build are not published: run `cargo xtask build --web`, then `cargo xtask results`",
    );
  }
  if (results.figures.length === 0) throw new DataError("the results have no figures");
}

export function published(results) {
  publishable(results);
  const { date, commit, clean, release, options, plan, machine, versions, modules, data, systems } = results;
  const { cpu, cpus, memory, load } = machine;
  return {
    format: FORMAT,
    date,
    commit,
    clean,
    release,
    options,
    plan,
    machine: { cpu, cpus, memory, load: rounded(load) },
    versions,
    modules,
    data,
    systems,
    figures: grouped(results.figures),
    missing: results.missing,
    retrieval: results.retrieval.map((row) => ({ ...row, systems: each(row.systems, numbers) })),
    goals: goalsOf(results.retrieval),
    recorded: results.recorded.map(({ title, file, command }) => ({ title, file, command })),
  };
}

/** The same with a list of figures, as a run has them. */
export function expanded({ figures, ...about }) {
  const list = figures.flatMap(({ systems, ...shared }) =>
    Object.entries(systems).map(([system, figure]) => ({ ...shared, system, ...figure })),
  );
  return { ...about, figures: list };
}

function grouped(figures) {
  const groups = new Map();
  for (const { system, ...figure } of figures) {
    const shared = Object.fromEntries(SHARED.map((name) => [name, figure[name]]));
    const own = Object.fromEntries(Object.entries(figure).filter(([name]) => !SHARED.includes(name)));
    const group = groups.get(JSON.stringify(shared)) ?? { ...shared, systems: {} };
    if (system in group.systems) throw new Error(`two figures for ${figure.what} of ${system}`);
    group.systems[system] = numbers(own);
    groups.set(JSON.stringify(shared), group);
  }
  return [...groups.values()];
}

const each = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

const numbers = (figure) =>
  each(figure, (value) => {
    if (Array.isArray(value)) return value.map(rounded);
    return typeof value === "number" && !Number.isInteger(value) ? rounded(value) : value;
  });

/** The floors and goals of `cargo xtask eval --check`, for the same questions. */
function goalsOf(rows) {
  return FLOORS.flatMap(({ set, variant, category, n, least, goal }) => {
    const has = rows.some((row) => row.set === set && row.category === category && row.n === n);
    return has && variant === undefined ? [{ set, category, least, ...(goal && { goal }) }] : [];
  });
}

/** As text: an object or array is in one line if it fits. `own` is about this machine, and may not be in it. */
export function written(value, own) {
  const text = `${lines(value)}\n`;
  const found = leaks(text, own);
  if (found.length > 0) throw new DataError(`the results name this machine: ${found.join(", ")}`);
  const size = Buffer.byteLength(text);
  if (size > LARGEST) throw new DataError(`the results are too large to publish: ${size} bytes`);
  return text;
}

function lines(value, indent = "") {
  const line = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  const fits = indent.length + line.length <= WIDTH;
  if (fits || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const parts = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${inner}${isArray ? "" : `${JSON.stringify(name)}: `}${lines(one, inner)}`);
  const [open, close] = isArray ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

/** Names that so many machines have that they tell nothing; "node" is also a word of the figures. */
const COMMON = new Set(["root", "node", "user", "runner", "admin", "localhost"]);

/** Absolute paths, addresses with a port, and the names of this machine and its user. */
export function leaks(text, { host, user } = {}) {
  const paths = text.match(
    /(?<![\w@.:/-])(?:file:\/\/)?(?:\/[\w.@+-]+){2,}\/?|\b[A-Za-z]:\\[^\s"]+|~\/[^\s"]+/g,
  );
  const addresses = text.match(/\bhttps?:\/\/[^\s"/]+:\d+[^\s"]*/g);
  const names = [host, user].filter((name) => {
    if (!name || COMMON.has(name)) return false;
    const word = name.replace(/[^\w]/g, "\\$&");
    return new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text);
  });
  return [...(paths ?? []), ...(addresses ?? []), ...names];
}

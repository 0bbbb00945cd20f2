// A scenario's verbs as calls of the generated bindings, by the table in verbs.json.
//
// What WIT's types make impossible to say, such as a number for a text, is refused here, as tests/host does. Every
// other judgement is left to the component.

import { readFile } from "node:fs/promises";

const table = JSON.parse(await readFile(new URL("../verbs.json", import.meta.url), "utf8"));

/** A refusal in the form of the component's own. */
class Refused extends Error {
  constructor(field) {
    super(field);
    this.payload = { tag: "invalid-input", val: { field, reason: "" } };
  }
}

function check(right, field) {
  if (!right) throw new Refused(field);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** What each kind of field becomes. */
const KINDS = {
  text(value, field) {
    check(typeof value === "string", field);
    return value;
  },
  texts(value, field) {
    check(Array.isArray(value), field);
    return value.map((item, at) => KINDS.text(item, `${field}[${at}]`));
  },
  number(value, field) {
    check(typeof value === "number", field);
    return value;
  },
  numbers(value, field) {
    check(Array.isArray(value) && value.every((item) => typeof item === "number"), field);
    return value;
  },
  duration(value, field) {
    check(Number.isSafeInteger(value) && value >= 0, field);
    return BigInt(value);
  },
  count: (value, field) => Math.min(Number(KINDS.duration(value, field)), 2 ** 32 - 1),
  time(value, field) {
    const millis = typeof value === "string" ? Date.parse(value) : value;
    check(typeof millis === "number" && Number.isFinite(millis), field);
    return BigInt(Math.trunc(millis));
  },
  flag(value, field) {
    check(typeof value === "boolean", field);
    return value;
  },
  json: (value) => JSON.stringify(value),
  pairs(value, field) {
    check(isObject(value), field);
    return Object.entries(value).map(([name, item]) => [name, JSON.stringify(item)]);
  },
};

/** What a field becomes that is not there, if not `undefined`. */
const ABSENT = { texts: [], pairs: [], switch: false };

function read(kind, value, field) {
  if (value === undefined || value === null) {
    check(!kind.endsWith("!"), field);
    return ABSENT[kind];
  }
  if (kind.includes("|")) {
    check(kind.split("|").includes(value), field);
    return value;
  }
  return KINDS[kind === "switch" ? "flag" : kind.replace(/\W$/, "")](value, field);
}

/** WIT has three lists, where JSON has one, or an object with up to three. */
function readTags(value) {
  const sets = isObject(value) ? value : { any: value };
  const read = (name) => KINDS.texts(sets[name] ?? [], isObject(value) ? `tags.${name}` : "tags");
  const unknown = Object.keys(sets).find((name) => !(name in table.tagSets));
  check(unknown === undefined, `tags.${unknown}`);
  return Object.fromEntries(Object.entries(table.tagSets).map(([name, field]) => [field, read(name)]));
}

function readRecord(fields, args) {
  const record = {};
  for (const [name, kind] of Object.entries(fields)) {
    if (kind === "tag sets") Object.assign(record, readTags(args[name]));
    else record[name] = read(kind, args[name], name);
  }
  return record;
}

/** The arguments of the call, in their order. */
function argumentsOf(verb, args) {
  const { values, records } = table;
  const known = table.verbs[verb].flatMap((name) => (name in records ? Object.keys(records[name]) : name));
  const call = table.verbs[verb].map((name) =>
    name in records ? readRecord(records[name], args) : read(values[name], args[name], name),
  );
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  check(unknown === undefined, unknown);
  return call;
}

/** A value of WIT, as the library writes it. */
function told(value) {
  if (value === undefined) return null;
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== "object") return value;
  // An entry and its content are one object.
  const { entry, ...rest } = value;
  const there = Object.entries({ ...entry, ...rest }).filter(([, item]) => item !== undefined);
  return Object.fromEntries(there.map(([name, item]) => [name, toldField(name, item)]));
}

function toldField(name, value) {
  if (table.times.includes(name)) return new Date(Number(value)).toISOString();
  return name === "metadata" ? JSON.parse(value) : told(value);
}

/** The answers that have another form in JSON. */
const TOLD = {
  search: (hits) => hits.map(({ receipt, ...hit }) => told(receipt.length > 0 ? { ...hit, receipt } : hit)),
  explainMiss({ tag, val }) {
    return val === undefined ? { reason: tag } : { reason: tag, [table.misses[tag]]: told(val) };
  },
  stats({ total, namespaces }) {
    const counts = namespaces.map(({ namespace, count }) => [namespace, told(count)]);
    return { total: told(total), namespaces: Object.fromEntries(counts) };
  },
};

/** The code and the field of a failure. */
function failure({ tag, val }) {
  if (tag === "already-exists") return { code: tag, field: val };
  if (tag === "not-found") return { code: tag, field: "id" };
  return { code: tag === "other-version" ? "conflict" : tag, field: val?.field ?? null };
}

/** Does what `verb` says, and tells what came of it as a scenario does. */
export function call(memory, verb, args) {
  try {
    const answer = memory[verb](...argumentsOf(verb, args));
    return { gives: (TOLD[verb] ?? told)(answer) };
  } catch (error) {
    // What has no such payload is no answer: a trap, or a mistake in here.
    if (error.payload === undefined) throw error;
    return { fails: failure(error.payload) };
  }
}

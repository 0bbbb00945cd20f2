// JSON as values of the component's types, in the form that jco's bindings take.
//
// Values that WIT's types cannot express, such as a number for a string, are refused here, as tests/host does. Every other
// judgement is left to the component.

import { alike, camel, shape } from "../contract.mjs";

/** A field whose value does not have its type. */
export class Refused extends Error {
  constructor(field = "") {
    super(field);
    this.field = field;
  }

  /** The same field as it is called from outside. */
  within(outer) {
    const dot = this.field === "" || this.field.startsWith("[") ? "" : ".";
    return new Refused(`${outer}${dot}${this.field}`);
  }
}

function check(right, field) {
  if (!right) throw new Refused(field);
}

function within(outer, work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refused ? error.within(outer) : error;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of an object that were not taken yet. A field that is null is as good as none. */
export class Fields {
  constructor(fields) {
    this.left = { ...fields };
  }

  /** Takes a field by its name in any spelling. */
  take(key) {
    const names = Object.keys(this.left).filter((name) => alike(name, key));
    const found = names.find((name) => this.left[name] !== null);
    const value = found === undefined ? null : this.left[found];
    for (const name of names) if (name === found || this.left[name] === null) delete this.left[name];
    return value;
  }

  has(key) {
    return Object.keys(this.left).some((name) => alike(name, key) && this.left[name] !== null);
  }

  /** Takes everything that is left. */
  rest() {
    const rest = this.left;
    this.left = {};
    return rest;
  }

  /** Refuses a field that nothing took. */
  finish() {
    const [unknown] = Object.keys(this.left);
    check(unknown === undefined, unknown);
  }
}

const MAX = { u32: 2n ** 32n - 1n, u64: 2n ** 64n - 1n };

function count(value, max) {
  check(Number.isInteger(value) && value >= 0);
  return BigInt(value) < max ? BigInt(value) : max;
}

function number(value) {
  check(typeof value === "number");
  return value;
}

/** The value of JSON for each type that has no name. */
const PLAIN = {
  bool(value) {
    check(value === null || typeof value === "boolean");
    return value ?? false;
  },
  u32: (value) => Number(count(value, MAX.u32)),
  u64: (value) => count(value, MAX.u64),
  f32: number,
  f64: number,
  string(value) {
    check(typeof value === "string");
    return value;
  },
  time(value) {
    const millis = typeof value === "string" ? Date.parse(value) : value;
    check(Number.isFinite(millis));
    return BigInt(Math.trunc(millis));
  },
  json: (value) => JSON.stringify(value),
  "json-object": (value) => JSON.stringify(value ?? {}),
};

/** The value of a type that JSON means; a missing field is null. */
export function sent(type, value) {
  if (type in PLAIN) return PLAIN[type](value);
  if (type.option) return value === null ? undefined : sent(type.option, value);
  if (type.list) return list(type.list, value);
  if (type.tuple) {
    check(Array.isArray(value) && value.length === type.tuple.length);
    return type.tuple.map((item, at) => sent(item, value[at]));
  }
  return named(type, value);
}

function list(item, value) {
  // A string alone is one block of text.
  const items =
    item === "dialog/block" && typeof value === "string" ? [{ type: "text", text: value }] : (value ?? []);
  check(Array.isArray(items));
  // An embedding is judged as a whole.
  if (item === "f32") return items.map(number);
  return items.map((one, at) => within(`[${at}]`, () => sent(item, one)));
}

function named(type, value) {
  const { enum: words, variant, untagged } = shape(type);
  if (words) {
    const word = Object.keys(words).find((name) => words[name] === value);
    check(word !== undefined);
    return word;
  }
  if (untagged) return alone(variant, value);
  check(isObject(value));
  const fields = new Fields(value);
  const made = gathered(type, fields);
  fields.finish();
  return made;
}

/** The value of an argument, where null is not the same as none. */
export function given(type, args, key) {
  const isNull = args.left[key] === null;
  const value = args.take(key);
  const empty =
    value === null &&
    shape(type)?.variant?.find((one) => !one.type && (isNull ? one.is === null : one.absent));
  return empty ? { tag: empty.name } : within(key, () => sent(type, value));
}

/** The value of a type whose fields are among these. */
export function gathered(type, fields) {
  const { record, variant, tag, keys } = shape(type);
  if (variant) return tagged(variant, tag, fields);
  const made = {};
  // Each takes its own fields first; the last has all others.
  for (const field of record.filter((one) => one.key)) made[camel(field.name)] = keyed(field, fields);
  for (const { name, type } of record.filter((one) => one.flat)) made[camel(name)] = flat(type, fields);
  for (const { name } of record.filter((one) => one.rest)) {
    const rest = fields.rest();
    const taken = Object.keys(rest).find((name) => keys.some((key) => alike(key, name)));
    check(taken === undefined, taken);
    made[camel(name)] = Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined;
  }
  return made;
}

function flat(type, fields) {
  if (!type.option) return gathered(type, fields);
  const [first] = shape(type.option).keys ?? [];
  return first !== undefined && fields.has(first) ? gathered(type.option, fields) : undefined;
}

function keyed({ type, key, inner, map, blank, answerOnly }, fields) {
  if (answerOnly) return sent(type, type === "string" ? "" : 0);
  if (blank && !fields.has(key)) return "";
  if (inner !== undefined && isObject(fields.left[key])) {
    const { [inner]: value = null, ...others } = fields.left[key];
    fields.left[key] = others;
    if (Object.keys(others).length === 0) fields.take(key);
    return within(`${key}.${inner}`, () => sent(type, value));
  }
  const value = fields.take(key);
  if (map) {
    check(value === null || isObject(value), key);
    return Object.entries(value ?? {}).map(([name, one]) => [name, JSON.stringify(one)]);
  }
  return within(key, () => sent(type, value));
}

/** The first case that can be this value. */
function alone(cases, value) {
  for (const { name, type } of cases) {
    if (!type || (type === "json-object" && !isObject(value))) continue;
    try {
      return { tag: name, val: sent(type, value) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  throw new Refused();
}

function tagged(cases, tag, fields) {
  const found = tag === undefined ? byKeys(cases, fields) : byTag(cases, tag, fields);
  check(found !== undefined, tag);
  const { name, type, key, with: more = {}, other } = found;
  if (other) return { tag: name, val: JSON.stringify(fields.rest()) };
  if (tag !== undefined) fields.take(tag);
  for (const one of Object.keys(more)) fields.take(one);
  if (!type) return { tag: name };
  if (key === undefined) return { tag: name, val: gathered(type, fields) };
  return { tag: name, val: within(key, () => sent(type, fields.take(key))) };
}

/** The case that the tag names. The first is meant where there is no tag. */
function byTag(cases, tag, fields) {
  const says = fields.left[tag] ?? null;
  const found = cases.find((one) => !one.other && one.is === says) ?? cases.find((one) => one.other);
  return found ?? (says === null ? cases[0] : undefined);
}

function byKeys(cases, fields) {
  return cases.find(({ type, key, with: more = {} }) => {
    const pairs = Object.entries(more);
    const first = key ?? shape(type).keys[0];
    const fits = pairs.every(([name, value]) => fields.left[name] === value);
    return fits && fields.has(first) && (pairs.length === 0) !== fields.has("delete");
  });
}

// Values of the component's types as JSON, from the form that jco's bindings give.

import { camel, shape } from "../contract.mjs";

/** The JSON of a value. */
export function told(type, value) {
  if (type === "json" || type === "json-object") return JSON.parse(value);
  if (type === "time") return new Date(Number(value)).toISOString();
  if (type === "u64") return Number(value);
  if (type.option) return value === undefined ? null : told(type.option, value);
  if (type.list) return Array.from(value, (item) => told(type.list, item));
  if (type.tuple) return type.tuple.map((item, at) => told(item, value[at]));
  // A mistake of the model is an answer to it.
  if (type.result) return { text: value.val, isError: value.tag === "err" };
  return shape(type) ? named(type, value) : value;
}

function named(type, value) {
  const { enum: words, record, array } = shape(type);
  if (words) return words[value];
  if (array) return record.map((field) => told(field.type, value[camel(field.name)]));
  return fieldsOf(type, value);
}

/** The fields of a value, which stand in an object of its own or beside others. */
function fieldsOf(type, value) {
  if (value === undefined) return {};
  if (type.option) return fieldsOf(type.option, value);
  const { record, variant, tag } = shape(type);
  if (record) return Object.assign({}, ...record.map((field) => fieldOf(field, value[camel(field.name)])));
  const { is, type: inner, key, other } = variant.find((one) => one.name === value.tag);
  if (other) return JSON.parse(value.val);
  const fields = tag === undefined ? {} : { [tag]: is };
  if (!inner) return fields;
  return {
    ...fields,
    ...(key === undefined ? fieldsOf(inner, value.val) : { [key]: told(inner, value.val) }),
  };
}

function fieldOf({ type, key, flat, rest, map, sparse }, value) {
  if (value === undefined) return {};
  if (flat) return fieldsOf(type, value);
  if (rest) return JSON.parse(value);
  if (map) return { [key]: Object.fromEntries(value.map((pair) => pairOf(type.list, pair))) };
  return sparse && (value === false || value.length === 0) ? {} : { [key]: told(type, value) };
}

function pairOf(type, pair) {
  if (type.tuple) return [pair[0], told(type.tuple[1], pair[1])];
  const [name, content] = shape(type).record;
  return [pair[camel(name.name)], told(content.type, pair[camel(content.name)])];
}

/** An answer in the form of its verb. */
export function answered({ answer: keys = [], boxed }, type, value) {
  if (!type) return null;
  if (boxed) return value.map((item) => (item === undefined ? null : [told(type.list, item)]));
  if (keys.length === 0) return told(type, value);
  if (keys.length === 1) return { [keys[0]]: told(type, value) };
  return Object.fromEntries(keys.map((key, at) => [key, told(type.tuple[at], value[at])]));
}

/** The code and the field of a failure. */
export function failure({ tag, val }) {
  return { code: tag === "other-version" ? "conflict" : tag, field: val?.field ?? null };
}

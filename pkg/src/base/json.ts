// Serialises arguments as JSON. Values that JSON would silently drop or change are refused, by their path.

import { MemoryError } from "./errors.js";

const MAX_DEPTH = 64;

/** The JSON of `value`. Throws a `MemoryError` with the path of a value that JSON cannot represent. */
export function encode(value: object): string {
  for (const [key, item] of Object.entries(value)) check(item, key, 1);
  return JSON.stringify(value);
}

function check(value: unknown, path: string, depth: number): void {
  switch (typeof value) {
    case "undefined":
    case "boolean":
      return;
    case "string":
      checkText(value, path);
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw refused(path, "must be a finite number");
    case "object":
      if (value !== null) checkObject(value, path, depth);
      return;
    default:
      throw refused(path, `must not be a ${typeof value}`);
  }
}

function checkObject(value: object, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw refused(path, `must be nested at most ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    value.forEach((item, at) => {
      if (item === undefined) throw refused(`${path}[${at}]`, "must not be undefined");
      check(item, `${path}[${at}]`, depth + 1);
    });
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw refused(path, "must be plain data, not an instance of a class");
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    throw refused(path, "must not have a toJSON method");
  }
  for (const key of Object.keys(value)) {
    checkText(key, path);
    check((value as Record<string, unknown>)[key], `${path}.${key.slice(0, 64)}`, depth + 1);
  }
}

/** A lone surrogate has no UTF-8 encoding: two different ids would become the same. */
function checkText(text: string, path: string): void {
  if (!isWellFormed(text)) throw refused(path, "must be a well-formed string: it has a lone surrogate");
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether the string has no lone surrogates. Uses `String.prototype.isWellFormed` where it exists. */
export function isWellFormed(text: string): boolean {
  const known = (text as { isWellFormed?: () => boolean }).isWellFormed?.();
  return known ?? !LONE_SURROGATE.test(text);
}

function refused(field: string, reason: string): MemoryError {
  return new MemoryError("invalid-input", `\`${field}\` ${reason}`, { field });
}

// Composite keys: escaped parts that sort, and can be separated again.

import { refused } from "../../base/errors.js";

/** The separator of parts. */
const BETWEEN = "/";

/** Escapes the separator in a part. */
export function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll(BETWEEN, "~1");
}

/** Unescapes a part. */
export function unescaped(part: string): string {
  return part.replaceAll("~1", BETWEEN).replaceAll("~0", "~");
}

/** The prefix of all keys below these parts. */
export function under(...parts: string[]): string {
  return parts.map((part) => escaped(part) + BETWEEN).join("");
}

/** The parts of a key. */
export function partsOf(key: string): string[] {
  return key.split(BETWEEN).slice(0, -1).map(unescaped);
}

/** A string with inverted order: the newest checkpoint comes first, and is found without reading the others. */
export function backwards(id: string): string {
  const bytes = Array.from(new TextEncoder().encode(id), (byte) =>
    (255 - byte).toString(16).padStart(2, "0"),
  );
  // After all digits, so that of two ids, one a prefix of the other, the longer one comes first.
  return `${bytes.join("")}g`;
}

/** A string; throws an error with the name of the field. */
export function textOf(value: unknown, field: string, isEmptyAllowed = false): string {
  if (typeof value === "string" && (isEmptyAllowed || value !== "")) return value;
  throw refused(field, "must be a string");
}

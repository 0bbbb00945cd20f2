// The keys of what is kept: parts that can hold anything, put together so that they sort, and come apart again.

import { refused } from "../../base/errors.js";

/** Stands between two parts. */
const BETWEEN = "/";

/** A part without the sign that stands between parts. */
export function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll(BETWEEN, "~1");
}

/** The part as it was. */
export function unescaped(part: string): string {
  return part.replaceAll("~1", BETWEEN).replaceAll("~0", "~");
}

/** What the keys of these parts and of all that is under them begin with. */
export function under(...parts: string[]): string {
  return parts.map((part) => escaped(part) + BETWEEN).join("");
}

/** The parts of a key that `under` made. */
export function partsOf(key: string): string[] {
  return key.split(BETWEEN).slice(0, -1).map(unescaped);
}

/** A text whose order is the opposite one: the newest checkpoint comes first, and is found without the others. */
export function backwards(id: string): string {
  const bytes = Array.from(new TextEncoder().encode(id), (byte) =>
    (255 - byte).toString(16).padStart(2, "0"),
  );
  // After all digits, so that of two ids of which one begins with the other the longer one is first.
  return `${bytes.join("")}g`;
}

/** A text, or an error that names the field. */
export function textOf(value: unknown, field: string, isEmptyAllowed = false): string {
  if (typeof value === "string" && (isEmptyAllowed || value !== "")) return value;
  throw refused(field, "must be a text");
}

// What is in a message as plain JSON, bytes included.

import { fromBase64, toBase64 } from "../../base/bytes.js";
import { refused } from "../../base/errors.js";
import type { Json } from "../../wire/types.js";

/** The field that stands for bytes. */
const BYTES = "langchain:bytes";

/** The value as JSON; what has none is left out, as JSON does. */
export function packed(value: object, field: string): Json {
  try {
    return JSON.parse(
      JSON.stringify(value, (_, inner) =>
        inner instanceof Uint8Array ? { [BYTES]: toBase64(inner) } : inner,
      ),
    );
  } catch (cause) {
    // Cycles and big integers. The reason of JSON names what is in it.
    throw refused(field, `must be plain data${cause instanceof RangeError ? " of few levels" : ""}`);
  }
}

/** The value that was packed. */
export function unpacked(value: Json): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  const bytes = value[BYTES];
  if (typeof bytes === "string") return fromBase64(bytes);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unpacked(inner)]));
}

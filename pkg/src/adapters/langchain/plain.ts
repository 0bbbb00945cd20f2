// The content of a message as plain JSON, including bytes.

import { fromBase64, toBase64 } from "../../base/bytes.js";
import { refused } from "../../base/errors.js";
import type { Json } from "../../wire/types.js";

/** The field that marks bytes. */
const BYTES = "langchain:bytes";

/** The value as JSON; values without JSON are left out. */
export function packed(value: object, field: string): Json {
  try {
    return JSON.parse(
      JSON.stringify(value, (_, inner) =>
        inner instanceof Uint8Array ? { [BYTES]: toBase64(inner) } : inner,
      ),
    );
  } catch (cause) {
    // Cycles and big integers. The message of the original error quotes data, so it is not used.
    throw refused(
      field,
      `must be plain data${cause instanceof RangeError ? " that is not nested too deeply" : ""}`,
    );
  }
}

/** The original value. */
export function unpacked(value: Json): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unpacked);
  const bytes = value[BYTES];
  if (typeof bytes === "string") return fromBase64(bytes);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unpacked(inner)]));
}

// Encodes a file of word meanings for the core: hexadecimal, because calls are JSON.

import { refused } from "../../base/errors.js";

const DIGITS = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The bytes in hexadecimal. */
export function meaningText(bytes: unknown): string {
  const given = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(given instanceof Uint8Array))
    throw refused("meaning", "must be the bytes of a file of word meanings");
  let text = "";
  for (const byte of given) text += DIGITS[byte];
  return text;
}

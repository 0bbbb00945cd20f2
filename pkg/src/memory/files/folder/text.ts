// Conversion between strings and file bytes.

import { MemoryError } from "../../../base/errors.js";

/** Decodes the bytes of a file; `undefined` if they are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    // Keeps a byte order mark, so that an exported file has the same bytes.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Encodes a string as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The hash of a file as the memory stores it: SHA-256, in hex. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    throw new MemoryError("unavailable", "files cannot be compared here: the page is not served over HTTPS");
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

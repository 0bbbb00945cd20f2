// Texts and the bytes that they are in files.

import { MemoryError } from "../../../base/errors.js";

/** The text of a file; nothing if its bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    // With the mark at the beginning, if there is one: a file that goes out again has the same bytes.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The hash by which the memory knows a text: its SHA-256, in hex. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    throw new MemoryError("unavailable", "files cannot be compared here: the page is not served over HTTPS");
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new Uint8Array(bytes)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

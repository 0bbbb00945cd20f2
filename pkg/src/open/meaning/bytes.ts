// Reads a file of word meanings from a URL, a path or bytes.

import { MemoryError } from "../../base/errors.js";

/** The source of the file: its URL, or its bytes. */
export type MeaningSource = string | URL | ArrayBuffer | Uint8Array;

/** The bytes of a source, or `undefined` for a URL. */
export function bytesIn(source: MeaningSource): Uint8Array | undefined {
  if (source instanceof Uint8Array) return source;
  return source instanceof ArrayBuffer ? new Uint8Array(source) : undefined;
}

/** Fetches a file. */
export async function fetched(file: string | URL): Promise<Uint8Array> {
  try {
    const response = await fetch(file);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** The error for a file that cannot be loaded. */
export function unavailable(cause: unknown): MemoryError {
  const message = "the file of word meanings could not be loaded: is it served beside the package's scripts?";
  return new MemoryError("unavailable", message, { field: "meaning", cause });
}

// Files of a skill that are binary, or too long for a text file, are stored as values.

/** The bytes as a string; `undefined` if they are not UTF-8, or exceed the size of a memory file. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > 900_000) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

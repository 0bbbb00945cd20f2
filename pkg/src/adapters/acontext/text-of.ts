// Files of a skill that are no text, or too long for one, are kept as values.

/** The text of bytes, with every sign; `undefined` if they are no UTF-8, or more than a file of the memory holds. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > 900_000) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

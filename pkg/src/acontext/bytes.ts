// Files of a skill that are no text, or too long for one: kept as values, in base64.

/** The text of bytes, with every sign; `undefined` if they are no UTF-8, or more than a file of the memory holds. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > 900_000) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/** The bytes of base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

// Bytes as text, where only JSON can be kept.

/** So many bytes become a text at once: a call takes only so many arguments. */
const STRETCH = 0x8000;

/** The bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += STRETCH) {
    text += String.fromCharCode(...bytes.subarray(at, at + STRETCH));
  }
  return btoa(text);
}

/** The bytes out of base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

// Bytes that were apart, together again.

/** All of the parts, one after the other. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether both are the same bytes, or both are not there. */
export function same(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

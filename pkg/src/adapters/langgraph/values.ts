// What a serializer gives, as JSON.

import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { fromBase64, toBase64 } from "../../base/bytes.js";

/** A value as a serializer wrote it: its type, and a text, or bytes that are none. */
export type Dumped = [type: string, text: string] | [type: string, base64: string, isBinary: true];

/** The value as it is kept. */
export async function dumped(serde: SerializerProtocol, value: unknown): Promise<Dumped> {
  const [type, bytes] = await serde.dumpsTyped(value);
  try {
    return [type, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)];
  } catch {
    return [type, toBase64(bytes), true];
  }
}

/** The value as it was. */
export async function loaded<T>(serde: SerializerProtocol, [type, kept, isBinary]: Dumped): Promise<T> {
  return serde.loadsTyped(type, isBinary ? fromBase64(kept) : new TextEncoder().encode(kept));
}

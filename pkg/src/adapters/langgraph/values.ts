// The output of a serializer as JSON.

import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { fromBase64, toBase64 } from "../../base/bytes.js";

/** A serialised value: its type, and a string, or base64 if the bytes are not UTF-8. */
export type Dumped = [type: string, text: string] | [type: string, base64: string, isBinary: true];

/** The value in its stored format. */
export async function dumped(serde: SerializerProtocol, value: unknown): Promise<Dumped> {
  const [type, bytes] = await serde.dumpsTyped(value);
  try {
    return [type, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)];
  } catch {
    return [type, toBase64(bytes), true];
  }
}

/** The original value. */
export async function loaded<T>(serde: SerializerProtocol, [type, kept, isBinary]: Dumped): Promise<T> {
  return serde.loadsTyped(type, isBinary ? fromBase64(kept) : new TextEncoder().encode(kept));
}

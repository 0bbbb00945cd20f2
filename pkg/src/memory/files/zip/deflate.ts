// Deflate compression and decompression with the platform's streams.

import { concatenated } from "../../../base/bytes.js";
import { MemoryError } from "../../../base/errors.js";

/** Decompresses to exactly `size` bytes. Stops at the first excess byte, as protection against ZIP bombs. */
export async function inflated(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const whole = new Uint8Array(size);
  let at = 0;
  try {
    for await (const piece of through(bytes, new DecompressionStream("deflate-raw"))) {
      if (at + piece.length > size) throw broken();
      whole.set(piece, at);
      at += piece.length;
    }
  } catch (cause) {
    throw cause instanceof MemoryError ? cause : broken(cause);
  }
  if (at !== size) throw broken();
  return whole;
}

/** Compresses `bytes`. */
export async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of through(bytes, new CompressionStream("deflate-raw"))) pieces.push(piece);
  return concatenated(pieces);
}

async function* through(
  bytes: Uint8Array,
  transform: { readable: ReadableStream<Uint8Array>; writable: WritableStream<BufferSource> },
): AsyncIterable<Uint8Array> {
  const writer = transform.writable.getWriter();
  const reader = transform.readable.getReader();
  // The reader rejects with the same error.
  const writing = writer.write(new Uint8Array(bytes)).then(() => writer.close());
  writing.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function broken(cause?: unknown): MemoryError {
  const message = "the file in the ZIP does not decompress to its recorded size";
  return new MemoryError("corrupt", message, cause === undefined ? {} : { cause });
}

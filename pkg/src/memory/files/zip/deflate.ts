// Deflate, both ways, by what the platform brings along.

import { concatenated } from "../../../base/bytes.js";
import { MemoryError } from "../../../base/errors.js";

/** What inflates to exactly `size` bytes. Stops at the first byte too many, so that nothing can swell. */
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

/** `bytes`, deflated. */
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
  // What goes wrong here comes out of the reader as well.
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
  const message = "the file in the ZIP does not unpack to what the ZIP says of it";
  return new MemoryError("corrupt", message, cause === undefined ? {} : { cause });
}

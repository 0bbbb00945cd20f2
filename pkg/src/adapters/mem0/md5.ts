// The MD5 of a string, which mem0 shows as a memory's hash. Not for security: it only compares contents.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

/** 32 hex digits. */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bytes.length << 3, true);
  view.setUint32(padded.length - 4, bytes.length >>> 29, true);
  let state: Four = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < padded.length; at += 64) state = block(state, view, at);
  const out = new DataView(new ArrayBuffer(16));
  state.forEach((word, n) => {
    out.setInt32(n * 4, word, true);
  });
  return Array.from(new Uint8Array(out.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

type Four = [number, number, number, number];

function block(before: Four, view: DataView, at: number): Four {
  let [a, b, c, d] = before;
  for (let n = 0; n < 64; n++) {
    const round = n >> 4;
    const [mixed, word] = (
      [
        [(b & c) | (~b & d), n],
        [(d & b) | (~d & c), 5 * n + 1],
        [b ^ c ^ d, 3 * n + 5],
        [c ^ (b | ~d), 7 * n],
      ] as const
    )[round as 0 | 1 | 2 | 3];
    const constant = Math.floor(Math.abs(Math.sin(n + 1)) * 2 ** 32);
    const sum = (a + mixed + constant + view.getInt32(at + (word & 15) * 4, true)) | 0;
    const by = SHIFTS[round * 4 + (n & 3)] as number;
    [a, d, c, b] = [d, c, b, (b + ((sum << by) | (sum >>> (32 - by)))) | 0];
  }
  const [w, x, y, z] = before;
  return [(w + a) | 0, (x + b) | 0, (y + c) | 0, (z + d) | 0];
}

// Sizes of pictures, so that a page does not move when they arrive.

import { readFileSync } from "node:fs";

const uint24 = (bytes, at) => bytes.readUIntLE(at, 3);

/** The sizes that the forms of WebP have in their first chunk. */
const WEBP = {
  VP8X: (bytes) => [uint24(bytes, 24) + 1, uint24(bytes, 27) + 1],
  "VP8 ": (bytes) => [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff],
  VP8L: (bytes) => [(bytes.readUInt32LE(21) & 0x3fff) + 1, ((bytes.readUInt32LE(21) >> 14) & 0x3fff) + 1],
};

function sizeOf(bytes) {
  const webp = WEBP[bytes.toString("latin1", 12, 16)];
  if (bytes.toString("latin1", 0, 4) === "RIFF" && webp) return webp(bytes);
  if (bytes.toString("latin1", 1, 4) === "PNG") return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return bytes
    .toString("utf8")
    .match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/)
    ?.slice(1);
}

/** The width and height of an SVG, WebP or PNG file, in CSS pixels. */
export function pictureSize(path) {
  const size = sizeOf(readFileSync(path));
  if (!size) throw new Error(`the size of ${path} is unknown`);
  return { width: Number(size[0]), height: Number(size[1]) };
}

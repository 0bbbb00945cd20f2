// Writing a ZIP: the files one after another, then the directory.

import { concatenated } from "../../../base/bytes.js";
import { MemoryError } from "../../../base/errors.js";
import { bytesOf } from "../folder/text.js";
import { crc32 } from "./crc32.js";
import { deflated } from "./deflate.js";
import { DEFLATED, STORED, type ZipEntry } from "./read.js";

/** Made by Unix; format version 2.0, which has folders and deflate. */
const MADE_BY = (3 << 8) | 20;
/** Unix attributes of a regular file with mode 644. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;
/** The flag for UTF-8 names. */
const UTF8 = 1 << 11;

/** Compresses a file to a ZIP entry. Stores it uncompressed if that is not larger. */
export async function entryOf(name: string, bytes: Uint8Array, when: Date): Promise<ZipEntry> {
  const smaller = await deflated(bytes);
  const packs = smaller.length < bytes.length;
  return {
    name,
    method: packs ? DEFLATED : STORED,
    modified: dosTime(when),
    crc: crc32(bytes),
    size: bytes.length,
    madeBy: MADE_BY,
    attributes: ATTRIBUTES,
    // Copied, because the caller may change its bytes later.
    packed: packs ? smaller : bytes.slice(),
  };
}

/** Encodes entries as a ZIP. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const add = (piece: Uint8Array) => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const entry of entries) {
    const name = bytesOf(entry.name);
    const { method, modified, crc, size, packed } = entry;
    const shared: Field[] = [
      [2, 20],
      [2, UTF8],
      [2, method],
      [4, modified],
      [4, crc],
      [4, packed.length],
      [4, size],
      [2, name.length],
      [2, 0],
    ];
    const more: Field[] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, entry.attributes],
      [4, at],
    ];
    directory.push(fields([4, 0x02014b50], [2, entry.madeBy], ...shared, ...more), name);
    add(fields([4, 0x04034b50], ...shared));
    add(name);
    add(packed);
  }
  const begin = at;
  for (const piece of directory) add(piece);
  if (entries.length > 0xfffe || at > 0xfffffffe) {
    throw new MemoryError("too-large", "a ZIP holds at most 65,534 files and 4 GB");
  }
  const count: Field[] = [
    [2, entries.length],
    [2, entries.length],
  ];
  add(fields([4, 0x06054b50], [4, 0], ...count, [4, at - begin], [4, begin], [2, 0]));
  return concatenated(pieces);
}

/** A little-endian field: its size in bytes, and its value. */
type Field = [size: 2 | 4, value: number];

function fields(...all: Field[]): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of all) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

/** The time in MS-DOS format: local time, from 1980 on, with a resolution of two seconds. */
function dosTime(when: Date): number {
  const year = Math.max(when.getFullYear(), 1980) - 1980;
  const date = (year << 9) | ((when.getMonth() + 1) << 5) | when.getDate();
  const time = (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

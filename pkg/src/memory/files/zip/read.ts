// Reading a ZIP: its directory first, then each file on demand.

import { MemoryError } from "../../../base/errors.js";
import { partsOf, tooLarge } from "../folder/names.js";
import { textOf } from "../folder/text.js";
import { crc32 } from "./crc32.js";
import { inflated } from "./deflate.js";

/** A file in a ZIP, in its stored form. */
export interface ZipEntry {
  name: string;
  /** The compression method: `STORED`, `DEFLATED`, or an unsupported one. */
  method: number;
  /** The modification time, in MS-DOS format. */
  modified: number;
  crc: number;
  /** The decompressed size in bytes, as recorded in the ZIP. */
  size: number;
  /** The system that the attributes belong to. */
  madeBy: number;
  attributes: number;
  packed: Uint8Array;
  /** Why the file cannot be read. */
  refused?: string;
}

/** Uncompressed. */
export const STORED = 0;
/** Compressed with deflate. */
export const DEFLATED = 8;

const END = 0x06054b50;
const END_SIZE = 22;
const ENTRY = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL = 0x04034b50;
const LOCAL_SIZE = 30;
/** The placeholder of a field whose value is in a ZIP64 extension. */
const ELSEWHERE = 0xffffffff;

/** The limit of the total decompressed size, as protection against ZIP bombs. */
const MAX_TOTAL = 1 << 28;

/** The files in a ZIP's directory, in order. Unreadable files have `refused` set. */
export function entriesOf(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  const begin = end - view.getUint32(end + 12, true);
  // Data before the archive, such as a self-extractor, shifts all offsets.
  const shift = begin - view.getUint32(end + 16, true);
  if (shift < 0 || view.getUint16(end + 4, true) !== 0) throw broken("has an unsupported format");
  const entries: ZipEntry[] = [];
  let at = begin;
  for (let n = 0; n < count; n++) {
    if (at + ENTRY_SIZE > end || view.getUint32(at, true) !== ENTRY) throw torn();
    const next =
      at + ENTRY_SIZE + [28, 30, 32].reduce((sum, field) => sum + view.getUint16(at + field, true), 0);
    if (next > end) throw torn();
    const entry = entryAt(bytes, view, at, shift);
    // Folders are entries whose names end with a slash.
    if (!entry.name.endsWith("/")) entries.push(entry);
    at = next;
  }
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_TOTAL) {
    throw new MemoryError("too-large", `the files in the ZIP have ${total} bytes, more than ${MAX_TOTAL}`);
  }
  return entries;
}

/** Decompresses a file and verifies its checksum. */
export async function contentOf(entry: ZipEntry, limit: number): Promise<Uint8Array> {
  if (entry.refused) throw new MemoryError("invalid-input", `the file in the ZIP ${entry.refused}`);
  partsOf(entry.name);
  if (entry.size > limit) throw tooLarge(entry.size, limit);
  const bytes = entry.method === DEFLATED ? await inflated(entry.packed, entry.size) : entry.packed;
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) {
    throw new MemoryError("corrupt", "the file in the ZIP does not match its checksum");
  }
  return bytes;
}

/** The offset of the end-of-directory record. Only a comment may follow it. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) !== END) continue;
    if (at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw broken("has no end record: it is truncated, or not a ZIP");
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, shift: number): ZipEntry {
  const name = bytes.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + view.getUint16(at + 28, true));
  // Programs that do not set the UTF-8 flag write UTF-8 anyway, or an encoding that cannot be detected.
  const text = textOf(name);
  const entry: ZipEntry = {
    name: text ?? Array.from(name, (byte) => String.fromCharCode(byte)).join(""),
    method: view.getUint16(at + 10, true),
    modified: view.getUint32(at + 12, true),
    crc: view.getUint32(at + 16, true),
    size: view.getUint32(at + 24, true),
    madeBy: view.getUint16(at + 4, true),
    attributes: view.getUint32(at + 38, true),
    packed: new Uint8Array(0),
  };
  const packedSize = view.getUint32(at + 20, true);
  const offset = view.getUint32(at + 42, true);
  const from = offset + shift;
  const local = from + LOCAL_SIZE <= at && view.getUint32(from, true) === LOCAL;
  const data = local
    ? from + LOCAL_SIZE + view.getUint16(from + 26, true) + view.getUint16(from + 28, true)
    : at;
  const encrypted = (view.getUint16(at + 8, true) & 1) !== 0;
  const isLink = entry.madeBy >> 8 === 3 && entry.attributes >>> 28 === 0xa;
  if (text === undefined) entry.refused = "has a name that is not UTF-8";
  else if ([entry.size, packedSize, offset].includes(ELSEWHERE))
    entry.refused = "needs ZIP64, which is not supported";
  else if (encrypted) entry.refused = "is encrypted";
  else if (entry.method !== STORED && entry.method !== DEFLATED)
    entry.refused = "has an unsupported compression method";
  else if (isLink) entry.refused = "is a symbolic link";
  else if (!local || data + packedSize > at) entry.refused = "is not at its recorded offset";
  if (entry.refused) return { ...entry, size: 0 };
  entry.packed = bytes.subarray(data, data + packedSize);
  return entry;
}

function torn(): MemoryError {
  return broken("has a truncated directory");
}

function broken(how: string): MemoryError {
  return new MemoryError("corrupt", `the ZIP ${how}`);
}

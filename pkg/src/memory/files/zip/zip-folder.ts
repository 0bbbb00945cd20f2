// A folder in a ZIP, for download and upload.

import { MemoryError, refused } from "../../../base/errors.js";
import type { Folder } from "../folder/folder.js";
import { partsOf } from "../folder/names.js";
import { contentOf, entriesOf, type ZipEntry } from "./read.js";
import { entryOf, zipOf } from "./write.js";

/** A folder in a ZIP. */
export interface ZipFolder extends Folder {
  /** Returns the bytes of the ZIP. Unmodified files keep their compressed form; unreadable files are left out. */
  toBytes(): Promise<Uint8Array>;
  /** Returns the ZIP as a `Blob`, for download. */
  toBlob(): Promise<Blob>;
}

/**
 * Returns the folder in a ZIP. Files are decompressed and verified when they are read. Throws `corrupt` or `too-large`
 * for an invalid ZIP. Default: an empty folder to write to.
 */
export function zipFolder(bytes?: Uint8Array | ArrayBuffer): ZipFolder {
  const files = new Map<string, ZipEntry>();
  for (const entry of bytes === undefined ? [] : entriesOf(asBytes(bytes))) {
    // Programs disagree on which of two files with the same name counts.
    const twice = files.has(entry.name) ? { ...entry, refused: "occurs twice" } : entry;
    files.set(entry.name, twice);
  }
  const toBytes = async () => zipOf([...files.values()].filter(passable));
  return {
    list: async () => [...files.keys()],
    async read(path, limit = Number.POSITIVE_INFINITY) {
      const entry = files.get(path);
      if (!entry) throw new MemoryError("not-found", "no such file in the ZIP");
      return contentOf(entry, limit);
    },
    async write(path, content) {
      partsOf(path);
      files.set(path, await entryOf(path, content, new Date()));
    },
    async remove(path) {
      files.delete(path);
    },
    toBytes,
    toBlob: async () => new Blob([await toBytes()], { type: "application/zip" }),
  };
}

function asBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  if (Object.prototype.toString.call(bytes) === "[object ArrayBuffer]") return new Uint8Array(bytes);
  throw refused("bytes", "must be a Uint8Array or an ArrayBuffer");
}

/** Whether a file is readable and its path stays within the folder. */
function passable({ name, refused }: ZipEntry): boolean {
  if (refused) return false;
  try {
    partsOf(name);
    return true;
  } catch {
    return false;
  }
}

// A folder in a ZIP: what an app offers for download, and takes back.

import { MemoryError, refused } from "../../../base/errors.js";
import type { Folder } from "../folder/folder.js";
import { partsOf } from "../folder/names.js";
import { contentOf, entriesOf, type ZipEntry } from "./read.js";
import { entryOf, zipOf } from "./write.js";

/** A folder in a ZIP. */
export interface ZipFolder extends Folder {
  /** The ZIP as it is now. What nobody wrote to is packed as it came; what cannot be read is left out. */
  toBytes(): Promise<Uint8Array>;
  /** The same, to be downloaded. */
  toBlob(): Promise<Blob>;
}

/**
 * The folder that a ZIP holds. Files are unpacked when they are read, and checked. Default: an empty one, to be written
 * to.
 */
export function zipFolder(bytes?: Uint8Array | ArrayBuffer): ZipFolder {
  const files = new Map<string, ZipEntry>();
  for (const entry of bytes === undefined ? [] : entriesOf(asBytes(bytes))) {
    // Which of the two is meant, programs do not agree on.
    const twice = files.has(entry.name) ? { ...entry, refused: "is there twice" } : entry;
    files.set(entry.name, twice);
  }
  const toBytes = async () => zipOf([...files.values()].filter(passable));
  return {
    list: async () => [...files.keys()],
    async read(path, limit = Number.POSITIVE_INFINITY) {
      const entry = files.get(path);
      if (!entry) throw new MemoryError("not-found", "there is no such file in the ZIP");
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

/** What can be read is passed on, and what would lead out of a folder is not. */
function passable({ name, refused }: ZipEntry): boolean {
  if (refused) return false;
  try {
    partsOf(name);
    return true;
  } catch {
    return false;
  }
}

// A folder that the browser gives a handle to: one that the user picked, or the page's own.

import { MemoryError } from "../../../base/errors.js";
import type { Folder } from "./folder.js";
import { partsOf, tooLarge } from "./names.js";

/**
 * What is needed of a `FileSystemDirectoryHandle`. By another name, so that apps without the DOM library can read these
 * types.
 */
export interface DirectoryHandle {
  /** That it is a directory. */
  readonly kind: "directory";
  /** The directory with this name. */
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<DirectoryHandle>;
  /** The file with this name. */
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FileHandle>;
  /** Takes away what has this name. */
  removeEntry(name: string): Promise<void>;
}

/** What is needed of a `FileSystemFileHandle`. */
export interface FileHandle {
  /** That it is a file. */
  readonly kind: "file";
  /** What is in it. */
  getFile(): Promise<{ size: number; arrayBuffer(): Promise<ArrayBuffer> }>;
  /** A way to replace what is in it, all at once when it is closed. */
  createWritable(): Promise<{
    write(data: ArrayBuffer): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
  }>;
}

/** What a directory holds. Not every DOM library has it yet, which is why it is not asked of a handle. */
interface Listed {
  entries(): AsyncIterable<[string, DirectoryHandle | FileHandle]>;
}

/**
 * A folder behind a handle: `await showDirectoryPicker({ mode: "readwrite" })`, or the page's own, which needs no
 * permission: `await navigator.storage.getDirectory()`.
 */
export function directoryFolder(handle: DirectoryHandle): Folder {
  const parentOf = async (path: string, create: boolean): Promise<[DirectoryHandle, string]> => {
    const parts = partsOf(path);
    const name = parts.pop() ?? "";
    let folder = handle;
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create });
    return [folder, name];
  };
  return {
    list: () => walk(handle, ""),
    async read(path, limit = Number.POSITIVE_INFINITY) {
      const [folder, name] = await parentOf(path, false);
      const file = await (await folder.getFileHandle(name)).getFile();
      if (file.size > limit) throw tooLarge(file.size, limit);
      return new Uint8Array(await file.arrayBuffer());
    },
    async write(path, bytes) {
      const [folder, name] = await parentOf(path, true);
      const file = await folder.getFileHandle(name, { create: true });
      if (typeof file.createWritable !== "function") {
        throw new MemoryError("unavailable", "this browser does not let pages write files from here");
      }
      const writable = await file.createWritable();
      try {
        await writable.write(bytes.slice().buffer);
        await writable.close();
      } catch (error) {
        await writable.abort(error).catch(() => {});
        throw error;
      }
    },
    async remove(path) {
      const [folder, name] = await parentOf(path, false);
      await folder.removeEntry(name);
    },
  };
}

async function* walk(folder: DirectoryHandle, before: string): AsyncIterable<string> {
  if (!isListed(folder)) {
    throw new MemoryError("unavailable", "this browser does not let pages list the files of a folder");
  }
  for await (const [name, entry] of folder.entries()) {
    const path = `${before}${name}`;
    if (entry.kind === "file") {
      yield path;
      continue;
    }
    try {
      yield* walk(entry, `${path}/`);
    } catch {
      yield path;
    }
  }
}

/** Whether a directory can say what it holds. */
function isListed(folder: object): folder is Listed {
  return "entries" in folder && typeof folder.entries === "function";
}

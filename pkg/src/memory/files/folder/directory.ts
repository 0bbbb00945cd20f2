// A folder behind a browser's directory handle: one that the user picked, or the origin private file system.

import { MemoryError } from "../../../base/errors.js";
import type { Folder } from "./folder.js";
import { partsOf, tooLarge } from "./names.js";

/**
 * The part of `FileSystemDirectoryHandle` that is used, declared here so that apps without the DOM library can use these
 * types.
 */
export interface DirectoryHandle {
  /** Always `"directory"`. */
  readonly kind: "directory";
  /** Returns the directory with this name. */
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<DirectoryHandle>;
  /** Returns the file with this name. */
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FileHandle>;
  /** Deletes the entry with this name. */
  removeEntry(name: string): Promise<void>;
}

/** The part of `FileSystemFileHandle` that is used. */
export interface FileHandle {
  /** Always `"file"`. */
  readonly kind: "file";
  /** Returns the file's contents. */
  getFile(): Promise<{ size: number; arrayBuffer(): Promise<ArrayBuffer> }>;
  /** Returns a stream that replaces the contents atomically when it is closed. */
  createWritable(): Promise<{
    write(data: ArrayBuffer): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
  }>;
}

/** The iteration of a directory. Not every DOM library declares it, so it is not part of `DirectoryHandle`. */
interface Listed {
  entries(): AsyncIterable<[string, DirectoryHandle | FileHandle]>;
}

/**
 * Returns the folder of a directory handle: `await showDirectoryPicker({ mode: "readwrite" })`, or the origin private
 * file system, which needs no permission: `await navigator.storage.getDirectory()`.
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

/** Whether a directory can be listed. */
function isListed(folder: object): folder is Listed {
  return "entries" in folder && typeof folder.entries === "function";
}

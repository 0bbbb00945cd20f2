// The folder side of a sync: reads files, and writes them only if they have not changed since the read.

import { refused } from "../../../base/errors.js";

import type { MemoryFile } from "../../../wire/files.js";
import type { Folder } from "../folder/folder.js";
import { bytesOf, hashOf, textOf } from "../folder/text.js";
import type { FolderNames } from "./names.js";
import { Moved, Skip } from "./refusals.js";

/** The size limit of a file in the memory. Larger files are not read. */
const MAX_BYTES = 900_000;

/** The contents of a file in the folder. */
export interface OutsideFile {
  text: string;
  hash: string;
}

/** The files of a folder. */
export class Outside {
  /** The paths of the files. */
  readonly paths: Set<string>;
  readonly #folder: Folder;
  readonly #names: FolderNames;
  /** Paths by their folded form, to detect names that are equal on some file systems. */
  readonly #alike: Map<string, string>;

  constructor(folder: Folder, paths: Set<string>, names: FolderNames) {
    this.paths = paths;
    this.#folder = folder;
    this.#names = names;
    this.#alike = new Map([...paths].map((path) => [names.alike(path), path]));
  }

  /** Reads a file; `undefined` if it does not exist. Throws `Skip` if it cannot be read. */
  async file(path: string): Promise<OutsideFile | undefined> {
    // A file below an unreadable folder may exist, so it must not count as deleted.
    const above = path.split("/").slice(0, -1);
    for (; above.length > 0; above.pop()) {
      const folder = above.join("/");
      if (this.paths.has(folder)) throw new Skip(`is below ${folder}, which cannot be read`);
    }
    return this.paths.has(path) ? this.#read(path) : undefined;
  }

  /** Replaces `before` with a file. Throws `Moved` if the folder's file is no longer `before`. */
  async write({ path, text, hash }: MemoryFile, before: OutsideFile | undefined): Promise<void> {
    await this.#check(path, before);
    if (hash === before?.hash) return;
    const alike = this.#names.alike(path);
    const twin = this.#alike.get(alike);
    if (!before && twin !== undefined && twin !== path) {
      throw new Skip(`has the same name as ${twin} on some file systems; rename one of them`);
    }
    await tried(() => this.#folder.write(path, bytesOf(text)));
    this.paths.add(path);
    this.#alike.set(alike, path);
  }

  /** Deletes a file. Throws `Moved` if the folder's file is no longer `before`. */
  async remove(path: string, before: OutsideFile): Promise<void> {
    await this.#check(path, before);
    await tried(() => this.#folder.remove(path));
    this.paths.delete(path);
  }

  async #read(path: string): Promise<OutsideFile> {
    const bytes = await tried(() => this.#folder.read(path, MAX_BYTES));
    if (bytes.length > MAX_BYTES) throw new Skip(`has ${bytes.length} bytes, more than ${MAX_BYTES}`);
    const text = textOf(bytes);
    if (text === undefined) throw new Skip("is not text in UTF-8");
    return { text, hash: await hashOf(bytes) };
  }

  /** Throws `Moved` if the file has changed, so that a concurrent save is not overwritten. */
  async #check(path: string, before: OutsideFile | undefined): Promise<void> {
    // Reading a missing file fails for any reason; the write that follows reports it.
    const now = await this.#read(path).catch((error) => {
      if (before) throw error;
      return undefined;
    });
    if (now?.hash === before?.hash) return;
    this.paths.add(path);
    throw new Moved();
  }
}

/** Turns an error of the folder into a `Skip` of this file. */
async function tried<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new Skip(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The paths of all files in a folder. */
export async function pathsIn(folder: Folder): Promise<Set<string>> {
  if (typeof folder?.list !== "function") throw refused("folder", "must be a folder");
  const paths = new Set<string>();
  for await (const path of await folder.list()) paths.add(path);
  return paths;
}

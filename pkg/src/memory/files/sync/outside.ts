// The folder's side: what is in a file, and changes to it that are made only to what was looked at.

import { refused } from "../../../base/errors.js";

import type { MemoryFile } from "../../../wire/files.js";
import type { Folder } from "../folder/folder.js";
import { bytesOf, hashOf, textOf } from "../folder/text.js";
import type { FolderNames } from "./names.js";
import { Moved, Skip } from "./refusals.js";

/** What a file of the memory may have. A file that has more is not even read. */
const MAX_BYTES = 900_000;

/** What is in a file of the folder. */
export interface OutsideFile {
  text: string;
  hash: string;
}

/** The files of a folder. */
export class Outside {
  /** Where they are. */
  readonly paths: Set<string>;
  readonly #folder: Folder;
  readonly #names: FolderNames;
  /** Paths by what is left of them where case and accents do not count. */
  readonly #alike: Map<string, string>;

  constructor(folder: Folder, paths: Set<string>, names: FolderNames) {
    this.paths = paths;
    this.#folder = folder;
    this.#names = names;
    this.#alike = new Map([...paths].map((path) => [names.alike(path), path]));
  }

  /** What is in a file; nothing if it is not there. */
  async file(path: string): Promise<OutsideFile | undefined> {
    // What is below something that cannot be looked into may well be there: it must not count as deleted.
    const above = path.split("/").slice(0, -1);
    for (; above.length > 0; above.pop()) {
      const folder = above.join("/");
      if (this.paths.has(folder)) throw new Skip(`is below ${folder}, which cannot be looked into`);
    }
    return this.paths.has(path) ? this.#read(path) : undefined;
  }

  /** Writes a file where `before` was. */
  async write({ path, text, hash }: MemoryFile, before: OutsideFile | undefined): Promise<void> {
    await this.#check(path, before);
    if (hash === before?.hash) return;
    const alike = this.#names.alike(path);
    const twin = this.#alike.get(alike);
    if (!before && twin !== undefined && twin !== path) {
      throw new Skip(`would be the same file as ${twin} on some systems; one of them needs another name`);
    }
    await tried(() => this.#folder.write(path, bytesOf(text)));
    this.paths.add(path);
    this.#alike.set(alike, path);
  }

  /** Takes the file away that `before` was. */
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

  /** Somebody may save a file just now: what they wrote would be lost. */
  async #check(path: string, before: OutsideFile | undefined): Promise<void> {
    // One that was not there fails to be read, for whatever reason; to write it then says which.
    const now = await this.#read(path).catch((error) => {
      if (before) throw error;
      return undefined;
    });
    if (now?.hash === before?.hash) return;
    this.paths.add(path);
    throw new Moved();
  }
}

/** What a folder throws is about the one file. */
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

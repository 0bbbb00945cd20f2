// The last common state of both sides, stored in the folder itself, so that a copy of the folder includes it.

import { MemoryError } from "../../../base/errors.js";
import type { Folder } from "../folder/folder.js";
import { bytesOf, textOf } from "../folder/text.js";

/** The name of the record file in the folder, and of the file with the memory's id. Neither is synced. */
export const RECORD = ".keepsake.json";

/** The hashes of the files that a memory and the folder had in common, by path. */
export type Hashes = Map<string, string>;

/** How many other memories a record keeps. */
const OTHERS = 7;

const MAX_BYTES = 64_000_000;

/** The last common state of one memory and the folder. */
interface Known {
  memory: string;
  files: Hashes;
}

/**
 * The record of a folder: the last common state with each synced memory. States are per memory, because a file that is
 * missing from a new or cleared memory is new to it, not deleted.
 */
export class FolderRecord {
  /** The last common state of this memory and the folder. */
  readonly files: Hashes;
  readonly #memory: string;
  readonly #others: Known[];
  readonly #before: string | undefined;

  private constructor(memory: string, all: Known[], before: string | undefined) {
    this.#memory = memory;
    this.#others = all.filter((known) => known.memory !== memory).slice(0, OTHERS);
    this.files = new Map(all.find((known) => known.memory === memory)?.files);
    this.#before = before;
  }

  /** Reads the record. An invalid record counts as empty, so that no file counts as deleted. */
  static async read(folder: Folder, paths: ReadonlySet<string>, memory: string): Promise<FolderRecord> {
    if (!paths.has(RECORD)) return new FolderRecord(memory, [], undefined);
    const text = textOf(await folder.read(RECORD, MAX_BYTES));
    return new FolderRecord(memory, text === undefined ? [] : knownIn(text), text);
  }

  /** Hashes of possible merge bases: from this memory's state or, if it has none, from the other memories'. */
  bases(path: string): string[] {
    const own = this.files.get(path);
    if (own !== undefined) return [own];
    return this.#others.flatMap(({ files }) => files.get(path) ?? []);
  }

  /** Writes the record if it changed. An unchanged write would trigger folder watchers forever. */
  async write(folder: Folder): Promise<void> {
    const files = plain(this.files);
    const others = this.#others.map((known) => ({ memory: known.memory, files: plain(known.files) }));
    const all = { version: 1, memory: this.#memory, files, ...(others.length > 0 ? { others } : {}) };
    const text = `${JSON.stringify(all, undefined, 1)}\n`;
    if (text !== this.#before) await folder.write(RECORD, bytesOf(text));
  }
}

/** Sorted by path, so that equal records have equal bytes. */
function plain(files: Hashes): { [path: string]: string } {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted);
}

/** An unvalidated part of the record. */
type Told = { [field in "version" | "memory" | "files" | "others"]?: unknown };

function knownIn(text: string): Known[] {
  let all: unknown;
  try {
    all = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isObject(all)) return [];
  const { version, others }: Told = all;
  if (typeof version === "number" && version > 1) {
    const message = `the folder was last synced by a newer version of this library: see its ${RECORD}`;
    throw new MemoryError("newer-version", message);
  }
  return [all, ...(Array.isArray(others) ? others : [])].flatMap((told: unknown) => {
    const { memory, files }: Told = isObject(told) ? told : {};
    if (typeof memory !== "string" || !isObject(files)) return [];
    const hashes = Object.entries(files).filter(
      (file): file is [string, string] => typeof file[1] === "string",
    );
    return [{ memory, files: new Map(hashes) }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

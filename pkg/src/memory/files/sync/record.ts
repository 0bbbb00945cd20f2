// What both sides had the last time: a file in the folder itself, so that a copy of the folder takes it along.

import { MemoryError } from "../../../base/errors.js";
import type { Folder } from "../folder/folder.js";
import { bytesOf, textOf } from "../folder/text.js";

/** The name of that file, and of the one in the memory that says which memory it is. Neither is ever synced. */
export const RECORD = ".keepsake.json";

/** The hash of each file that a memory and the folder had in common, by its path. */
export type Hashes = Map<string, string>;

/** How many memories are known to a folder beside the one that was here last. */
const OTHERS = 7;

const MAX_BYTES = 64_000_000;

/** What one memory had in common with the folder. */
interface Known {
  memory: string;
  files: Hashes;
}

/**
 * What a folder says of the memories that it was in step with. Each has its own part: for a memory that was never here,
 * and for one that was emptied, a file that it does not have is new, and not deleted.
 */
export class FolderRecord {
  /** What this memory and the folder had in common. */
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

  /** Reads what the folder says. What makes no sense says nothing: then nothing counts as deleted. */
  static async read(folder: Folder, paths: ReadonlySet<string>, memory: string): Promise<FolderRecord> {
    if (!paths.has(RECORD)) return new FolderRecord(memory, [], undefined);
    const text = textOf(await folder.read(RECORD, MAX_BYTES));
    return new FolderRecord(memory, text === undefined ? [] : knownIn(text), text);
  }

  /** What this or, if it was never here, any other memory had in common with the folder: where changes began. */
  bases(path: string): string[] {
    const own = this.files.get(path);
    if (own !== undefined) return [own];
    return this.#others.flatMap(({ files }) => files.get(path) ?? []);
  }

  /** Writes it into the folder, if it says something new: who watches the folder would otherwise never rest. */
  async write(folder: Folder): Promise<void> {
    const files = plain(this.files);
    const others = this.#others.map((known) => ({ memory: known.memory, files: plain(known.files) }));
    const all = { version: 1, memory: this.#memory, files, ...(others.length > 0 ? { others } : {}) };
    const text = `${JSON.stringify(all, undefined, 1)}\n`;
    if (text !== this.#before) await folder.write(RECORD, bytesOf(text));
  }
}

/** In the order of the paths, so that the same is written the same. */
function plain(files: Hashes): { [path: string]: string } {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted);
}

/** A part of what is written there, by whoever wrote it. */
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

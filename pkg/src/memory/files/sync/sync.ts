// Sync of a memory's files with a folder. Each file is synced on its own, so that a failure does not stop the others.

import { known } from "../../../base/options.js";

import type { MemoryFile, MergedFile } from "../../../wire/files.js";
import type { Folder } from "../folder/folder.js";
import { memoryId } from "./identity.js";
import { FolderNames, isUsual } from "./names.js";
import { Outside, type OutsideFile, pathsIn } from "./outside.js";
import { type Direction, stepFor } from "./plan.js";
import { FolderRecord, RECORD } from "./record.js";
import { aboutTheFile, isConflict, Moved, Skip } from "./refusals.js";
import type { FileTree, FolderOptions, FolderSync } from "./types.js";

/** Retries for a file that changes during the sync. */
const TRIES = 8;

/** Syncs a memory and a folder, in both directions or in one. */
export async function syncFolder(
  tree: FileTree,
  folder: Folder,
  direction: Direction,
  options: FolderOptions,
): Promise<FolderSync> {
  known(options, "only sources onConflict onProgress signal");
  const paths = await pathsIn(folder);
  const record = await FolderRecord.read(folder, paths, await memoryId(tree));
  const inside = new Map((await tree.list()).map(({ path, hash }) => [path, hash]));
  const names = await FolderNames.of(tree, [...paths, ...inside.keys(), ...record.files.keys()]);
  const outside = new Outside(folder, paths, names);
  const sync = new Sync({ tree, inside, outside, record, names, direction, options });
  try {
    return await sync.run();
  } finally {
    // Also after an abort, so that the files synced until then are recorded.
    if (direction !== "into-memory") await sync.remember(folder);
  }
}

interface Scene {
  tree: FileTree;
  /** The hashes of the files in the memory, by path. */
  inside: Map<string, string>;
  outside: Outside;
  record: FolderRecord;
  names: FolderNames;
  direction: Direction;
  options: FolderOptions;
}

class Sync {
  readonly #scene: Scene;
  readonly #done: FolderSync = {
    imported: [],
    exported: [],
    merged: [],
    conflicts: [],
    removed: [],
    skipped: [],
  };
  /** Folder texts that are already merged into the memory, while the merged file is not yet written to the folder. */
  readonly #taken = new Map<string, string>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async run(): Promise<FolderSync> {
    const { inside, outside, record, options } = this.#scene;
    const { only = () => true, onProgress, signal } = options;
    const all = new Set([...outside.paths, ...inside.keys(), ...record.files.keys()]);
    all.delete(RECORD);
    const paths = [...all]
      .filter((path) => only(path))
      .sort()
      .filter((path) => this.#takesPart(path));
    for (const [at, path] of paths.entries()) {
      signal?.throwIfAborted();
      await this.#file(path);
      onProgress?.({ done: at + 1, total: paths.length, path });
    }
    return this.#done;
  }

  /** Writes the record to the folder. Its path may be taken by a folder, which is reported in `skipped`. */
  async remember(folder: Folder): Promise<void> {
    const { outside, record } = this.#scene;
    const inTheWay = [...outside.paths].some((path) => path.startsWith(`${RECORD}/`));
    try {
      await record.write(folder);
    } catch (cause) {
      const told = String(cause);
      // The error of Node, and the one of browsers.
      const isFolder = inTheWay || /EISDIR|TypeMismatch/.test(told);
      const reason = isFolder ? "is a folder, but the sync record needs this name; rename it" : told;
      this.#done.skipped.push({ path: RECORD, reason });
    }
  }

  /** Whether a path may be synced. Reports it in `skipped` if not. */
  #takesPart(path: string): boolean {
    const { inside, names } = this.#scene;
    const reason = names.refusal(path);
    if (reason && (inside.has(path) || !isUsual(path))) this.#done.skipped.push({ path, reason });
    return !reason;
  }

  async #file(path: string): Promise<void> {
    for (let left = TRIES; ; left--) {
      try {
        return await this.#step(path);
      } catch (error) {
        const meanwhile = error instanceof Moved || isConflict(error);
        const reason = meanwhile ? "is being changed all the time" : aboutTheFile(error);
        if (reason === undefined) throw error;
        if (!meanwhile || left === 0) return void this.#done.skipped.push({ path, reason });
        await this.#lookAgain(path);
      }
    }
  }

  /** Syncs one file. Throws `Moved` or `conflict` if a side changed since it was read. */
  async #step(path: string): Promise<void> {
    const { tree, outside, record, direction } = this.#scene;
    const inside = this.#scene.inside.get(path);
    const file = await outside.file(path);
    const base = record.files.get(path);
    switch (stepFor(direction, { base, inside, outside: file?.hash })) {
      case "same":
        return this.#inStep(path, inside);
      case "leave":
        return;
      case "ask":
        throw new Skip("was changed in the folder and would be overwritten; use `sync` to merge both");
      case "import":
        return this.#import(path, found(file), inside);
      case "export":
        return this.#export(path, file);
      case "merge":
        return this.#merge(path, found(file));
      case "remove-inside":
        await tree.delete(path, { expect: found(inside) });
        break;
      case "remove-outside":
        await outside.remove(path, found(file));
        break;
    }
    this.#inStep(path, undefined);
    this.#done.removed.push(path);
  }

  async #import(path: string, { text, hash }: OutsideFile, inside: string | undefined): Promise<void> {
    await this.#scene.tree.write(path, text, { expect: inside ?? null });
    this.#inStep(path, hash);
    this.#done.imported.push(path);
  }

  async #export(path: string, before: OutsideFile | undefined): Promise<void> {
    const file = await this.#inside(path);
    await this.#scene.outside.write(file, before);
    this.#inStep(path, file.hash);
    this.#done.exported.push(path);
  }

  async #merge(path: string, theirs: OutsideFile): Promise<void> {
    const { tree, outside, direction } = this.#scene;
    const ours = await this.#inside(path);
    const base = await this.#base(ours, theirs);
    const merged = await tree.merge(path, theirs.text, base);
    this.#taken.set(path, theirs.text);
    const decided = await this.#decided(ours, theirs, base, merged);
    const file = decided ?? merged.file;
    // After an import the two sides still differ, so there is no common state to record.
    if (direction === "both") {
      await outside.write(file, theirs);
      this.#inStep(path, file.hash);
    }
    this.#done.merged.push(path);
    if (!decided) this.#done.conflicts.push(...merged.conflicts.map((conflict) => ({ path, ...conflict })));
  }

  /** The merge base: the text of the last common state, if the memory's history still has it. */
  async #base(ours: MemoryFile, theirs: OutsideFile): Promise<string> {
    const taken = this.#taken.get(ours.path);
    if (taken !== undefined) return taken;
    const bases = this.#scene.record.bases(ours.path);
    const known = [ours, ...(await this.#scene.tree.history(ours.path)).reverse()];
    const found = known.find(({ hash }) => bases.includes(hash));
    // Without a record, the folder may still be a copy of an earlier version.
    const copied = bases.length === 0 ? known.find(({ hash }) => hash === theirs.hash) : undefined;
    return (found ?? copied)?.text ?? "";
  }

  /** The file as resolved by `onConflict`, if it returned a text. */
  async #decided(
    ours: MemoryFile,
    theirs: OutsideFile,
    base: string,
    { file, conflicts }: MergedFile,
  ): Promise<MemoryFile | undefined> {
    const { path } = file;
    const { onConflict } = this.#scene.options;
    if (conflicts.length === 0 || !onConflict) return undefined;
    const texts = { base, memory: ours.text, folder: theirs.text, merged: file.text };
    const text = await onConflict({ path, ...texts, conflicts });
    return typeof text === "string" ? this.#scene.tree.write(path, text, { expect: file.hash }) : undefined;
  }

  async #inside(path: string): Promise<MemoryFile> {
    return found(await this.#scene.tree.read(path));
  }

  async #lookAgain(path: string): Promise<void> {
    const { tree, inside } = this.#scene;
    const file = await tree.read(path);
    if (file) inside.set(path, file.hash);
    else inside.delete(path);
  }

  /** Records that both sides now have the same file, or none. */
  #inStep(path: string, hash: string | undefined): void {
    const { files } = this.#scene.record;
    if (hash === undefined) files.delete(path);
    else files.set(path, hash);
  }
}

/** Returns a side that must exist. Throws `Moved` otherwise, which retries the file. */
function found<T>(side: T | null | undefined): T {
  if (side == null) throw new Moved();
  return side;
}

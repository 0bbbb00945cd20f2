// How files and folders are kept in step, and what came of it.

import type { JudgedName, SourceChanges } from "../../../wire/file-sync.js";

import type { MemoryFile, MemoryFileInfo, MergedFile, SectionConflict } from "../../../wire/files.js";

/** How to take files in, or to give them out. */
export interface FolderOptions {
  /**
   * Which files take part, by their paths. Default: all. Whatever it answers, names that other programs keep for
   * themselves (`.git`, `node_modules`) and names that a disk takes for others (`GIT~1`, `aux.md`) take no part; what the
   * memory has there is in `skipped`.
   */
  only?: ((path: string) => boolean) | undefined;
  /**
   * Called when both sides have changed the same place in different ways. Answers the text of the whole file as it is to
   * be, or nothing if both versions are to stay in it, between marks. Default: nothing.
   */
  onConflict?: ((conflict: FileConflict) => FileResolution | Promise<FileResolution>) | undefined;
  /** Called after each file. Default: nothing. */
  onProgress?: ((progress: FolderProgress) => void) | undefined;
  /**
   * Whether searches are to find the documents below `sources/` as they are afterwards; see `ingestSources`.
   * Default: `false`.
   */
  sources?: boolean | undefined;
  /** Ends it early, between two files. What was done until then stays, and is known the next time. Default: never. */
  signal?: AbortSignal | undefined;
}

/** The text of a file that a conflict was decided with; nothing if it was not. */
export type FileResolution = string | null | undefined;

/** A file that both sides have changed in different ways. */
export interface FileConflict {
  /** Where it is. */
  path: string;
  /** What both had before; empty if that is not known. */
  base: string;
  /** What the memory has. */
  memory: string;
  /** What the folder has. */
  folder: string;
  /** What was made of the two, with marks around what could not be decided. */
  merged: string;
  /** Where that is. */
  conflicts: SectionConflict[];
}

/** How far it is. */
export interface FolderProgress {
  /** How many files were looked at. */
  done: number;
  /** How many there are. */
  total: number;
  /** The last one. */
  path: string;
}

/** What became of the files, by their paths. Those that were the same are not named. */
export interface FolderSync {
  /** Taken from the folder. */
  imported: string[];
  /** Written to the folder. */
  exported: string[];
  /** Changed on both sides. */
  merged: string[];
  /** Where both versions stay in a merged file, between marks, for a person to decide. */
  conflicts: FolderConflict[];
  /** Taken away on the one side, because they were deleted on the other. */
  removed: string[];
  /** Left as they are on both sides, and why. */
  skipped: FolderSkip[];
  /** The changes to the documents in `sources/`, if they were requested. */
  ingested?: SourceChanges;
}

/** A section of a file that both sides have changed. */
export interface FolderConflict extends SectionConflict {
  /** Where the file is. */
  path: string;
}

/** A file that was left as it is. */
export interface FolderSkip {
  /** Where it is. */
  path: string;
  /** Why. */
  reason: string;
}

/** What is needed of the files of a memory. */
export interface FileTree {
  read(path: string): Promise<MemoryFile | null>;
  list(): Promise<MemoryFileInfo[]>;
  judge(names: string[]): Promise<JudgedName[]>;
  history(path: string): Promise<MemoryFile[]>;
  write(path: string, text: string, options: { expect?: string | null }): Promise<MemoryFile>;
  merge(path: string, text: string, base: string): Promise<MergedFile>;
  delete(path: string, options: { expect: string }): Promise<boolean>;
}

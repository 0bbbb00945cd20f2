// Options and results of folder syncs.

import type { JudgedName, SourceChanges } from "../../../wire/file-sync.js";

import type { MemoryFile, MemoryFileInfo, MergedFile, SectionConflict } from "../../../wire/files.js";

/** Options of a folder sync. */
export interface FolderOptions {
  /**
   * Selects the files to sync, by path. Default: all. Names reserved by other programs (`.git`, `node_modules`) and names
   * that a file system treats as aliases (`GIT~1`, `aux.md`) are never synced; files of the memory with such names are
   * listed in `skipped`.
   */
  only?: ((path: string) => boolean) | undefined;
  /**
   * Called when both sides changed the same place differently. Returns the full text of the resolved file, or nothing to
   * keep both versions between conflict markers. Default: keep both.
   */
  onConflict?: ((conflict: FileConflict) => FileResolution | Promise<FileResolution>) | undefined;
  /** Called after each file. Default: none. */
  onProgress?: ((progress: FolderProgress) => void) | undefined;
  /**
   * Whether to call `ingestSources` after the sync, so that searches find the documents below `sources/`.
   * Default: `false`.
   */
  sources?: boolean | undefined;
  /** Aborts between two files. Files synced until then stay and are recorded for the next sync. Default: none. */
  signal?: AbortSignal | undefined;
}

/** The text of the resolved file; `null` or `undefined` if the conflict is not resolved. */
export type FileResolution = string | null | undefined;

/** A file that both sides changed differently. */
export interface FileConflict {
  /** The path. */
  path: string;
  /** The last common text; empty if unknown. */
  base: string;
  /** The memory's text. */
  memory: string;
  /** The folder's text. */
  folder: string;
  /** The merged text, with conflict markers. */
  merged: string;
  /** The conflicting sections. */
  conflicts: SectionConflict[];
}

/** The progress of a folder sync. */
export interface FolderProgress {
  /** The number of processed files. */
  done: number;
  /** The total number of files. */
  total: number;
  /** The path of the last processed file. */
  path: string;
}

/** The result of a folder sync, as paths. Unchanged files are not listed. */
export interface FolderSync {
  /** Files copied from the folder. */
  imported: string[];
  /** Files written to the folder. */
  exported: string[];
  /** Files changed on both sides. */
  merged: string[];
  /** Sections of merged files that keep both versions between conflict markers. */
  conflicts: FolderConflict[];
  /** Files deleted on one side, because they were deleted on the other. */
  removed: string[];
  /** Files that stayed unchanged on both sides, with the reason. */
  skipped: FolderSkip[];
  /** The changes to the documents in `sources/`, if they were requested. */
  ingested?: SourceChanges;
}

/** A section of a file that both sides changed. */
export interface FolderConflict extends SectionConflict {
  /** The path of the file. */
  path: string;
}

/** A skipped file. */
export interface FolderSkip {
  /** The path. */
  path: string;
  /** The reason. */
  reason: string;
}

/** The methods of `MemoryFiles` that a sync needs. */
export interface FileTree {
  read(path: string): Promise<MemoryFile | null>;
  list(): Promise<MemoryFileInfo[]>;
  judge(names: string[]): Promise<JudgedName[]>;
  history(path: string): Promise<MemoryFile[]>;
  write(path: string, text: string, options: { expect?: string | null }): Promise<MemoryFile>;
  merge(path: string, text: string, base: string): Promise<MergedFile>;
  delete(path: string, options: { expect: string }): Promise<boolean>;
}

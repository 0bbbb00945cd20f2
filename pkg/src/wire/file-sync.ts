// Types of synced folders: file names and sources.

/** Changes to the documents in `sources/`, by path. */
export interface SourceChanges {
  /** New or changed files, which were loaded. */
  added: string[];
  /** Deleted files, whose passages were deleted too. */
  removed: string[];
}

/** The core's check of a file name. */
export interface JudgedName {
  /** The normalised name: equal for names that a file system may treat as one file. */
  plain: string;
  /** The reason why the name is not allowed in a synced folder; `null` if it is allowed. */
  refused: string | null;
}

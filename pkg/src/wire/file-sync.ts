// File names and sources.

/** Changes to the documents in `sources/`, by path. */
export interface SourceChanges {
  /** New or changed, and loaded. */
  added: string[];
  /** Deleted files, whose passages were deleted too. */
  removed: string[];
}

/** How the core judges a name. */
export interface JudgedName {
  /** The same for names that may be one file on a disk. */
  plain: string;
  /** Why it must not be in a folder that is synced; `null` if it may. */
  refused: string | null;
}

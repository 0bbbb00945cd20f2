// The minimal interface of a folder that files are synced with.

/**
 * A folder of files: a directory, a ZIP, or any other implementation. Paths are relative and separated by `/`, for
 * example `agents/planner/memory/context.md`.
 */
export interface Folder {
  /**
   * Returns the paths of all files, recursively. A folder that cannot be read is listed by its own path, so that reading
   * it gives the reason.
   */
  list(): AsyncIterable<string> | Promise<string[]>;
  /** Returns the bytes of a file. May reject before reading if the file has more than `limit` bytes. */
  read(path: string, limit?: number): Promise<Uint8Array>;
  /** Writes a file atomically and creates its parent folders. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a file. */
  remove(path: string): Promise<void>;
}

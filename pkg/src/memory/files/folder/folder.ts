// A real folder, as small as it can be said: what the files of a memory are kept in step with.

/**
 * A folder of files: a directory, a ZIP, whatever an app has. Paths are relative, with `/` between their parts, such as
 * `agents/planner/memory/context.md`.
 */
export interface Folder {
  /**
   * The paths of all files in it and in the folders below. What cannot be looked into is listed by its own path, so that
   * reading it says why.
   */
  list(): AsyncIterable<string> | Promise<string[]>;
  /** The bytes of a file. With a `limit`, a file of more bytes may be refused before it is read. */
  read(path: string, limit?: number): Promise<Uint8Array>;
  /** Writes a file whole or not at all, with the folders that it needs. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Takes a file away. */
  remove(path: string): Promise<void>;
}

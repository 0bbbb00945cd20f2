// A folder on disk, for Node.

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MemoryError, refused } from "../../../base/errors.js";
import type { Folder } from "../folder/folder.js";
import { partsOf, tooLarge } from "../folder/names.js";

/** The name of a temporary file during an atomic write. */
const UNFINISHED = /^\.keepsake-[0-9a-f]+\.tmp$/;

/**
 * Returns the folder at `path`. The first write creates it if it does not exist. Symbolic links are not followed,
 * because they could point outside the folder.
 */
export function nodeFolder(path: string): Folder {
  if (typeof path !== "string" || path === "") throw refused("path", "must be the path of a folder");
  return {
    list: () => walk(path, ""),
    async read(file, limit = Number.POSITIVE_INFINITY) {
      const place = await placeOf(path, file);
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      // Checked before `open` as well, because opening a pipe blocks until there is a writer.
      if (!(await lstat(place)).isFile()) throw refused("path", "must be a file");
      const handle = await open(place, flags);
      try {
        const about = await handle.stat();
        if (!about.isFile()) throw refused("path", "must be a file");
        if (about.size > limit) throw tooLarge(about.size, limit);
        return new Uint8Array(await handle.readFile());
      } finally {
        await handle.close();
      }
    },
    async write(file, bytes) {
      const place = await placeOf(path, file);
      await mkdir(dirname(place), { recursive: true });
      const mode = await stat(place).then(
        (about) => about.mode & 0o777,
        () => 0o666,
      );
      // Write to a temporary file, then rename, so that a partial write is never visible.
      const unfinished = join(dirname(place), `.keepsake-${randomBytes(8).toString("hex")}.tmp`);
      try {
        const handle = await open(unfinished, "wx", mode);
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await rename(unfinished, place);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async remove(file) {
      await unlink(await placeOf(path, file));
    },
  };
}

/** The location of a file on disk. Rejects a path with a symbolic link. */
async function placeOf(root: string, path: string): Promise<string> {
  let place = root;
  for (const part of partsOf(path)) {
    place = join(place, part);
    const about = await lstat(place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (about?.isSymbolicLink()) throw new MemoryError("invalid-input", "symbolic links are not followed");
  }
  return place;
}

async function* walk(root: string, below: string): AsyncIterable<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // A folder that does not exist yet is empty.
      if (below === "" && error.code === "ENOENT") return [];
      throw error;
    },
  );
  for (const entry of entries) {
    const path = `${below}${entry.name}`;
    if (entry.isDirectory()) {
      try {
        yield* walk(root, `${path}/`);
      } catch {
        yield path;
      }
    } else if (!UNFINISHED.test(entry.name)) yield path;
  }
}

// Names of files that stay within their folder.

import { MemoryError, refused } from "../../../base/errors.js";

/** The parts of a path. Refuses one that could lead out of its folder, on any system. */
export function partsOf(path: string, field = "path"): string[] {
  const parts = typeof path === "string" ? path.split("/") : [];
  // Windows drops dots and spaces at the end of a name, so that `.. ` leads up; behind a colon is another stream.
  const stays = (part: string) => part !== "" && !/[. ]$/.test(part) && !/[\\:\0]/.test(part);
  if (parts.length === 0 || !parts.every(stays)) {
    throw refused(field, "must be relative, and stay within its folder");
  }
  return parts;
}

/** The error for a file that has more bytes than are wanted. */
export function tooLarge(size: number, limit: number): MemoryError {
  return new MemoryError("too-large", `the file has ${size} bytes, more than ${limit}`, { field: "path" });
}

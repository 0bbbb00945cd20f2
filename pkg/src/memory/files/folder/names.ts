// Validation of relative paths.

import { MemoryError, refused } from "../../../base/errors.js";

/** Splits a path. Throws `invalid-input` if the path could leave its folder, on any system. */
export function partsOf(path: string, field = "path"): string[] {
  const parts = typeof path === "string" ? path.split("/") : [];
  // Windows drops trailing dots and spaces, so `.. ` leads to the parent; a colon names an alternate data stream.
  const stays = (part: string) => part !== "" && !/[. ]$/.test(part) && !/[\\:\0]/.test(part);
  if (parts.length === 0 || !parts.every(stays)) {
    throw refused(field, "must be relative, and stay within its folder");
  }
  return parts;
}

/** The error for a file that exceeds the size limit. */
export function tooLarge(size: number, limit: number): MemoryError {
  return new MemoryError("too-large", `the file has ${size} bytes, more than ${limit}`, { field: "path" });
}

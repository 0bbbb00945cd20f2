// Maps errors of the file system to errors that an app can act on.

import { MemoryError, type MemoryErrorCode } from "../../base/errors.js";

const KNOWN: Record<string, [MemoryErrorCode, string]> = {
  ENOSPC: ["quota-exceeded", "the disk is full"],
  EDQUOT: ["quota-exceeded", "the user's disk quota is used up"],
  EFBIG: ["quota-exceeded", "the file has reached the maximum size"],
  ENOENT: ["unavailable", "its folder does not exist"],
  ENOTDIR: ["unavailable", "a folder on its path is a file"],
  EISDIR: ["unavailable", "it is a folder"],
  EACCES: ["unavailable", "permission denied"],
  EPERM: ["unavailable", "permission denied"],
  EROFS: ["unavailable", "the disk is read-only"],
  ELOOP: ["unavailable", "the links on its path form a loop"],
  ENAMETOOLONG: ["unavailable", "its name is too long"],
};

/** The code that Node gives to an error of the operating system. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** `cause` as an error of this library. */
export function problem(cause: unknown, path: string): MemoryError {
  if (cause instanceof MemoryError) return cause;
  const name = codeOf(cause) ?? (cause instanceof Error ? cause.name : typeof cause);
  const [code, reason] = KNOWN[name] ?? ["storage-failed", name];
  return new MemoryError(code, `${path} cannot be used: ${reason}`, { cause });
}

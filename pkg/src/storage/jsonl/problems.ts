// What the file system says when it fails, as an error that an app can act on.

import { MemoryError, type MemoryErrorCode } from "../../base/errors.js";

const KNOWN: Record<string, [MemoryErrorCode, string]> = {
  ENOSPC: ["quota-exceeded", "there is no room on the disk"],
  EDQUOT: ["quota-exceeded", "there is no room left for this user on the disk"],
  EFBIG: ["quota-exceeded", "the file may not become any larger"],
  ENOENT: ["unavailable", "its folder does not exist"],
  ENOTDIR: ["unavailable", "a folder on its path is a file"],
  EISDIR: ["unavailable", "it is a folder"],
  EACCES: ["unavailable", "this program may not use it"],
  EPERM: ["unavailable", "this program may not use it"],
  EROFS: ["unavailable", "the disk can only be read"],
  ELOOP: ["unavailable", "the links on its path go round in circles"],
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

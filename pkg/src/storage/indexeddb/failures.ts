// Exceptions of the browser as errors of this package.

import { MemoryError } from "../../base/errors.js";

/** The error for a place without a usable IndexedDB. */
export function unavailable(why: string): MemoryError {
  return new MemoryError("unavailable", `there is no storage here: ${why}`);
}

/** Why a database could not be opened. */
export function unopened(error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  return isFull(error) ? meaning(error) : unavailable(`IndexedDB: ${nameOf(error)}`);
}

/** What an exception of the browser's means. Its message is the browser's own and differs between them. */
export function meaning(error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  if (isFull(error)) {
    return new MemoryError("quota-exceeded", "the storage is full: delete something, or ask for more room");
  }
  const name = nameOf(error);
  if (name === "SecurityError") return unavailable("the page may not use IndexedDB");
  return new MemoryError("storage-failed", `the storage failed: IndexedDB: ${name}`);
}

/** Whether there is no room: in the quota, or on the disk, which Chromium tells only in a message (F9). */
function isFull(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return nameOf(error) === "QuotaExceededError" || /NO_SPACE|Failed to write blobs/.test(String(message));
}

/** Throws the meaning of an exception. */
export function meant(error: unknown): never {
  throw meaning(error);
}

/** The name of an exception, in words if it has none. */
export function nameOf(error: unknown): string {
  const name = (error as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : "no error was given";
}

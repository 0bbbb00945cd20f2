// Maps browser exceptions to errors of this package.

import { MemoryError } from "../../base/errors.js";

/** The error if IndexedDB is not usable. */
export function unavailable(why: string): MemoryError {
  return new MemoryError("unavailable", `there is no storage here: ${why}`);
}

/** The error of a database that could not be opened. */
export function unopened(error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  return isFull(error) ? meaning(error) : unavailable(`IndexedDB: ${nameOf(error)}`);
}

/** Maps an exception of the browser. Its message is not used, because it differs between browsers. */
export function meaning(error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  if (isFull(error)) {
    return new MemoryError("quota-exceeded", "the storage is full; delete something, or request more quota");
  }
  const name = nameOf(error);
  if (name === "SecurityError") return unavailable("the page is not allowed to use IndexedDB");
  return new MemoryError("storage-failed", `the storage failed: IndexedDB: ${name}`);
}

/** Whether the quota or the disk is full. Chromium reports a full disk only in the message (F9). */
function isFull(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown };
  return nameOf(error) === "QuotaExceededError" || /NO_SPACE|Failed to write blobs/.test(String(message));
}

/** Throws the mapped exception. */
export function meant(error: unknown): never {
  throw meaning(error);
}

/** The name of an exception, or a placeholder. */
export function nameOf(error: unknown): string {
  const name = (error as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : "no error was given";
}

// Every failure of the library, with a code that stays the same from version to version.

/**
 * One word for each way to fail.
 *
 * - `invalid-input`: an argument was refused; `field` names it
 * - `too-large`: an argument, or a value for the storage, is larger than its limit
 * - `already-exists`: there is another entry with that id or key, or another message with that id in the session
 * - `not-found`: there is no entry, session, message, file or skill with that id, or no longer; the text says which
 * - `conflict`: what is there is not what the call expected, or others keep changing it; read again and retry
 * - `quota-exceeded`: the storage is full; reading and deleting still work
 * - `blocked`: another tab holds the storage in an older form and does not let go
 * - `superseded`: a newer version of the app took the storage over; reload
 * - `newer-version`: the storage was written by a newer version of this library
 * - `unavailable`: there is no storage to be had here, or WebAssembly is not allowed
 * - `store-lost`: the storage was emptied or replaced while it was open
 * - `storage-failed`: the storage failed in a way of its own
 * - `corrupt`: something stored cannot be read
 * - `closed`: the memory was closed
 * - `environment`: the clock or the source of randomness failed
 * - `crashed`: the running instance ended, by a bug of this library or of the engine that runs it. Nothing is half
 *   written; the next call works again
 */
export type MemoryErrorCode =
  | "invalid-input"
  | "too-large"
  | "already-exists"
  | "not-found"
  | "conflict"
  | "quota-exceeded"
  | "blocked"
  | "superseded"
  | "newer-version"
  | "unavailable"
  | "store-lost"
  | "storage-failed"
  | "corrupt"
  | "closed"
  | "environment"
  | "crashed";

/** What every call of this library rejects with. Its text holds no content of a memory. */
export class MemoryError extends Error {
  /** Always `"MemoryError"`. */
  override readonly name = "MemoryError";
  /** One word for the kind of failure. */
  readonly code: MemoryErrorCode;
  /** The path of the refused argument, such as `importance` or `tags[2]`. */
  readonly field: string | undefined;

  constructor(
    code: MemoryErrorCode,
    message: string,
    options: { field?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.field = options.field;
  }
}

/** The options, if they are an object: JavaScript lets anything pass, and a bare TypeError would not say what is wrong. */
export function optionsIn<T>(options: T, field = "options"): T {
  if (typeof options !== "object" || options === null) throw refused(field, "must be an object");
  return options;
}

/** The error for an argument that is not what it should be. */
export function refused(field: string, reason: string): MemoryError {
  return new MemoryError("invalid-input", `\`${field}\` ${reason}`, { field });
}

/** Refuses an option that has to be a function and is not. */
export function checkFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw refused(field, "must be a function");
}

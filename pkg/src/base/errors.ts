// Every failure of the library, with a code that stays the same from version to version.

import type { CoreErrorCode } from "./codes.js";

/**
 * One word for each way to fail: those of the core, and `crashed`: the running instance ended, by a bug of this library or of
 * the engine that runs it. Nothing is half written, and the next call works again.
 */
export type MemoryErrorCode = CoreErrorCode | "crashed";

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

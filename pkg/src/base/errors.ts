// The errors of the library. Their codes are stable across versions.

import type { CoreErrorCode } from "./codes.js";

/**
 * The kind of a failure: a code of the core, or `crashed`: the wasm instance trapped, because of a bug in this library or in
 * the engine that runs it. No write is partial, and the next call works again.
 */
export type MemoryErrorCode = CoreErrorCode | "crashed";

/** Every call of this library rejects with this error. Its message contains no memory content. */
export class MemoryError extends Error {
  /** Always `"MemoryError"`. */
  override readonly name = "MemoryError";
  /** The kind of the failure. */
  readonly code: MemoryErrorCode;
  /** The path of the invalid argument, such as `importance` or `tags[2]`. */
  readonly field: string | undefined;

  constructor(
    code: MemoryErrorCode,
    message: string,
    options: {
      /** The path of the invalid argument. Default: none. */
      field?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.field = options.field;
  }
}

/**
 * The options, if they are an object. Otherwise throws an error that names them, where destructuring would throw a
 * TypeError.
 */
export function optionsIn<T>(options: T, field = "options"): T {
  if (typeof options !== "object" || options === null) throw refused(field, "must be an object");
  return options;
}

/** The error for an invalid argument. */
export function refused(field: string, reason: string): MemoryError {
  return new MemoryError("invalid-input", `\`${field}\` ${reason}`, { field });
}

/** Throws unless `value` is a function. */
export function checkFunction(field: string, value: unknown): void {
  if (typeof value !== "function") throw refused(field, "must be a function");
}

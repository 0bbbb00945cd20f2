// Errors of steps: any thrown value, converted to a message and a one-word type.

import type { Json } from "../../wire/types.js";

/** Replaces an `Error` in `error` by its message, and adds its type unless the fields have one. */
export function inWords<T extends object>(fields: T): T {
  const error = "error" in fields ? fields.error : undefined;
  if (!isError(error)) return fields;
  const named = "errorType" in fields || "error_type" in fields;
  const errorType = named ? undefined : typeOf(error);
  return { ...(errorType !== undefined && { errorType }), ...fields, error: wordsOf(error) };
}

/** The message of any thrown value. */
export function wordsOf(error: unknown): string {
  const words = isError(error) ? error.message || error.name : error;
  const json = jsonOf(words);
  return typeof json === "string" ? json || "failed" : JSON.stringify(json);
}

/** The type of an error: its code, or its class name unless that is just `Error`. */
function typeOf(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && code !== "") return code;
  return error.name === "Error" ? undefined : error.name;
}

/** Whether a value is an `Error`, also one of another realm, such as an iframe. */
function isError(error: unknown): error is Error {
  return error instanceof Error || Object.prototype.toString.call(error) === "[object Error]";
}

/** Converts a value to JSON, or to a string if it has no JSON. Lone surrogates, which no storage accepts, are replaced. */
export function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const whole = (_: string, part: unknown) =>
    typeof part === "string" ? part.replace(/\p{Surrogate}/gu, "\uFFFD") : part;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? String(value) : JSON.parse(text, whole);
  } catch {
    return String(value);
  }
}

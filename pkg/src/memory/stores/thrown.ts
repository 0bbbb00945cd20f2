// Errors of steps: any thrown value, as a message and a one-word type.

import type { Json } from "../../wire/types.js";

/** The same fields, with an `Error` in words, and with its type unless the fields name one. */
export function inWords<T extends object>(fields: T): T {
  const error = "error" in fields ? fields.error : undefined;
  if (!isError(error)) return fields;
  const named = "errorType" in fields || "error_type" in fields;
  const errorType = named ? undefined : typeOf(error);
  return { ...(errorType !== undefined && { errorType }), ...fields, error: wordsOf(error) };
}

/** An error in words. */
export function wordsOf(error: unknown): string {
  const words = isError(error) ? error.message || error.name : error;
  const json = jsonOf(words);
  return typeof json === "string" ? json || "failed" : JSON.stringify(json);
}

/** One word for an error: its code, or the name of its class if that says anything. */
function typeOf(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && code !== "") return code;
  return error.name === "Error" ? undefined : error.name;
}

/** Also one of another realm, such as a frame's. */
function isError(error: unknown): error is Error {
  return error instanceof Error || Object.prototype.toString.call(error) === "[object Error]";
}

/** A value as JSON; what has none is told in words. Half of a surrogate pair, which no storage takes, is replaced. */
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

// Error responses: an HTTP status, and JSON with the fields of a `MemoryError`.

import { STATUS } from "../../base/codes.js";
import type { MemoryError, MemoryErrorCode } from "../../base/errors.js";

/** The code of a failed request: a code of the memory, or a code of the HTTP API. */
export type ApiErrorCode = MemoryErrorCode | "unauthorized" | "not-allowed" | "rate-limited";

/** The body of every error response. It contains no memory content. */
export interface ApiErrorBody {
  /** The error. */
  error: {
    /** The error code. */
    code: ApiErrorCode;
    /** The error message. */
    message: string;
    /** The path of the rejected argument, header or parameter. Default: none is named. */
    field?: string | undefined;
  };
}

/** A request that is rejected before it reaches a memory. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly field: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    field?: string,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.headers = headers;
  }
}

/** The error of an invalid argument. */
export function unfit(field: string, reason: string): Refusal {
  return new Refusal(400, "invalid-input", `\`${field}\` ${reason}`, field);
}

const ALWAYS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** A JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...ALWAYS, ...headers },
  });
}

/** A plain-text response. */
export function text(body: string): Response {
  return new Response(body, { headers: { "Content-Type": "text/plain; version=0.0.4", ...ALWAYS } });
}

/** The response to a failed request. Messages of unknown errors are not exposed. */
export function failure(error: unknown): Response {
  // Compares the name, because the memory may come from another copy of this library.
  const ours = error instanceof Refusal || (error as MemoryError | undefined)?.name === "MemoryError";
  if (!ours) return failure(new Refusal(500, "crashed", "the service failed"));
  const { code, message, field, status, headers } = error as Refusal;
  const known: { readonly [code: string]: number } = STATUS;
  const body: ApiErrorBody = { error: { code, message, field } };
  return json(status ?? known[code] ?? 500, body, headers);
}

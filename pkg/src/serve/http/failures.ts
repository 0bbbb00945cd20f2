// What went wrong, as an answer: a status, and JSON that says the same as a `MemoryError`.

import { STATUS } from "../../base/codes.js";
import type { MemoryError, MemoryErrorCode } from "../../base/errors.js";

/** One word for each way in which a request can fail: those of a memory, and those of the way to it. */
export type ApiErrorCode = MemoryErrorCode | "unauthorized" | "not-allowed" | "rate-limited";

/** What every failed request is answered with. Its texts hold no content of a memory. */
export interface ApiErrorBody {
  /** What went wrong. */
  error: {
    /** One word for the kind of failure. */
    code: ApiErrorCode;
    /** The same in a sentence. */
    message: string;
    /** The path of the refused argument, header or parameter. */
    field?: string | undefined;
  };
}

/** A request that is refused before a memory hears of it. */
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

/** The refusal of an argument. */
export function unfit(field: string, reason: string): Refusal {
  return new Refusal(400, "invalid-input", `\`${field}\` ${reason}`, field);
}

const ALWAYS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** An answer in JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...ALWAYS, ...headers },
  });
}

/** An answer in plain text. */
export function text(body: string): Response {
  return new Response(body, { headers: { "Content-Type": "text/plain; version=0.0.4", ...ALWAYS } });
}

/** The answer to a request that failed. What is no error of ours keeps its words to itself. */
export function failure(error: unknown): Response {
  // By its name: a memory may be of another copy of this library.
  const ours = error instanceof Refusal || (error as MemoryError | undefined)?.name === "MemoryError";
  if (!ours) return failure(new Refusal(500, "crashed", "the service failed"));
  const { code, message, field, status, headers } = error as Refusal;
  const known: { readonly [code: string]: number } = STATUS;
  const body: ApiErrorBody = { error: { code, message, field } };
  return json(status ?? known[code] ?? 500, body, headers);
}

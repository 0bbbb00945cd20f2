// Parsing of requests: path, token, parameters and body, each within its limits.

import { Refusal, unfit } from "./failures.js";

/** A JSON object. */
export type Fields = Record<string, unknown>;

const DOTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
const TOKEN = /^Bearer ([\w.~+/=-]{1,4096})$/i;
const KEY = /^[!-~]{1,255}$/;

/**
 * The decoded segments of the path. `.` and `..` are rejected, not resolved, so that a path cannot refer to another
 * resource.
 */
export function partsOf(url: string): string[] {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
  if (DOTS.test(path)) throw unfit("path", "must have no `.` or `..`");
  try {
    return path.split("/").slice(1).map(decodeURIComponent);
  } catch {
    throw unfit("path", "is badly encoded");
  }
}

/** The bearer token of a request. */
export function tokenOf({ headers }: Request): string {
  const token = TOKEN.exec(headers.get("Authorization") ?? "")?.[1];
  if (!token) throw unauthorized();
  return token;
}

/** The error of a missing or unknown token. It does not reveal which of the two. */
export function unauthorized(): Refusal {
  return new Refusal(401, "unauthorized", "a bearer token is needed", "Authorization", {
    "WWW-Authenticate": "Bearer",
  });
}

/** The idempotency key of a write; `undefined` if there is none. */
export function onceKeyOf({ headers }: Request): string | undefined {
  const key = headers.get("Idempotency-Key");
  if (key === null) return undefined;
  if (!KEY.test(key)) throw unfit("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  return key;
}

/** The query parameters. Unknown and repeated parameters are rejected by name. */
export function parametersOf(url: string, known: object): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (!Object.hasOwn(known, name)) throw unfit(name.slice(0, 64), "is not known here");
    if (Object.hasOwn(found, name)) throw unfit(name, "is repeated");
    found[name] = value;
  }
  return found;
}

/** Parses an integer parameter. */
export function numberOf(value: string, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value) || number > most) throw unfit(name, `must be an integer from 0 to ${most}`);
  return number;
}

/** Parses a boolean parameter, `true` or `false`. */
export function flagOf(value: string, name: string): boolean {
  if (value !== "true" && value !== "false") throw unfit(name, "must be `true` or `false`");
  return value === "true";
}

/** Requests whose listener responds before the body is fully received, each with the promise that drains the rest. */
export const RESTS = new WeakMap<Request, Promise<void> | undefined>();

/** How long (ms) the rest of an oversized body is drained. */
const PATIENCE = 10_000;

/** Reads and discards the rest of the body. Closing the connection in the middle of a body would lose the response. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = () => reader.cancel().catch(() => {});
  const timer = setTimeout(end, PATIENCE);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected.
  }
  clearTimeout(timer);
  void end();
}

/** The body as a JSON object. Reading stops at the limit, whatever `Content-Length` says. */
export async function bodyOf(request: Request, maxBytes: number): Promise<Fields> {
  const reader = request.body?.getReader();
  const check = async (length: number) => {
    if (length <= maxBytes) return;
    const rest = reader && drain(reader);
    if (RESTS.has(request)) RESTS.set(request, rest);
    else await rest;
    const message = `\`body\` must have at most ${maxBytes} bytes`;
    throw new Refusal(413, "too-large", message, "body");
  };
  await check(Number(request.headers.get("Content-Length")));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || !value) break;
      length += value.byteLength;
      await check(length);
      text += decoder.decode(value, { stream: true });
    }
    text += decoder.decode();
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    if (isObject) return body as Fields;
  } catch (error) {
    if (error instanceof Refusal) throw error;
  }
  throw unfit("body", "must be a JSON object");
}

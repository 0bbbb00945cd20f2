// What comes in with a request: its path, its token, its parameters and its body, each within its limits.

import { Refusal, unfit } from "./failures.js";

/** A JSON object. */
export type Fields = Record<string, unknown>;

const DOTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i;
const TOKEN = /^Bearer ([\w.~+/=-]{1,4096})$/i;
const KEY = /^[!-~]{1,255}$/;

/**
 * The parts of the path, as they were before they were written into an address. Steps up are refused and not followed: a
 * path is to mean what it says.
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

/** The token of a request. */
export function tokenOf({ headers }: Request): string {
  const token = TOKEN.exec(headers.get("Authorization") ?? "")?.[1];
  if (!token) throw unauthorized();
  return token;
}

/** The refusal of a request whose token is missing or unknown: which of the two is nobody's business. */
export function unauthorized(): Refusal {
  return new Refusal(401, "unauthorized", "a bearer token is needed", "Authorization", {
    "WWW-Authenticate": "Bearer",
  });
}

/** The key under which a write is done once; none if the request has none. */
export function onceKeyOf({ headers }: Request): string | undefined {
  const key = headers.get("Idempotency-Key");
  if (key === null) return undefined;
  if (!KEY.test(key)) throw unfit("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  return key;
}

/** The parameters of the address. Unknown ones are refused by name. */
export function parametersOf(url: string, known: object): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (!Object.hasOwn(known, name)) throw unfit(name.slice(0, 64), "is not known here");
    if (Object.hasOwn(found, name)) throw unfit(name, "is repeated");
    found[name] = value;
  }
  return found;
}

/** An integer out of a parameter. */
export function numberOf(value: string, name: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value) || number > most) throw unfit(name, `must be an integer from 0 to ${most}`);
  return number;
}

/** `true` or `false` out of a parameter. */
export function flagOf(value: string, name: string): boolean {
  if (value !== "true" && value !== "false") throw unfit(name, "must be `true` or `false`");
  return value === "true";
}

/** Requests whose listener sends an answer before the body has come in, each with what reads the rest of it. */
export const RESTS = new WeakMap<Request, Promise<void> | undefined>();

/** For so long (ms) the rest of a body that is too large is read. */
const PATIENCE = 10_000;

/** Reads on and forgets. A connection that is closed in the middle of a body takes the answer with it. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = () => reader.cancel().catch(() => {});
  const timer = setTimeout(end, PATIENCE);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The sender is gone.
  }
  clearTimeout(timer);
  void end();
}

/** The body's JSON object. Reading ends where the limit is, whatever the request has said of its length. */
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

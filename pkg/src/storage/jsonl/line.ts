// One line of the file: JSON that names the line before it and ends with a checksum of itself.

import { createHash, randomBytes } from "node:crypto";
import { SPACES, type StorageOp, type StorageRange, type StorageSpace } from "../adapter.js";

/** What the first line says. */
export const FORMAT = "keepsake-jsonl";

/** The newest version of the format that this code knows. */
export const VERSION = 1;

/** What every line begins with. It stands nowhere else in a line, since all that an app stores is in base64. */
export const START = '{"after":"';

/** What a line says. */
export type Content =
  /** The first line. However often the file is written anew, it keeps its id. */
  | { version: number; id: string }
  /** A commit. */
  | { ops: StorageOp[] }
  /** Whoever wrote this is about to put another file in this one's place: no commit counts any more. */
  | { seal: string }
  /** They have not done it, and cannot any more: commits count again. */
  | { unseal: string };

/** A line that was read. */
export interface Line {
  /** The checksum of the line before it. */
  after: string;
  /** Its own. */
  sum: string;
  content: Content;
}

/** How a line ends: the checksum covers everything before this. */
const END = /^,"sum":"([0-9a-f]{16})"\}$/;
const END_LENGTH = ',"sum":"0123456789abcdef"}'.length;

const NAME = /^[0-9a-f]{16}$/;

/** What no other file is called. */
export function newName(): string {
  return randomBytes(8).toString("hex");
}

/**
 * Writes a line, without the line's end. `by` makes it differ from every other line, so that two who write the same
 * thing at the same time can tell whose it is.
 */
export function encode(after: string, by: string, content: Content): { text: string; sum: string } {
  const fields = JSON.stringify("ops" in content ? { ops: content.ops.map(packed) } : named(content));
  const text = `${START}${after}","by":"${by}",${fields.slice(1, -1)}`;
  const sum = checksum(text);
  return { text: `${text},"sum":"${sum}"}`, sum };
}

/** Reads a line; `undefined` if it is not exactly as it was written. */
export function decode(bytes: Buffer): Line | undefined {
  const end = Math.max(0, bytes.length - END_LENGTH);
  const [, sum] = END.exec(bytes.toString("latin1", end)) ?? [];
  if (sum === undefined || checksum(bytes.subarray(0, end)) !== sum) return undefined;
  const { after, ...fields } = parsed(bytes) ?? {};
  const content = read(fields);
  return content && typeof after === "string" ? { after, sum, content } : undefined;
}

/** Whether a line goes on after its end, or has another one than it should: then it was not cut off. */
export function hasEnd(bytes: Buffer): boolean {
  return /,"sum":"[0-9a-f]{16}"\}/.test(bytes.toString("latin1"));
}

/** The version that a first line gives, whatever else is in it: a newer format may differ in everything else. */
export function versionOf(bytes: Buffer): number | undefined {
  const { format, version } = parsed(bytes) ?? {};
  return format === FORMAT && typeof version === "number" ? version : undefined;
}

function checksum(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function named(content: Exclude<Content, { ops: StorageOp[] }>): object {
  return "version" in content ? { format: FORMAT, ...content } : content;
}

function parsed(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("latin1"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function read(fields: Record<string, unknown>): Content | undefined {
  const { format, version, id, seal, unseal, ops } = fields;
  if (format === FORMAT && typeof version === "number" && typeof id === "string") return { version, id };
  if (typeof seal === "string" && NAME.test(seal)) return { seal };
  if (typeof unseal === "string" && NAME.test(unseal)) return { unseal };
  if (!Array.isArray(ops)) return undefined;
  const unpacked: StorageOp[] = [];
  for (const packed of ops) {
    const op = unpack(packed);
    if (!op) return undefined;
    unpacked.push(op);
  }
  return { ops: unpacked };
}

function packed(op: StorageOp): string[] {
  if (op.type === "put") return [op.type, op.space, toBase64(op.key), toBase64(op.value)];
  if (op.type === "delete") return [op.type, op.space, toBase64(op.key)];
  const { start, end } = op.range;
  return [op.type, op.space, toBase64(start), ...(end ? [toBase64(end)] : [])];
}

function unpack(packed: unknown): StorageOp | undefined {
  if (!Array.isArray(packed) || !packed.every((part) => typeof part === "string")) return undefined;
  const [type, name, first, second] = packed as string[];
  if (name === undefined || !(SPACES as readonly string[]).includes(name) || first === undefined)
    return undefined;
  const space = name as StorageSpace;
  if (type === "put" && second !== undefined) {
    return { type, space, key: fromBase64(first), value: fromBase64(second) };
  }
  if (type === "delete") return { type, space, key: fromBase64(first) };
  if (type !== "delete-range") return undefined;
  const range: StorageRange = { start: fromBase64(first) };
  if (second !== undefined) range.end = fromBase64(second);
  return { type, space, range };
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** A `Uint8Array` of its own: a `Buffer` would be a view on bytes that others are a view on, too. */
function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

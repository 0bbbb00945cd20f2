// One line of the file: JSON that names the previous line and ends with its own checksum.

import { createHash, randomBytes } from "node:crypto";
import { SPACES, type StorageOp, type StorageRange, type StorageSpace } from "../adapter.js";

/** The format in the first line. */
export const FORMAT = "keepsake-jsonl";

/** The newest supported version of the format. */
export const VERSION = 1;

/** The beginning of every line. It occurs nowhere else in a line, since all stored data is base64. */
export const START = '{"after":"';

/** The content of a line. */
export type Content =
  /** The first line. The id survives compactions. */
  | { version: number; id: string }
  /** A commit. */
  | { ops: StorageOp[] }
  /** The writer is about to replace this file: later commits do not count. */
  | { seal: string }
  /** The file was not replaced, and will not be: commits count again. */
  | { unseal: string };

/** A parsed line. */
export interface Line {
  /** The checksum of the previous line. */
  after: string;
  /** Its own checksum. */
  sum: string;
  content: Content;
}

/** The end of a line: the checksum covers everything before it. */
const END = /^,"sum":"([0-9a-f]{16})"\}$/;
const END_LENGTH = ',"sum":"0123456789abcdef"}'.length;

const NAME = /^[0-9a-f]{16}$/;

/** A unique name. */
export function newName(): string {
  return randomBytes(8).toString("hex");
}

/**
 * Serialises a line, without the line break. `by` is unique per line, so that two writers of the same content can tell their
 * lines apart.
 */
export function encode(after: string, by: string, content: Content): { text: string; sum: string } {
  const fields = JSON.stringify("ops" in content ? { ops: content.ops.map(packed) } : named(content));
  const text = `${START}${after}","by":"${by}",${fields.slice(1, -1)}`;
  const sum = checksum(text);
  return { text: `${text},"sum":"${sum}"}`, sum };
}

/** Parses a line; `undefined` unless it is exactly as it was written. */
export function decode(bytes: Buffer): Line | undefined {
  const end = Math.max(0, bytes.length - END_LENGTH);
  const [, sum] = END.exec(bytes.toString("latin1", end)) ?? [];
  if (sum === undefined || checksum(bytes.subarray(0, end)) !== sum) return undefined;
  const { after, ...fields } = parsed(bytes) ?? {};
  const content = read(fields);
  return content && typeof after === "string" ? { after, sum, content } : undefined;
}

/** Whether the line has an end, possibly followed by more: then the write was not interrupted. */
export function hasEnd(bytes: Buffer): boolean {
  return /,"sum":"[0-9a-f]{16}"\}/.test(bytes.toString("latin1"));
}

/** The version in a first line, whatever else it has: a newer format may differ in everything else. */
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

/** A copy as `Uint8Array`: a `Buffer` would be a view of a shared pool. */
function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

// Items of a conversation as JSON, with the paths of binary data.

import type { AgentInputItem } from "@openai/agents-core";
import { refused } from "../../base/errors.js";
import type { BlockInput, MessageInput } from "../../wire/messages.js";
import type { Json } from "../../wire/types.js";
import { canonical } from "../talk/hash.js";

/** A stored item. */
export interface Packed {
  /** The item, with bytes as base64. */
  item: Json;
  /** The paths of bytes: names and indices. */
  bytes?: string[][];
}

/** The item in its stored format. Anything but plain data is refused, with its path. */
export function pack(item: AgentInputItem, field: string): Packed {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    throw refused(field, "must be an object");
  const bytes: string[][] = [];
  const packed = plain(item, [], { field, bytes });
  return bytes.length > 0 ? { item: packed, bytes } : { item: packed };
}

/** The original item. */
export function unpack({ item, bytes = [] }: Packed): AgentInputItem {
  for (const path of bytes) {
    let holder = item as { [name: string]: unknown };
    for (const name of path.slice(0, -1)) holder = holder[name] as typeof holder;
    const name = path.at(-1) as string;
    holder[name] = Uint8Array.from(atob(holder[name] as string), (sign) => sign.charCodeAt(0));
  }
  return item as unknown as AgentInputItem;
}

/** Whether both arrays are equal. */
export function areSame(one: readonly Packed[], other: readonly Packed[]): boolean {
  return canonical(one) === canonical(other);
}

const MOST_LEVELS = 60;

function plain(value: unknown, path: string[], to: { field: string; bytes: string[][] }): Json {
  const wrong = (reason: string) => refused([to.field, ...path].join("."), reason);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object") throw wrong("must be plain data");
  if (path.length > MOST_LEVELS) throw wrong("must not be nested so deeply");
  if (value instanceof Uint8Array) {
    to.bytes.push(path);
    let binary = "";
    for (const byte of value) binary += String.fromCharCode(byte);
    return btoa(binary);
  }
  if (Array.isArray(value)) return value.map((part, at) => plain(part, [...path, String(at)], to));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw wrong("must be plain data");
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field, [...path, name], to)]));
}

/** The message of an item; `undefined` if it has no content. */
export function talkOf({ item }: Packed): MessageInput | undefined {
  const {
    type = "message",
    role,
    content,
    name,
    callId,
    arguments: args,
    output,
  } = item as { [field: string]: Json };
  switch (type) {
    case "message":
      return isRole(role) ? said(role, wordsOf(content)) : undefined;
    case "reasoning":
      return said("assistant", wordsOf(content), "thought");
    case "function_call":
      if (typeof callId !== "string" || typeof name !== "string") return undefined;
      return { role: "assistant", content: [{ type: "tool_use", id: callId, name, input: parsed(args) }] };
    case "function_call_result": {
      if (typeof callId !== "string") return undefined;
      const result = { type: "tool_result" as const, toolUseId: callId, output: wordsOf(output).join("\n") };
      return { role: "tool", content: [result] };
    }
    default:
      // Calls of hosted tools, and unknown types: their words can be searched.
      return said("assistant", [...wordsOf(content), ...wordsOf(output)]);
  }
}

function isRole(role: Json | undefined): role is "system" | "user" | "assistant" {
  return role === "system" || role === "user" || role === "assistant";
}

function said(
  role: "system" | "user" | "assistant",
  words: string[],
  type: "text" | "thought" = "text",
): MessageInput | undefined {
  const content: BlockInput[] = words.map((text) => ({ type, text }));
  return content.length > 0 ? { role, content } : undefined;
}

/** The strings in a content of any shape. */
function wordsOf(content: Json | undefined): string[] {
  if (typeof content === "string") return content === "" ? [] : [content];
  if (Array.isArray(content)) return content.flatMap(wordsOf);
  if (typeof content !== "object" || content === null) return [];
  const { text, transcript, refusal } = content;
  return [text, transcript, refusal].flatMap((words) =>
    typeof words === "string" && words !== "" ? [words] : [],
  );
}

/** The arguments of a call, which models return as a string. */
function parsed(args: Json | undefined): Json {
  if (typeof args !== "string") return args ?? null;
  try {
    return JSON.parse(args) as Json;
  } catch {
    return args;
  }
}

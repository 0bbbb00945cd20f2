// Messages, their content blocks, and the lines of a session's log.

import { optionsIn, refused } from "../base/errors.js";
import type { Listed } from "../base/listed.js";
import type { Json, Metadata, Time } from "./types.js";

/** The role of a message's author. */
export type Role = Listed<"system" | "user" | "assistant" | "tool">;

/** A role in lower or upper case. It is stored in lower case. */
export type RoleInput = Listed<Role | Uppercase<Role>>;

/** A text block. */
export interface TextBlock {
  /** The type of the block. */
  type: "text";
  /** The text. */
  text: string;
}

/** A block of the model's reasoning. */
export interface ThoughtBlock {
  /** The type of the block. */
  type: "thought";
  /** The reasoning. */
  text: string;
}

/** A tool call by the model. */
export interface ToolUseBlock {
  /** The type of the block. */
  type: "tool_use";
  /** The id of the call. The result refers to it. */
  id: string;
  /** The name of the tool. */
  name: string;
  /** The arguments of the call. */
  input: Json;
}

/** The result of a tool call. */
export interface ToolResultBlock {
  /** The type of the block. */
  type: "tool_result";
  /** The id of the call. A result without a matching call is stored, and sent to providers as quoted text. */
  toolUseId: string;
  /** The output of the tool. */
  output: Block[];
  /** Whether the tool failed. */
  isError?: boolean;
}

/** An image or any other file. Exactly one of `url`, `data` and `id` is set. */
export interface FileBlock {
  /** The type of the block. */
  type: "file";
  /** The media type, such as `image/png` or `application/pdf`. */
  mediaType?: string;
  /** The file name. */
  name?: string;
  /** The URL of the file. */
  url?: string;
  /** The bytes of the file in base64. */
  data?: string;
  /** The provider's id of the file. */
  id?: string;
}

/** A block of an unknown type. It is stored and returned unchanged. */
export interface OtherBlock {
  /** The type of the block. */
  type: string;
  /** Any other field. */
  [field: string]: Json;
}

/** The known types of blocks. Additional fields are kept. */
export type KnownBlock = TextBlock | ThoughtBlock | ToolUseBlock | ToolResultBlock | FileBlock;

/** A part of a message. `isBlock` tests for one type. */
export type Block = KnownBlock | OtherBlock;

/** A part of a message to store. The output of a tool may be a plain string. */
export type BlockInput =
  | Block
  | (Omit<ToolResultBlock, "output"> & {
      /** The output of the tool. */
      output: string | BlockInput[];
    });

/** A stored message. */
export interface Message {
  /** The id, unique within the session. */
  id: string;
  /** The role of the author. */
  role: Role;
  /** The name of the author, if the role is not specific enough. */
  name?: string;
  /** The blocks of the message, in order. */
  content: Block[];
  /** The time of the message, in ISO 8601. */
  at: string;
  /** Whether the message always stays in the window, however long the conversation grows. */
  pinned?: true;
  /** Custom data. */
  metadata?: Metadata;
}

/** A message to store. */
export interface MessageInput {
  /** The id, unique within the session, 1 to 256 bytes. Default: a new id. */
  id?: string | undefined;
  /** The role of the author. */
  role: RoleInput;
  /** The name of the author. Default: none. */
  name?: string | undefined;
  /** The content. A string is stored as one text block. */
  content: string | BlockInput[];
  /** The time of the message. Default: now. */
  at?: Time | undefined;
  /** Whether the message always stays in the window, however long the conversation grows. Default: false. */
  pinned?: boolean | undefined;
  /** Custom data. Default: none. */
  metadata?: Metadata | undefined;
}

/** One line of a session's log, in a specified shape or any other. Additional fields are kept. */
export type Line =
  | {
      /** The role of the author. */
      type: Role;
      /** The text. */
      content: string;
      /** The time, in ISO 8601. */
      ts?: string;
    }
  | {
      /** The model's reasoning. */
      type: "thought";
      /** The text. */
      content: string;
      /** The time, in ISO 8601. */
      ts?: string;
    }
  | {
      /** A tool call by the model. */
      type: "action";
      /** The name of the tool. */
      tool: string;
      /** The arguments of the call. */
      params: Json;
      /** The time, in ISO 8601. */
      ts?: string;
    }
  | {
      /** The result of a tool call. */
      type: "observation";
      /** The result. */
      result: Json;
      /** The time, in ISO 8601. */
      ts?: string;
    }
  | OtherBlock;

/**
 * Whether `block` has the type `type`. Comparing `block.type` does not narrow, because unknown blocks have any type.
 */
export function isBlock<T extends KnownBlock["type"]>(
  block: BlockInput,
  type: T,
): block is Extract<KnownBlock, { type: T }> {
  return block?.type === type;
}

/** The text blocks of a message, joined by newlines, without reasoning, tool calls and results. */
export function textOf(message: Pick<MessageInput, "content">): string {
  const { content } = optionsIn(message, "message");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refused("content", "must be a string or an array of blocks");
  return content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
}

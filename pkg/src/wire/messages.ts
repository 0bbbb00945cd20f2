// What is said in a conversation: messages, the blocks that they are made of, and the lines of a session's log.

import { optionsIn, refused } from "../base/errors.js";
import type { Json, Metadata, Time } from "./types.js";

/** Who says something. */
export type Role = "system" | "user" | "assistant" | "tool";

/** A role as it may be written: in lower case or in upper. It comes back in lower case. */
export type RoleInput = Role | Uppercase<Role>;

/** Text to read. */
export interface TextBlock {
  /** What kind of block it is. */
  type: "text";
  /** The text. */
  text: string;
}

/** What the model thought before it spoke. */
export interface ThoughtBlock {
  /** What kind of block it is. */
  type: "thought";
  /** The thought. */
  text: string;
}

/** The model calls a tool. */
export interface ToolUseBlock {
  /** What kind of block it is. */
  type: "tool_use";
  /** What the result refers to. */
  id: string;
  /** The tool. */
  name: string;
  /** Its arguments. */
  input: Json;
}

/** What a tool answered. */
export interface ToolResultBlock {
  /** What kind of block it is. */
  type: "tool_result";
  /** The call that it answers. A result whose call is nowhere is kept, and told to providers as quoted text. */
  toolUseId: string;
  /** The answer. */
  output: Block[];
  /** Whether the tool failed. */
  isError?: boolean;
}

/** An image, or any other file. It lies at `url`, in `data`, or with the provider under `id`: one of the three. */
export interface FileBlock {
  /** What kind of block it is. */
  type: "file";
  /** `image/png`, `application/pdf` … */
  mediaType?: string;
  /** Its name. */
  name?: string;
  /** Where it lies. */
  url?: string;
  /** Its bytes in base64. */
  data?: string;
  /** Its id with the provider. */
  id?: string;
}

/** A block of a kind that this library does not know. It is kept, and comes back as it was. */
export interface OtherBlock {
  /** What kind of block it is. */
  type: string;
  /** Whatever it has. */
  [field: string]: Json;
}

/** The kinds of blocks that have a meaning here. Fields beside those named are kept as well. */
export type KnownBlock = TextBlock | ThoughtBlock | ToolUseBlock | ToolResultBlock | FileBlock;

/** A part of a message. `isBlock` tells one kind from the others. */
export type Block = KnownBlock | OtherBlock;

/** A part of a message that is still to be stored: what a tool answered may be a plain text. */
export type BlockInput =
  | Block
  | (Omit<ToolResultBlock, "output"> & {
      /** The answer. */
      output: string | BlockInput[];
    });

/** What was said. */
export interface Message {
  /** Its name within the session. */
  id: string;
  /** Who says it. */
  role: Role;
  /** The name of who says it, if roles are not enough. */
  name?: string;
  /** What it says, in order. */
  content: Block[];
  /** When it was said, in ISO 8601. */
  at: string;
  /** Whether it stays in the window however long the conversation grows. */
  pinned?: true;
  /** Data of the app's own. */
  metadata?: Metadata;
}

/** Something said that is still to be stored. */
export interface MessageInput {
  /** A name within the session, 1 to 256 bytes. Default: a new one. */
  id?: string | undefined;
  /** Who says it. */
  role: RoleInput;
  /** The name of who says it. Default: none. */
  name?: string | undefined;
  /** What it says. A string is one block of text. */
  content: string | BlockInput[];
  /** When it was said. Default: now. */
  at?: Time | undefined;
  /** Whether it stays in the window however long the conversation grows. Default: false. */
  pinned?: boolean | undefined;
  /** Data of your own. Default: none. */
  metadata?: Metadata | undefined;
}

/** One line of a session's log, in one of the documented shapes or another; further fields are kept. */
export type Line =
  | {
      /** Who says it. */
      type: Role;
      /** What. */
      content: string;
      /** When, in ISO 8601. */
      ts?: string;
    }
  | {
      /** The model thought. */
      type: "thought";
      /** What. */
      content: string;
      /** When, in ISO 8601. */
      ts?: string;
    }
  | {
      /** The model called a tool. */
      type: "action";
      /** Which. */
      tool: string;
      /** With what. */
      params: Json;
      /** When, in ISO 8601. */
      ts?: string;
    }
  | {
      /** A tool answered. */
      type: "observation";
      /** What. */
      result: Json;
      /** When, in ISO 8601. */
      ts?: string;
    }
  | OtherBlock;

/** Whether `block` is of the kind `type`. A comparison of `block.type` cannot tell, since unknown blocks are blocks too. */
export function isBlock<T extends KnownBlock["type"]>(
  block: BlockInput,
  type: T,
): block is Extract<KnownBlock, { type: T }> {
  return block?.type === type;
}

/** The text of a message, one block under the other: no thoughts, no calls, no results. */
export function textOf(message: Pick<MessageInput, "content">): string {
  const { content } = optionsIn(message, "message");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw refused("content", "must be a string or an array of blocks");
  return content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
}

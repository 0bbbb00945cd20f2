// What a prompt is made of, and what became of each candidate.

import type { Message } from "./messages.js";

/** What a part of a prompt is. */
export type ContextKind = "system" | "profile" | "summary" | "turn" | "skill" | "document" | "memory";

/** What to make a prompt of. */
export interface ContextOptions {
  /** What to look for in memories and documents. Default: what the user said last. */
  query?: string | undefined;
  /** The most tokens that prompt and messages may have together. Default: the session's `contextTokens`. */
  budget?: number | undefined;
  /** The kinds in their order; what stays the same from turn to turn comes first in any case. Default: as in `ContextKind`. */
  order?: ContextKind[] | undefined;
  /** Only these kinds. Default: all. */
  include?: ContextKind[] | undefined;
  /** How many of the last messages are candidates. Default: 30. */
  window?: number | undefined;
  /** How many memories are candidates. Default: 5. */
  limit?: number | undefined;
  /** The kind of task that is at hand: its skills, and what to mind, come first. Default: what the query says. */
  taskType?: string | undefined;
  /** The agent whose prompt it is, for its policy. Default: the session's. */
  agent?: string | undefined;
  /** The flow that it is part of, for its policy. Default: none. */
  flow?: string | undefined;
  /** The app's own instructions, at the start of the prompt. Default: none. */
  system?: string | undefined;
}

/** A prompt within its budget. */
export interface Context<Messages = Message[]> {
  /** What goes before the messages. What others wrote is quoted in it, so that it cannot speak in a role. */
  prompt: string;
  /** The messages that were chosen; in a provider's form, if one was asked for, with the prompt as its first instruction. */
  messages: Messages;
  /** How many tokens prompt and messages have together. */
  tokens: number;
  /** What is in it, in order. */
  used: ContextUsed[];
  /** What is not, and why. */
  left: ContextLeft[];
}

/** Something that is in a prompt. */
export interface ContextUsed {
  /** The id of the message or memory, or the name of the history. */
  ref: string;
  /** What it is. */
  kind: ContextKind;
  /** How many tokens it has. */
  tokens: number;
}

/** Something that is not. */
export interface ContextLeft {
  /** The id of the message or memory, or the name of the history. */
  ref: string;
  /** What it is. */
  kind: ContextKind;
  /** `no-call`: a tool's result without its call. `no-result`: a call without a result though the talk went on. */
  why: "no-room" | "empty" | "not-included" | "no-call" | "no-result";
}

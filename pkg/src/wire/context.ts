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
  /**
   * How many of the last messages are candidates at most. Default: the `hotWindowSize` of the session or of the memory;
   * without one, as many as the budget allows.
   */
  window?: number | undefined;
  /**
   * How many memories and documents are candidates. A policy's `max_docs` is never exceeded. Default: `max_docs` of the
   * agent's or the flow's policy; without one, 5.
   */
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
  /**
   * The items left out, and why. Every message of the session is in `messages`, or in a summary in `used`, or here.
   */
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
  /**
   * There if only a part is in the prompt: the beginning and the end of a message that is large beside the budget, which
   * `session.message(ref)` reads whole, or what matters most of a summary.
   */
  shortened?: true;
}

/** Something that is not. */
export interface ContextLeft {
  /** The id of the message, or of the first of several in a row; the id of the memory, or the name of the history. */
  ref: string;
  /** What it is. */
  kind: ContextKind;
  /**
   * `no-room`: the budget is used up. `window`: older than `window` or `hotWindowSize`. `policy`: the policy of the agent
   * or the flow does not let it in. `no-call`: a tool's result without its call. `no-result`: a call without a result
   * though the talk went on.
   */
  why: "no-room" | "empty" | "not-included" | "window" | "policy" | "no-call" | "no-result";
  /** The messages that it is or stands for, if there are several. */
  range?: MessageRange;
}

/**
 * Messages of a session in a row.
 *
 * @example
 * const { messages } = await session.messages({ before: range.before, limit: range.count });
 */
export interface MessageRange {
  /** The id of the first of them. */
  first: string;
  /** The id of the last of them. */
  last: string;
  /** The id of the message after the last; left out if the last is the newest of the session. */
  before?: string;
  /** How many there are from the first to the last. */
  count: number;
}

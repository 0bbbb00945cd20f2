// Types of a prompt: its options, its parts and the candidates that were left out.

import type { Listed } from "../base/listed.js";
import type { Message } from "./messages.js";
import type { Trust } from "./types.js";

/** The kind of a prompt part. */
export type ContextKind = Listed<
  "system" | "instruction" | "profile" | "summary" | "turn" | "skill" | "document" | "memory"
>;

/** Options of a prompt. */
export interface ContextOptions {
  /** The search query for memories and documents. Default: the last user message. */
  query?: string | undefined;
  /** The maximum number of tokens of the prompt and messages together. Default: the session's `contextTokens`. */
  budget?: number | undefined;
  /**
   * The order of the kinds. Kinds that are stable between turns always come first. Default: the order of `ContextKind`.
   */
  order?: ContextKind[] | undefined;
  /** The kinds to include. Default: all. */
  include?: ContextKind[] | undefined;
  /**
   * The maximum number of recent messages to consider. Default: the `hotWindowSize` of the session or the memory; if
   * neither is set, as many as fit the budget.
   */
  window?: number | undefined;
  /**
   * The maximum number of memories and documents to consider, never more than the policy's `max_docs`. Default:
   * `max_docs` of the agent's or flow's policy; without a policy, 5.
   */
  limit?: number | undefined;
  /** The type of the current task, whose skills and guards come first. Default: none, only the query selects them. */
  taskType?: string | undefined;
  /** The agent whose policy applies. Default: the session's agent. */
  agent?: string | undefined;
  /** The flow whose policy applies. Default: none. */
  flow?: string | undefined;
  /** The app's system instructions, placed at the start of the prompt. Default: none. */
  system?: string | undefined;
  /** The minimum trust of summaries, documents and memories. Default: all, those of low trust in blocks of their own. */
  minTrust?: Trust | undefined;
}

/** A prompt that fits its budget. */
export interface Context<Messages = Message[]> {
  /** The text before the messages. Content written by others is quoted, so it cannot impersonate a role. */
  prompt: string;
  /**
   * The selected messages. With `format`, they are in the provider's format, with the prompt as the first instruction.
   */
  messages: Messages;
  /** The number of tokens of the prompt and messages together. */
  tokens: number;
  /** The included items, in order. */
  used: ContextUsed[];
  /**
   * The omitted items, each with its reason. Every message of the session is in `messages`, in a summary in `used`, or
   * here.
   */
  left: ContextLeft[];
}

/** An item that is included in a prompt. */
export interface ContextUsed {
  /** The id of the message or memory, or the name of the history. */
  ref: string;
  /** The kind of the item. */
  kind: ContextKind;
  /** The number of tokens of the item. */
  tokens: number;
  /**
   * Set if only a part is included: the beginning and end of a message that is large relative to the budget, or the
   * most important part of a summary. `session.message(ref)` reads the whole message.
   */
  shortened?: true;
}

/** An item that is omitted from a prompt. */
export interface ContextLeft {
  /**
   * The id of the message, or of the first of several consecutive messages; the id of the memory, or the name of the
   * history.
   */
  ref: string;
  /** The kind of the item. */
  kind: ContextKind;
  /**
   * The reason. `no-room`: the budget is used up. `empty`: no content. `not-included`: the kind is not in `include`.
   * `window`: older than `window` or `hotWindowSize`. `policy`: excluded by the policy of the agent or the flow.
   * `no-call`: a tool result without its call. `no-result`: a tool call without a result, followed by further messages.
   */
  why: "no-room" | "empty" | "not-included" | "window" | "policy" | "no-call" | "no-result";
  /** The messages that the item covers, if there are several. */
  range?: MessageRange;
}

/**
 * A range of consecutive messages in a session.
 *
 * @example
 * const { messages } = await session.messages({ before: range.before, limit: range.count });
 */
export interface MessageRange {
  /** The id of the first message. */
  first: string;
  /** The id of the last message. */
  last: string;
  /** The id of the message after the last; omitted if the last message is the session's newest. */
  before?: string;
  /** The number of messages in the range. */
  count: number;
}

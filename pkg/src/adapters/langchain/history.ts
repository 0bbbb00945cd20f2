// The history of a LangChain chat as a session of the memory.

import { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Memory } from "../../memory/memory.js";
import type { Session, SessionOptions } from "../../memory/session.js";
import type { ContextOptions } from "../../wire/context.js";
import { fromLangChain, toLangChain } from "./messages.js";

/** Options of `KeepsakeChatMessageHistory`. */
export interface ChatHistoryOptions extends SessionOptions {
  /** The id of the session. The first message creates it. */
  sessionId: string;
}

/**
 * The history of a chat, stored in a session of the memory. Messages are returned unchanged, and search, context and
 * compression of the memory see them.
 *
 * @example
 * const chat = new RunnableWithMessageHistory({
 *   runnable: model,
 *   getMessageHistory: (sessionId) => new KeepsakeChatMessageHistory(memory, { sessionId }),
 * });
 */
export class KeepsakeChatMessageHistory extends BaseListChatMessageHistory {
  /** The namespace of the class in LangChain. */
  lc_namespace = ["keepsake", "langchain"];
  /** The session with the messages. */
  readonly session: Session;

  constructor(memory: Memory, options: ChatHistoryOptions) {
    super();
    known(options, "sessionId agent compression contextTokens summarize summarizeTimeout onError");
    const { sessionId, ...how } = { ...options };
    if (typeof sessionId !== "string" || sessionId === "") throw refused("sessionId", "must be a string");
    this.session = memory.session(sessionId, how);
  }

  /** All messages, oldest first, including those that others have appended to the session. */
  override async getMessages(): Promise<BaseMessage[]> {
    const messages: BaseMessage[] = [];
    for await (const message of this.session.all()) messages.push(...toLangChain(message));
    return messages;
  }

  /**
   * The prompt of the next turn: instructions, summaries and memories as a system message, and the most relevant messages
   * within the budget.
   */
  async getContext(options: ContextOptions = {}): Promise<BaseMessage[]> {
    const { prompt, messages } = await this.session.context(options);
    const said = messages.flatMap(toLangChain);
    return prompt ? [new SystemMessage(prompt), ...said] : said;
  }

  /** Stores a message. */
  override async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message]);
  }

  /** Stores messages, atomically. */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    if (!Array.isArray(messages)) throw refused("messages", "must be an array of messages");
    if (messages.length > 0) await this.session.append(messages.map(fromLangChain));
  }

  /** Erases all messages. Memories recorded from them stay. */
  override async clear(): Promise<void> {
    await this.session.delete({ keepEntries: true });
  }
}

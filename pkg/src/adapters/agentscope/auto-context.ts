// Short-term memory that compresses itself: a message list on a session with progressive compression.

import { MemoryError } from "../../base/errors.js";
import { known } from "../../base/options.js";
import type { Summarize } from "../../memory/compression.js";
import type { Memory } from "../../memory/memory.js";
import { checkSettings } from "../../memory/option-checks.js";
import type { Session } from "../../memory/session.js";
import type { Message, MessageInput } from "../../wire/messages.js";
import { type MessageList, messagesOf, type State, type StateMessage, written } from "./state.js";

/** The limits of `AutoContextMemory`. */
export class AutoContextConfig {
  /** The number of messages above which it compresses. Default: 30. */
  readonly msgThreshold: number;
  /** The fraction of the model's tokens above which it compresses. Default: 0.3. */
  readonly tokenRatio: number;
  /** The number of recent messages that are not compressed. Default: 10. */
  readonly lastKeep: number;
  /** The context size of the model in tokens. Default: 32,000. */
  readonly maxToken: number;

  private constructor(settings: AutoContextSettings) {
    this.msgThreshold = settings.msgThreshold ?? 30;
    this.tokenRatio = settings.tokenRatio ?? 0.3;
    this.lastKeep = settings.lastKeep ?? 10;
    this.maxToken = settings.maxToken ?? 32_000;
    const { maxToken: contextTokens, ...rest } = this;
    checkSettings({ ...rest, contextTokens }, { contextTokens: "maxToken" });
  }

  /** A builder of settings. */
  static builder(): AutoContextConfigBuilder {
    const settings: { [key in keyof AutoContextSettings]: number } = {};
    const set = (key: keyof AutoContextSettings) => (value: number) => {
      settings[key] = value;
      return builder;
    };
    const builder: AutoContextConfigBuilder = {
      msgThreshold: set("msgThreshold"),
      tokenRatio: set("tokenRatio"),
      lastKeep: set("lastKeep"),
      maxToken: set("maxToken"),
      build: () => new AutoContextConfig(settings),
    };
    return builder;
  }
}

/** The settings. */
type AutoContextSettings = {
  msgThreshold?: number;
  tokenRatio?: number;
  lastKeep?: number;
  maxToken?: number;
};

/** Builds an `AutoContextConfig`. Settings that are not called have their defaults. */
export interface AutoContextConfigBuilder {
  /** The number of messages above which it compresses. */
  msgThreshold(count: number): AutoContextConfigBuilder;
  /** The fraction of the model's tokens above which it compresses. */
  tokenRatio(ratio: number): AutoContextConfigBuilder;
  /** The number of recent messages that are not compressed. */
  lastKeep(count: number): AutoContextConfigBuilder;
  /** The context size of the model in tokens. */
  maxToken(count: number): AutoContextConfigBuilder;
  /** Returns the settings. Throws `invalid-input` with the name of an invalid one. */
  build(): AutoContextConfig;
}

/** Options of `AutoContextMemory`. */
export interface AutoContextOptions {
  /** The memory that stores the messages. */
  memory: Pick<Memory, "session">;
  /** The id of the session. */
  sessionId: string;
  /** Writes summaries with a model. Default: the most relevant sentences, without a model. */
  summarize?: Summarize | undefined;
  /** The agent of the session. Default: none. */
  agent?: string | undefined;
}

/**
 * Short-term memory of bounded size: older messages are merged, summarised and offloaded as it grows. It is a view of a
 * session, which keeps every message; `reload` reads one by its id. Loading a state, deleting and clearing remove nothing
 * from the session, its log or long-term memory.
 */
export class AutoContextMemory implements MessageList {
  /** The session. */
  readonly session: Session;

  constructor(config: AutoContextConfig, options: AutoContextOptions) {
    known(options, "memory sessionId summarize agent");
    const { memory, sessionId, summarize, agent } = options;
    const { maxToken, ...settings } = config;
    const compression = { type: "progressive" as const, contextTokens: maxToken, ...settings };
    this.session = memory.session(sessionId, { compression, summarize, agent });
  }

  /** Adds a message at the end. */
  async addMessage(message: MessageInput): Promise<void> {
    await this.session.append(message);
  }

  /**
   * The messages, with compressed ones replaced; waits for a running compression. A replacement has the role `"user"` and
   * quotes the messages in a `<conversation_summary>` block.
   */
  async getMessages(): Promise<readonly StateMessage[]> {
    await this.session.idle();
    return Object.freeze(await this.session.viewMessages());
  }

  /** The full message with this id, even if it is truncated or replaced by a summary. */
  async reload(id: string): Promise<Message | null> {
    return this.session.message(id);
  }

  /**
   * Removes the item at this index from the list, and from every later prompt and summary, also for other handles; does
   * nothing if there is none. A tool call is removed with its result. The session keeps the message.
   */
  async deleteMessage(index: number): Promise<void> {
    await this.session.idle();
    const item = (await this.session.view())[index];
    if (item) await this.session.hide(item.ref);
  }

  /** Clears the list. The session, its log and long-term memory are unchanged. */
  async clear(): Promise<void> {
    await this.session.clearView();
  }

  /** `{ messages }` with the original messages of the list, roles in upper case; also if it is empty. */
  async saveState(): Promise<State> {
    const hidden = new Set(await this.session.hidden());
    const messages: State[] = [];
    for await (const message of this.session.all())
      if (!hidden.has(message.id)) messages.push(written(message));
    return { messages };
  }

  /**
   * Shows the messages of a state, and those that came after the last of them. Messages that are not in the session are
   * appended to it. Nothing is removed from the session, and a deleted message stays deleted.
   */
  async loadState(state: State): Promise<void> {
    await this.session.restoreView(messagesOf(state));
    // States of earlier versions list deleted messages separately, and still contain them.
    const { deleted } = state;
    for (const ref of Array.isArray(deleted) ? deleted : []) {
      if (typeof ref !== "string") continue;
      await this.session.hide(ref).catch((error: unknown) => {
        if (!(error instanceof MemoryError) || error.code !== "not-found") throw error;
      });
    }
  }

  /** `"AutoContextMemory"`. */
  getComponentName(): string {
    return "AutoContextMemory";
  }
}

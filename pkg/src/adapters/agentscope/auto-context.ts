// Short-term memory that compresses itself: a list of messages on a session with progressive compression.

import { MemoryError } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { checkSettings, type Summarize } from "../../memory/compression.js";
import type { Memory } from "../../memory/memory.js";
import type { Session } from "../../memory/session.js";
import type { Message, MessageInput } from "../../wire/messages.js";
import { type MessageList, messagesOf, type State, type StateMessage, written } from "./state.js";

/** When `AutoContextMemory` compresses, and what it leaves alone. */
export class AutoContextConfig {
  /** Above how many messages it begins. Default: 30. */
  readonly msgThreshold: number;
  /** Above which part of the model's tokens it begins. Default: 0.3. */
  readonly tokenRatio: number;
  /** How many of the last messages are left untouched. Default: 10. */
  readonly lastKeep: number;
  /** How many tokens the model takes. Default: 32,000. */
  readonly maxToken: number;

  private constructor(settings: AutoContextSettings) {
    this.msgThreshold = settings.msgThreshold ?? 30;
    this.tokenRatio = settings.tokenRatio ?? 0.3;
    this.lastKeep = settings.lastKeep ?? 10;
    this.maxToken = settings.maxToken ?? 32_000;
    const { maxToken: contextTokens, ...rest } = this;
    checkSettings({ ...rest, contextTokens }, { contextTokens: "maxToken" });
  }

  /** Settings, one after the other. */
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

/** What can be set. */
type AutoContextSettings = {
  msgThreshold?: number;
  tokenRatio?: number;
  lastKeep?: number;
  maxToken?: number;
};

/** Makes an `AutoContextConfig`. What is not said has its default. */
export interface AutoContextConfigBuilder {
  /** Above how many messages compression begins. */
  msgThreshold(count: number): AutoContextConfigBuilder;
  /** Above which part of the model's tokens it begins. */
  tokenRatio(ratio: number): AutoContextConfigBuilder;
  /** How many of the last messages are left untouched. */
  lastKeep(count: number): AutoContextConfigBuilder;
  /** How many tokens the model takes. */
  maxToken(count: number): AutoContextConfigBuilder;
  /** The settings. Throws `invalid-input` with the name of a setting that makes no sense. */
  build(): AutoContextConfig;
}

/** What an `AutoContextMemory` works on. */
export interface AutoContextOptions {
  /** Where the messages are kept. */
  memory: Pick<Memory, "session">;
  /** The session that they are kept in. */
  sessionId: string;
  /** Writes summaries, with a model. Default: the most telling sentences, without one. */
  summarize?: Summarize | undefined;
  /** The agent whose conversation it is. Default: none in particular. */
  agent?: string | undefined;
}

/**
 * Short-term memory that stays small: older messages are merged, summarised and offloaded as it grows. It is a view of a
 * session, in which everything that was said stays, where `reload` finds it by its id: neither loading a state, nor
 * deleting, nor clearing takes anything out of the session, its log or long-term memory.
 */
export class AutoContextMemory implements MessageList {
  /** The conversation behind it. */
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
   * The messages, and what stands for those that were compressed; compression under way is waited for. A text that stands
   * for others has the role `"user"` and quotes them in a `<conversation_summary>` block.
   */
  async getMessages(): Promise<readonly StateMessage[]> {
    await this.session.idle();
    return Object.freeze(await this.session.viewMessages());
  }

  /** The message of this id, whole: also if only its beginning is shown, or a summary stands for it. */
  async reload(id: string): Promise<Message | null> {
    return this.session.message(id);
  }

  /**
   * Takes what is at this place out of the list, and out of every prompt and summary from now on, also for other handles;
   * nothing if there is nothing. A tool's call goes with its result. The session keeps the message.
   */
  async deleteMessage(index: number): Promise<void> {
    await this.session.idle();
    const item = (await this.session.view())[index];
    if (item) await this.session.hide(item.ref);
  }

  /** Empties the list. The session, its log and long-term memory keep what they have. */
  async clear(): Promise<void> {
    await this.session.clearView();
  }

  /** `{ messages }` with everything in the list as it was said, roles in upper case; also if there is nothing. */
  async saveState(): Promise<State> {
    const hidden = new Set(await this.session.hidden());
    const messages: State[] = [];
    for await (const message of this.session.all())
      if (!hidden.has(message.id)) messages.push(written(message));
    return { messages };
  }

  /**
   * Shows the messages of a state, and what was said since the last of them. Messages of a state from elsewhere are
   * appended to the session. Nothing leaves the session by this, and a deleted message does not come back.
   */
  async loadState(state: State): Promise<void> {
    await this.session.restoreView(messagesOf(state));
    // States of earlier versions name what was deleted, and have it among their messages.
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

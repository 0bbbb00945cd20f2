// Short-term memory that compresses itself: a list of messages on a session with progressive compression.

import type { Summarize } from "./compression.js";
import type { Memory } from "./memory.js";
import { isBlock, type Message, type MessageInput } from "./messages.js";
import type { Session, ViewItem } from "./session.js";
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
  /** The settings. */
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
 * Short-term memory that stays small: older messages are merged, summarised and offloaded as it grows. Everything that
 * was said stays in the session, where `reload` finds it by its id.
 */
export class AutoContextMemory implements MessageList {
  /** The conversation behind it. */
  readonly session: Session;
  /** What was taken out of the list. The log keeps it. */
  #deleted = new Set<string>();

  constructor(config: AutoContextConfig, { memory, sessionId, summarize, agent }: AutoContextOptions) {
    const { maxToken, ...settings } = config;
    const compression = { type: "progressive" as const, contextTokens: maxToken, ...settings };
    this.session = memory.session(sessionId, { compression, summarize, agent });
  }

  /** Adds a message at the end. */
  async addMessage(message: MessageInput): Promise<void> {
    await this.session.append(message);
  }

  /** The messages, and what stands for those that were compressed; compression under way is waited for. */
  async getMessages(): Promise<readonly StateMessage[]> {
    const messages = (await this.#items()).map((item) => this.#shown(item));
    return Object.freeze(await Promise.all(messages));
  }

  /** The message of this id, whole: also if only its beginning is shown, or a summary stands for it. */
  async reload(id: string): Promise<Message | null> {
    return this.session.message(id);
  }

  /** Takes what is at this place out of the list; nothing if there is nothing. The session keeps it. */
  async deleteMessage(index: number): Promise<void> {
    const item = (await this.#items())[index];
    if (item) this.#deleted.add(item.ref);
  }

  /** Takes all messages away, out of the session as well. */
  async clear(): Promise<void> {
    await this.#empty();
    this.#deleted.clear();
  }

  /** `{ messages }` with everything that was said, roles in upper case; and `deleted`, if something was. */
  async saveState(): Promise<State> {
    const messages: State[] = [];
    for await (const message of this.session.all()) messages.push(written(message));
    return { messages, ...(this.#deleted.size > 0 && { deleted: [...this.#deleted] }) };
  }

  /** Takes the messages of a state, in place of those so far. Those that are there already are not summarised anew. */
  async loadState(state: State): Promise<void> {
    const messages = messagesOf(state);
    let known = 0;
    for await (const { id } of this.session.all()) {
      if (messages[known++]?.id === id) continue;
      await this.#empty();
      known = 0;
      break;
    }
    await this.session.append(messages.slice(known));
    const { deleted } = state;
    const refs = Array.isArray(deleted) ? deleted : [];
    this.#deleted = new Set(refs.filter((ref) => typeof ref === "string"));
  }

  /** `"AutoContextMemory"`. */
  getComponentName(): string {
    return "AutoContextMemory";
  }

  /** Takes the messages away, and leaves what components have saved under the same id. */
  async #empty(): Promise<void> {
    const saved = await this.session.loadComponents();
    await this.session.delete();
    if (saved) await this.session.saveComponents(saved.components);
  }

  async #items(): Promise<ViewItem[]> {
    await this.session.idle();
    return (await this.session.view()).filter(({ ref }) => !this.#deleted.has(ref));
  }

  /** An item as a message. What is offloaded is still the answer to its tool call, so that the pair stays one. */
  async #shown({ kind, ref, role, text = "", message }: ViewItem): Promise<StateMessage> {
    if (kind === "message" && message) return message;
    if (kind !== "offload") return { id: ref, role, content: [{ type: "text", text }] };
    const whole = message ?? (await this.session.message(ref));
    const preview = { type: "text" as const, text: `${text}\n[shortened: reload ${ref}]` };
    const results = (whole?.content ?? []).filter((block) => isBlock(block, "tool_result"));
    const content = results.map((block) => ({ ...block, output: [preview] }));
    return { ...whole, id: ref, role, content: content.length > 0 ? content : [preview] };
  }
}

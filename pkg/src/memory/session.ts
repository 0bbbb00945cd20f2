// One conversation: what was said, the view of it that fits a model, and the prompt of the next turn.

import type { Background } from "../base/background.js";
import { MemoryError, optionsIn } from "../base/errors.js";
import { known } from "../base/options.js";
import type { CompressionResult } from "../wire/compression.js";
import type { Context, ContextOptions } from "../wire/context.js";
import type { Format, Formats } from "../wire/formats.js";
import type { Message, MessageInput } from "../wire/messages.js";
import { once, type WriteOptions } from "../wire/once.js";
import type { WatchOptions } from "../wire/progress.js";
import type {
  History,
  MessagePage,
  SavedComponents,
  SessionInfo,
  ViewItem,
  ViewMessage,
} from "../wire/sessions.js";
import {
  type Compression,
  type CompressOptions,
  type Compressor,
  compress,
  hotWindow,
  type Progressive,
  type Summarize,
  type TreeReduce,
  wayOf,
} from "./compression.js";
import { type Core, EMBED_LANE } from "./core.js";

/** How a session is led. */
export interface SessionOptions {
  /** The agent whose conversation it is. Default: none in particular. */
  agent?: string | undefined;
  /** How it is compressed when it outgrows the model's window; `false`: not by itself. Default: `"tree-reduce"`. */
  compression?: Compression | false | undefined;
  /** How many tokens the model takes. Default: 32,000. */
  contextTokens?: number | undefined;
  /** Writes the summaries. Default: the most telling sentences of what was said, without a model. */
  summarize?: Summarize | undefined;
  /** How many milliseconds `summarize` may take. Default: 60,000. */
  summarizeTimeout?: number | undefined;
  /** Called when work in the background fails. Nothing is lost by that. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Which messages to read. */
export interface MessagesOptions {
  /** How many. There may be a few more: no page begins between a tool call and its result. Default: 30. */
  limit?: number | undefined;
  /** Only what was said before the message of this id. Default: up to the newest. */
  before?: string | undefined;
}

const CONTEXT_TOKENS = 32_000;
const SUMMARIZE_TIMEOUT = 60_000;
const PAGE = 100;

/** For so many milliseconds messages may follow each other before it is looked whether to compress: once for them all. */
const BREATH = 50;

/**
 * One conversation. Handles of the same id are the same conversation. Calls may overlap; messages are kept in the order
 * in which they were appended, and every one is stored before `append` answers.
 */
export class Session {
  /** Its id. */
  readonly id: string;
  readonly #core: Core;
  readonly #background: Background;
  readonly #options: SessionOptions;
  /** How it is compressed when nothing else is said. */
  readonly #way: TreeReduce | Progressive;
  /** Whether a compression is to begin that will see all messages so far. */
  #queued = false;

  /** @internal Use `memory.session`. */
  constructor(core: Core, background: Background, id: string, options: SessionOptions) {
    known(options, "agent compression contextTokens summarize summarizeTimeout onError");
    this.#core = core;
    this.#background = background;
    this.id = id;
    this.#options = options;
    this.#way = wayOf(
      optionsIn(options).compression || "tree-reduce",
      options.contextTokens ?? CONTEXT_TOKENS,
    );
  }

  /**
   * Stores what was said, all or nothing, and answers it with ids and times. Rejects with `already-exists` if the
   * session has a message of that id. Compression is no part of it: that goes on in the background.
   */
  append(message: MessageInput, options?: WriteOptions): Promise<Message>;
  /** The same with several messages, which are stored together. */
  append(messages: readonly MessageInput[], options?: WriteOptions): Promise<Message[]>;
  async append(
    said: MessageInput | readonly MessageInput[],
    options?: WriteOptions,
  ): Promise<Message | Message[]> {
    const { agent } = this.#options;
    const messages = Array.isArray(said) ? said : [said];
    const args = { ...once(options), session: this.id, agent, messages };
    const stored = await this.#core.calls.write("append", args);
    this.compressSoon();
    this.#core.embedSoon(this.#background);
    const [message] = stored;
    return Array.isArray(said) || !message ? stored : message;
  }

  /** The last messages, or those before one of them. */
  async messages(options: MessagesOptions = {}): Promise<MessagePage> {
    return this.#core.calls.ask("messages", { ...options, session: this.id });
  }

  /** All messages from the oldest to the newest, read in pages. What is appended meanwhile is not among them. */
  async *all(): AsyncGenerator<Message, void, undefined> {
    const page = (before?: string) => this.messages({ limit: PAGE, before });
    // Pages go backwards: first where each one ends, then again from the oldest, so that few are held at a time. The
    // newest is held, because the same call would answer another one after the next `append`.
    const newest = await page();
    const ends: string[] = [];
    let oldest = newest;
    while (oldest.more && oldest.messages[0]) {
      ends.push(oldest.messages[0].id);
      oldest = await page(oldest.messages[0].id);
    }
    yield* oldest.messages;
    for (const before of ends.slice(0, -1).reverse()) yield* (await page(before)).messages;
    if (oldest !== newest) yield* newest.messages;
  }

  /** The message of this id, whole; `null` if there is none. */
  async message(id: string): Promise<Message | null> {
    return this.#core.calls.ask("message", { session: this.id, id });
  }

  /** The session at a glance; `null` if nothing was said in it yet. */
  async info(): Promise<SessionInfo | null> {
    return this.#core.calls.ask("session", { session: this.id });
  }

  /** Calls it something. Rejects with `not-found` if nothing was said in it yet. */
  async setTitle(title: string, options?: WriteOptions): Promise<SessionInfo> {
    return this.#core.calls.write("setTitle", { ...once(options), session: this.id, title });
  }

  /** A new session `to` with everything up to the message `at`, that one included, led in the same way. */
  async fork(from: { at: string; to: string } & WatchOptions): Promise<Session> {
    const { onProgress, signal, ...what } = { ...optionsIn(from, "from") };
    const { to } = what;
    await this.#core.calls.write("fork", { ...what, session: this.id }, to, { onProgress, signal });
    return new Session(this.#core, this.#background, to, this.#options);
  }

  /**
   * Takes it away for good, with every byte that was said, its states, its experience, and what was recorded of it unless
   * `keepEntries` says otherwise. Answers how many messages that were. Default: nothing is kept.
   */
  async delete(options: { keepEntries?: boolean | undefined } & WriteOptions = {}): Promise<number> {
    const { idempotencyKey, ...what } = optionsIn(options);
    const args = { ...once({ idempotencyKey }), ...what, session: this.id };
    return this.#core.calls.write("deleteSession", args);
  }

  /** The conversation as it is shown to a model: messages, and what stands for others. Nothing is lost by that. */
  async view(): Promise<ViewItem[]> {
    return this.#core.calls.ask("view", { session: this.id });
  }

  /**
   * The view as messages that can be sent to a model, item by item. Text that stands for other messages is quoted in a
   * `<conversation_summary>` block and has the role `"user"`: words of a tool never become instructions of the app. A
   * large message is shown by its beginning, with the id that `message` reads it by.
   */
  async viewMessages(): Promise<ViewMessage[]> {
    return this.#core.calls.ask("viewMessages", { session: this.id });
  }

  /**
   * Deletes messages from the view, by their ids or by the `ref` of a view item, which may stand for several. They are in
   * no prompt, summary or `queryMemory` afterwards, for any handle. The other half of a tool call is deleted with it, and
   * a summary that tells of a deleted message is written again without it. The session keeps them: `messages`, `message`
   * and the log have them as before. Resolves to how many messages were hidden by this. Rejects with `not-found` if a
   * reference is of nothing in this session.
   */
  async hide(refs: string | readonly string[]): Promise<number> {
    const hidden = await this.#core.calls.write("hide", { session: this.id, refs: [refs].flat() });
    // Summaries that were given up have left their messages to be compressed again.
    this.compressSoon();
    return hidden;
  }

  /**
   * Empties the view: the next prompt begins anew. The session, its log and what was recorded of it stay as they are.
   * Resolves to how many messages were hidden by this.
   */
  async clearView(): Promise<number> {
    return this.#core.calls.write("clearView", { session: this.id });
  }

  /**
   * Shows the messages of a saved state, and what was said after the last of them. Messages that the session does not
   * have are appended. Earlier messages that are not in the state leave the view, as with `clearView`; nothing leaves the
   * session. Deleted messages stay deleted, and an empty state changes nothing. Resolves to how many were appended.
   */
  async restoreView(messages: readonly MessageInput[]): Promise<number> {
    const { agent } = this.#options;
    const added = await this.#core.calls.write("restoreView", { session: this.id, agent, messages });
    this.compressSoon();
    return added;
  }

  /** The ids of the messages that the view does not show, because they were deleted from it or it was cleared. */
  async hidden(): Promise<string[]> {
    return this.#core.calls.ask("hidden", { session: this.id });
  }

  /** The summaries of older messages, oldest first. */
  async histories(): Promise<History[]> {
    return this.#core.calls.ask("histories", { session: this.id });
  }

  /**
   * Compresses it now, if it has outgrown its limits, once a compression under way is done.
   * Default: in the session's own way.
   */
  async compress(compression?: Compression, options: CompressOptions = {}): Promise<CompressionResult> {
    known(options, "onProgress signal");
    const { onProgress, signal } = optionsIn(options);
    const way = compression === undefined ? this.#way : wayOf(compression, this.#contextTokens);
    const run = this.#background.run(this.#lane, () => this.#compress(way, { onProgress, signal }));
    this.#background.hurry();
    return run;
  }

  /**
   * The prompt of the next turn: instructions, summaries, memories and messages, the most valuable within the budget, as
   * far as the policies of agent and flow allow. A message that is large beside the budget is shown by its beginning and
   * its end. Rejects with `invalid-input` of `budget` if not even the user's last message fits.
   */
  context(options?: ContextOptions & { format?: undefined }): Promise<Context>;
  /**
   * The same with `messages` in the form that a provider takes, ready to be sent: `system` in the role of the system, then
   * what is remembered and summarised, quoted, in the role of the user, then the conversation.
   */
  context<F extends Format>(options: ContextOptions & { format: F }): Promise<Context<Formats[F]>>;
  async context(given: ContextOptions & { format?: Format | undefined } = {}): Promise<Context<unknown>> {
    const options = optionsIn(given);
    const budget = options.budget ?? this.#contextTokens;
    const agent = options.agent ?? this.#options.agent;
    const window = options.window ?? hotWindow(this.#way);
    const asked = { ...options, agent, budget, window, session: this.id };
    this.#core.catchUp(this.#background);
    const about = async () => (await this.#core.calls.ask("lastAsked", { session: this.id })) || null;
    return options.query === undefined
      ? this.#core.askAbout("context", asked, about)
      : this.#core.ask("context", asked);
  }

  /** Resolves when nothing goes on in the background: no compression or recording of this session, no embedding. */
  async idle(): Promise<void> {
    await this.#background.idle(this.#lane, recordingLane(this.id), EMBED_LANE);
  }

  /** Saves states of the app's components under this session's id, in place of what was saved before. */
  async saveComponents(components: SavedComponents["components"]): Promise<void> {
    await this.#core.calls.write("saveComponents", { session: this.id, components });
  }

  /** The states that were saved; `null` if there are none. */
  async loadComponents(): Promise<SavedComponents | null> {
    return this.#core.calls.ask("loadComponents", { session: this.id });
  }

  get #contextTokens(): number {
    return this.#way.contextTokens ?? CONTEXT_TOKENS;
  }

  get #lane(): string {
    return `compress/${this.id}`;
  }

  get #compressor(): Compressor {
    const { summarize, summarizeTimeout } = this.#options;
    return {
      calls: this.#core.calls,
      session: this.id,
      summarize,
      timeout: summarizeTimeout ?? SUMMARIZE_TIMEOUT,
      stopped: this.#background.stopped,
      onError: (error) => this.#failed(error),
    };
  }

  /** @internal Compresses in the background. One that has not begun yet is enough for any number of messages. */
  compressSoon(): void {
    if (this.#queued || this.#options.compression === false) return;
    this.#queued = true;
    const run = this.#background.run(this.#lane, async () => {
      await this.#background.rest(BREATH);
      this.#queued = false;
      return this.#compress(this.#way);
    });
    run.catch((error) => {
      // Closed or deleted meanwhile: there is nothing to do any more.
      const over = error instanceof MemoryError && (error.code === "closed" || error.code === "not-found");
      if (!over) this.#failed(error);
    });
  }

  async #compress(way: TreeReduce | Progressive, watch: CompressOptions = {}): Promise<CompressionResult> {
    const result = await compress({ ...this.#compressor, ...watch }, way);
    // A history has a meaning of its own.
    if (result.history) this.#core.embedSoon(this.#background);
    return result;
  }

  #failed(error: unknown): void {
    const { onError = (error) => console.warn("keepsake: compression:", error) } = this.#options;
    onError(error);
  }
}

/** Where recordings of a session wait for each other. */
export function recordingLane(session = ""): string {
  return `record/${session}`;
}

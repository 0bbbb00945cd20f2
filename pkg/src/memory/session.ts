// One session: its messages, the compressed view that fits a model, and the prompt of the next turn.

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
import { checkSaid } from "./said.js";

/** Session options. */
export interface SessionOptions {
  /** The agent that the session belongs to. Default: none. */
  agent?: string | undefined;
  /**
   * The compression strategy once the session outgrows the model's window; `false` disables automatic compression.
   * Default: `"tree-reduce"`.
   */
  compression?: Compression | false | undefined;
  /** The model's context window, in tokens. Default: 32,000. */
  contextTokens?: number | undefined;
  /** Writes the summaries. Default: the most informative sentences of the messages, extracted without a model. */
  summarize?: Summarize | undefined;
  /** Timeout of `summarize`, in milliseconds. Default: 60,000. */
  summarizeTimeout?: number | undefined;
  /** Called when background work fails; no data is lost. Default: a warning on the console. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Which messages to read. */
export interface MessagesOptions {
  /** Page size. A page may have a few more, because it never begins between a tool call and its result. Default: 30. */
  limit?: number | undefined;
  /** Only messages before the message with this id. Default: up to the newest. */
  before?: string | undefined;
}

const CONTEXT_TOKENS = 32_000;
const SUMMARIZE_TIMEOUT = 60_000;
const PAGE = 100;

/** Debounce of the compression check after appends, in milliseconds. */
const BREATH = 50;

/**
 * One session, which is one conversation. Handles with the same id share the session. Calls may overlap; messages keep
 * the order of their appends, and each is stored before `append` resolves.
 */
export class Session {
  /** The session id. */
  readonly id: string;
  readonly #core: Core;
  readonly #background: Background;
  readonly #options: SessionOptions;
  /** The default compression strategy. */
  readonly #way: TreeReduce | Progressive;
  /** Whether a compression is queued and not yet started, so that it will see all messages so far. */
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
   * Appends a message and returns it with its id and time. Rejects with `already-exists` if the session has a message
   * with the same id. Compression runs in the background and does not delay `append`.
   */
  append(message: MessageInput, options?: WriteOptions): Promise<Message>;
  /** Appends several messages atomically and returns them with their ids and times. */
  append(messages: readonly MessageInput[], options?: WriteOptions): Promise<Message[]>;
  /**
   * The same for one message or several. It is the last overload, so that messages of the compiler are about the fields of
   * a message.
   */
  append(said: MessageInput | readonly MessageInput[], options?: WriteOptions): Promise<Message | Message[]>;
  async append(
    said: MessageInput | readonly MessageInput[],
    options?: WriteOptions,
  ): Promise<Message | Message[]> {
    const { agent } = this.#options;
    const messages = Array.isArray(said) ? said : [said];
    checkSaid(messages);
    const args = { ...once(options), session: this.id, agent, messages };
    const stored = await this.#core.calls.write("append", args);
    this.compressSoon();
    this.#core.embedSoon(this.#background);
    const [message] = stored;
    return Array.isArray(said) || !message ? stored : message;
  }

  /** Returns a page of messages: the newest, or the ones before `before`. */
  async messages(options: MessagesOptions = {}): Promise<MessagePage> {
    return this.#core.calls.ask("messages", { ...options, session: this.id });
  }

  /** Iterates over all messages from oldest to newest, read in pages. Messages appended meanwhile are not included. */
  async *all(): AsyncGenerator<Message, void, undefined> {
    const page = (before?: string) => this.messages({ limit: PAGE, before });
    // Pages can only be read backwards. The first pass collects page boundaries, the second reads from the oldest page
    // on, so that few messages are in memory at a time. The newest page is kept: after an `append`, reading it again
    // would return different messages.
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

  /** Returns the full message with this id, or `null` if there is none. */
  async message(id: string): Promise<Message | null> {
    return this.#core.calls.ask("message", { session: this.id, id });
  }

  /** Returns an overview of the session, or `null` if it has no messages yet. */
  async info(): Promise<SessionInfo | null> {
    return this.#core.calls.ask("session", { session: this.id });
  }

  /** Sets the title and returns the session's info. Rejects with `not-found` if the session has no messages yet. */
  async setTitle(title: string, options?: WriteOptions): Promise<SessionInfo> {
    return this.#core.calls.write("setTitle", { ...once(options), session: this.id, title });
  }

  /** Creates a session `to` with all messages up to and including `at`. Returns its handle, with the same options. */
  async fork(from: { at: string; to: string } & WatchOptions): Promise<Session> {
    const { onProgress, signal, ...what } = { ...optionsIn(from, "from") };
    const { to } = what;
    await this.#core.calls.write("fork", { ...what, session: this.id }, to, { onProgress, signal });
    return new Session(this.#core, this.#background, to, this.#options);
  }

  /**
   * Deletes the session permanently: its messages, states, experience, and the entries recorded from it. Returns the
   * number of deleted messages. Default for `keepEntries`: `false`; `true` keeps the recorded entries.
   */
  async delete(
    options: {
      /** Whether the entries recorded from it stay. Default: `false`. */
      keepEntries?: boolean | undefined;
    } & WriteOptions = {},
  ): Promise<number> {
    const { idempotencyKey, ...what } = optionsIn(options);
    const args = { ...once({ idempotencyKey }), ...what, session: this.id };
    return this.#core.calls.write("deleteSession", args);
  }

  /** Returns the compressed view for a model: messages, and items that replace others. The originals stay stored. */
  async view(): Promise<ViewItem[]> {
    return this.#core.calls.ask("view", { session: this.id });
  }

  /**
   * Returns the view as messages to send to a model, one per item. Text that replaces other messages is quoted in a
   * `<conversation_summary>` block with the role `"user"`, so that a tool's output never becomes an instruction of the
   * app. A large message is shortened to its beginning, with the id to read it by `message`.
   */
  async viewMessages(): Promise<ViewMessage[]> {
    return this.#core.calls.ask("viewMessages", { session: this.id });
  }

  /**
   * Hides messages, by their ids or by the `ref` of a view item, which may cover several messages. Returns how many
   * messages this call hid. Hidden messages no longer appear in any prompt, summary or `queryMemory`, for all handles. A
   * tool call and its result are hidden together, and a summary of a hidden message is rewritten without it. The session
   * keeps the messages: `messages`, `message` and the log still return them. Rejects with `not-found` if a reference
   * matches nothing in this session.
   */
  async hide(refs: string | readonly string[]): Promise<number> {
    const hidden = await this.#core.calls.write("hide", { session: this.id, refs: [refs].flat() });
    // Dropped summaries leave their messages uncompressed.
    this.compressSoon();
    return hidden;
  }

  /**
   * Clears the view, so that the next prompt starts empty. Returns how many messages this call hid. The session, its log
   * and the entries recorded from it stay.
   */
  async clearView(): Promise<number> {
    return this.#core.calls.write("clearView", { session: this.id });
  }

  /**
   * Restores the view to a saved array of messages, plus the messages after the last of them. Returns how many messages
   * were appended, because the session did not have them. Earlier messages that are not in the array leave the view, as
   * with `clearView`, but stay in the session. Hidden messages stay hidden, and an empty array changes nothing.
   */
  async restoreView(messages: readonly MessageInput[]): Promise<number> {
    const { agent } = this.#options;
    const added = await this.#core.calls.write("restoreView", { session: this.id, agent, messages });
    this.compressSoon();
    return added;
  }

  /** Returns the ids of the messages that `hide` or `clearView` removed from the view. */
  async hidden(): Promise<string[]> {
    return this.#core.calls.ask("hidden", { session: this.id });
  }

  /** Returns the summaries of older messages, oldest first. */
  async histories(): Promise<History[]> {
    return this.#core.calls.ask("histories", { session: this.id });
  }

  /**
   * Compresses the session now if it exceeds its limits, after a compression that is already running. Default for
   * `compression`: the session's own strategy.
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
   * Builds the prompt of the next turn: instructions, summaries, memories and messages, the most valuable ones within the
   * budget, as the policies of agent and flow allow. A message that is large relative to the budget is shortened to its
   * beginning and end. Rejects with `invalid-input` for `budget` if the user's last message alone does not fit.
   */
  context(options?: ContextOptions & { format?: undefined }): Promise<Context>;
  /**
   * Builds the prompt with `messages` in a provider's format, ready to send: `system` with the system role, then memories
   * and summaries, quoted, with the user role, then the conversation.
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

  /** Resolves when background work is done: compression and recording of this session, and embedding. */
  async idle(): Promise<void> {
    await this.#background.idle(this.#lane, recordingLane(this.id), EMBED_LANE);
  }

  /** Saves the states of the app's components for this session. Replaces the states saved before. */
  async saveComponents(components: SavedComponents["components"]): Promise<void> {
    await this.#core.calls.write("saveComponents", { session: this.id, components });
  }

  /** Returns the saved component states, or `null` if there are none. */
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

  /** @internal Schedules a compression in the background, debounced: one queued run covers any number of appends. */
  compressSoon(): void {
    if (this.#queued || this.#options.compression === false) return;
    this.#queued = true;
    const run = this.#background.run(this.#lane, async () => {
      await this.#background.rest(BREATH);
      this.#queued = false;
      return this.#compress(this.#way);
    });
    run.catch((error) => {
      // The memory was closed or the session deleted meanwhile: nothing is left to compress.
      const over = error instanceof MemoryError && (error.code === "closed" || error.code === "not-found");
      if (!over) this.#failed(error);
    });
  }

  async #compress(way: TreeReduce | Progressive, watch: CompressOptions = {}): Promise<CompressionResult> {
    const result = await compress({ ...this.#compressor, ...watch }, way);
    // A new history needs an embedding of its own.
    if (result.history) this.#core.embedSoon(this.#background);
    return result;
  }

  #failed(error: unknown): void {
    const { onError = (error) => console.warn("keepsake: compression:", error) } = this.#options;
    onError(error);
  }
}

/** The background queue that serialises recordings of a session. */
export function recordingLane(session = ""): string {
  return `record/${session}`;
}

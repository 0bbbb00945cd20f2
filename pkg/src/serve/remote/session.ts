// A session of a remote memory.

import { known } from "../../base/options.js";
import type { MessagesOptions, Session } from "../../memory/session.js";
import type { Context, ContextOptions } from "../../wire/context.js";
import type { Format, Formats } from "../../wire/formats.js";
import type { Message, MessageInput } from "../../wire/messages.js";
import type { MessagePage, SessionInfo } from "../../wire/sessions.js";
import type { RoutedVerb } from "../http/generated.js";
import type { RequestOptions, Requests } from "./requests.js";

/** Options of a remote session. */
export interface RemoteSessionOptions {
  /** The agent that the session belongs to. Default: none. */
  agent?: string | undefined;
}

/** The members of `Session` that a remote session has. */
type Shared = "id" | "append" | "messages" | "message" | "info" | "setTitle" | "delete" | "context";

/** One session: the remote equivalent of `memory.session(id)`. The server compresses it without a model. */
export class RemoteSession implements Pick<Session, Shared> {
  /** The session's id. */
  readonly id: string;
  readonly #requests: Requests;
  readonly #agent: string | undefined;

  /** @internal Use `session` of a remote memory. */
  constructor(requests: Requests, id: string, options: RemoteSessionOptions) {
    known(options, "agent");
    this.#requests = requests;
    this.id = id;
    this.#agent = options.agent;
  }

  /** Stores a message. Returns it with its id and time. */
  append(message: MessageInput, options?: RequestOptions): Promise<Message>;
  /** Stores several messages atomically. Returns them with their ids and times. */
  append(messages: readonly MessageInput[], options?: RequestOptions): Promise<Message[]>;
  /**
   * The same for one message or several. It is the last overload, so that messages of the compiler are about the fields of
   * a message.
   */
  append(
    said: MessageInput | readonly MessageInput[],
    options?: RequestOptions,
  ): Promise<Message | Message[]>;
  async append(
    said: MessageInput | readonly MessageInput[],
    options?: RequestOptions,
  ): Promise<Message | Message[]> {
    const args = { messages: Array.isArray(said) ? said : [said], agent: this.#agent };
    const messages = await this.#call<Message[]>("append", args, options);
    return Array.isArray(said) ? messages : (messages[0] as Message);
  }

  /** The latest messages, or the messages before a given one. */
  async messages(options: MessagesOptions & RequestOptions = {}): Promise<MessagePage> {
    known(options, "limit before signal idempotencyKey");
    const { limit, before, signal } = options;
    return this.#call("messages", { limit, before }, { signal });
  }

  /** Reads one message in full; `null` if it does not exist. */
  async message(id: string, options?: RequestOptions): Promise<Message | null> {
    return this.#requests.find("message", { session: this.id, id }, options);
  }

  /** The properties of the session; `null` if it has no messages yet. */
  async info(options?: RequestOptions): Promise<SessionInfo | null> {
    return this.#requests.find("session", { session: this.id }, options);
  }

  /** Sets the title. Rejects with `not-found` if the session has no messages yet. */
  async setTitle(title: string, options?: RequestOptions): Promise<SessionInfo> {
    return this.#call("setTitle", { title }, options);
  }

  /**
   * Deletes the session permanently, with its states, its experience, and its recorded entries unless `keepEntries` is
   * set. Returns the number of deleted messages. Default for `keepEntries`: false.
   */
  async delete(
    options: RequestOptions & {
      /** Whether the entries recorded from it stay. Default: `false`. */
      keepEntries?: boolean | undefined;
    } = {},
  ): Promise<number> {
    const { keepEntries, ...request } = options;
    return this.#call("deleteSession", { keepEntries }, request);
  }

  /** The prompt of the next turn, built by the server. */
  context(options?: ContextOptions & { format?: undefined } & RequestOptions): Promise<Context>;
  /** The same with `messages` in a provider's format. */
  context<F extends Format>(
    options: ContextOptions & { format: F } & RequestOptions,
  ): Promise<Context<Formats[F]>>;
  async context(
    options: ContextOptions & { format?: Format | undefined } & RequestOptions = {},
  ): Promise<Context<unknown>> {
    const { signal, idempotencyKey: _, ...asked } = options;
    return this.#call("context", { ...asked, agent: asked.agent ?? this.#agent }, { signal });
  }

  #call<T>(verb: RoutedVerb, args: object, options?: RequestOptions): Promise<T> {
    return this.#requests.call(verb, { ...args, session: this.id }, options);
  }
}

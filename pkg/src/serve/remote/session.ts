// A conversation of a memory that is elsewhere.

import { known } from "../../base/options.js";
import type { MessagesOptions, Session } from "../../memory/session.js";
import type { Context, ContextOptions } from "../../wire/context.js";
import type { Format, Formats } from "../../wire/formats.js";
import type { Message, MessageInput } from "../../wire/messages.js";
import type { MessagePage, SessionInfo } from "../../wire/sessions.js";
import type { RoutedVerb } from "../http/generated.js";
import type { RequestOptions, Requests } from "./requests.js";

/** How a session is led from here. */
export interface RemoteSessionOptions {
  /** The agent whose conversation it is. Default: none in particular. */
  agent?: string | undefined;
}

/** What a remote session has of a session. */
type Shared = "id" | "append" | "messages" | "message" | "info" | "setTitle" | "delete" | "context";

/** One conversation, as `memory.session(id)` of the memory there. It is compressed there, without a model. */
export class RemoteSession implements Pick<Session, Shared> {
  /** Its id. */
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

  /** Stores what was said, all or nothing, and answers it with ids and times. */
  append(message: MessageInput, options?: RequestOptions): Promise<Message>;
  /** The same with several messages, which are stored together. */
  append(messages: readonly MessageInput[], options?: RequestOptions): Promise<Message[]>;
  async append(
    said: MessageInput | readonly MessageInput[],
    options?: RequestOptions,
  ): Promise<Message | Message[]> {
    const args = { messages: Array.isArray(said) ? said : [said], agent: this.#agent };
    const messages = await this.#call<Message[]>("append", args, options);
    return Array.isArray(said) ? messages : (messages[0] as Message);
  }

  /** The last messages, or those before one of them. */
  async messages(options: MessagesOptions & RequestOptions = {}): Promise<MessagePage> {
    known(options, "limit before signal idempotencyKey");
    const { limit, before, signal } = options;
    return this.#call("messages", { limit, before }, { signal });
  }

  /** The message of this id, whole; `null` if there is none. */
  async message(id: string, options?: RequestOptions): Promise<Message | null> {
    return this.#requests.find("message", { session: this.id, id }, options);
  }

  /** The session at a glance; `null` if nothing was said in it yet. */
  async info(options?: RequestOptions): Promise<SessionInfo | null> {
    return this.#requests.find("session", { session: this.id }, options);
  }

  /** Calls it something. Rejects with `not-found` if nothing was said in it yet. */
  async setTitle(title: string, options?: RequestOptions): Promise<SessionInfo> {
    return this.#call("setTitle", { title }, options);
  }

  /** Takes it away for good. Answers how many messages that were. Default: nothing is kept. */
  async delete(options: RequestOptions & { keepEntries?: boolean | undefined } = {}): Promise<number> {
    const { keepEntries, ...request } = options;
    return this.#call("deleteSession", { keepEntries }, request);
  }

  /** The prompt of the next turn, made where the memory is. */
  context(options?: ContextOptions & { format?: undefined } & RequestOptions): Promise<Context>;
  /** The same with `messages` in the form that a provider takes. */
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

// A conversation of a memory that is elsewhere.

import { known } from "../../base/options.js";
import type { MessagesOptions, Session } from "../../memory/session.js";
import type { Context, ContextOptions } from "../../wire/context.js";
import type { Format, Formats } from "../../wire/formats.js";
import type { Message, MessageInput } from "../../wire/messages.js";
import type { MessagePage, SessionInfo } from "../../wire/sessions.js";
import { RemoteError, type RequestOptions, type Requests } from "./requests.js";

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
    const body = { messages: Array.isArray(said) ? said : [said], agent: this.#agent };
    const { messages } = await this.#send<{ messages: Message[] }>(
      "POST",
      ["messages"],
      { body },
      options,
      true,
    );
    return Array.isArray(said) ? messages : (messages[0] as Message);
  }

  /** The last messages, or those before one of them. */
  async messages(options: MessagesOptions & RequestOptions = {}): Promise<MessagePage> {
    known(options, "limit before signal idempotencyKey");
    const { limit, before, signal } = options;
    return this.#send("GET", ["messages"], { query: { limit, before } }, { signal });
  }

  /** The message of this id, whole; `null` if there is none. */
  async message(id: string, options?: RequestOptions): Promise<Message | null> {
    return orNull(this.#send("GET", ["messages", "one"], { query: { id } }, options));
  }

  /** The session at a glance; `null` if nothing was said in it yet. */
  async info(options?: RequestOptions): Promise<SessionInfo | null> {
    return orNull(this.#send("GET", [], {}, options));
  }

  /** Calls it something. Rejects with `not-found` if nothing was said in it yet. */
  async setTitle(title: string, options?: RequestOptions): Promise<SessionInfo> {
    return this.#send("PATCH", [], { body: { title } }, options, true);
  }

  /** Takes it away for good. Answers how many messages that were. Default: nothing is kept. */
  async delete(options: RequestOptions & { keepEntries?: boolean | undefined } = {}): Promise<number> {
    const { keepEntries, ...request } = options;
    const { deleted } = await this.#send<{ deleted: number }>(
      "DELETE",
      [],
      { query: { keepEntries } },
      request,
      true,
    );
    return deleted;
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
    const body = { ...asked, agent: asked.agent ?? this.#agent };
    return this.#send("POST", ["context"], { body }, { signal });
  }

  #send<T>(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    rest: readonly string[],
    more: { body?: object; query?: { [name: string]: string | number | boolean | undefined } },
    options?: RequestOptions,
    writes = false,
  ): Promise<T> {
    const path = ["sessions", this.id, ...rest];
    return this.#requests.send({ method, path, writes, ...more }, options);
  }
}

/** What was asked for; `null` if the API knows none. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    // That there is no such path has another field: then this is no API of ours.
    if (error instanceof RemoteError && error.reason === "not-found" && error.field !== "path") return null;
    throw error;
  }
}

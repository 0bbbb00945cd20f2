// State of an app's components, in the documented JSON: a list of messages, and whatever else can be saved and loaded.

import { MemoryError } from "../../base/errors.js";
import type { Memory } from "../../memory/memory.js";
import { type Message, type MessageInput, type Role, textOf } from "../../wire/messages.js";
import type { SavedComponents } from "../../wire/sessions.js";
import type { Json, Metadata } from "../../wire/types.js";

/** What a component says of itself: a JSON object. */
export type State = { [key: string]: Json };

/** A component whose state can be saved. What these answer may come later. */
export interface StateModule {
  /** Its state. */
  saveState(): State | Promise<State>;
  /** Takes a state that was saved, in place of its own. */
  loadState(state: State): void | Promise<void>;
  /** The name that its state is saved by. Default: the name of its class, which a minifier may change. */
  getComponentName?(): string;
}

/** A message of which only role and content have to be known. */
export type StateMessage = Omit<Message, "id" | "at"> & Partial<Pick<Message, "id" | "at">>;

/** Short-term memory: a list of messages. `await` goes with any of them. */
export interface MessageList extends StateModule {
  /** Adds one at the end. */
  addMessage(message: MessageInput): void | Promise<void>;
  /** All of them, to be read only. */
  getMessages(): readonly StateMessage[] | Promise<readonly StateMessage[]>;
  /** Takes away the one at this place; nothing if there is none. */
  deleteMessage(index: number): void | Promise<void>;
  /** Takes all of them away. */
  clear(): void | Promise<void>;
}

/** The simplest of all: a list that grows, and lasts as long as the program unless it is saved. */
export class InMemoryMemory implements MessageList {
  #messages: StateMessage[] = [];

  /** Adds a message at the end. */
  addMessage(message: MessageInput): void {
    this.#messages.push(read(message));
  }

  /** The messages so far. The list is frozen: to change it is an error. */
  getMessages(): readonly StateMessage[] {
    return Object.freeze([...this.#messages]);
  }

  /** Takes away the message at this place; nothing if there is none. */
  deleteMessage(index: number): void {
    if (Number.isInteger(index) && index >= 0) this.#messages.splice(index, 1);
  }

  /** Takes all messages away. */
  clear(): void {
    this.#messages = [];
  }

  /** `{ messages }`, with roles in upper case; also if there are none. */
  saveState(): State {
    return { messages: this.#messages.map(written) };
  }

  /** Takes the messages of a state, in place of those so far. */
  loadState(state: State): void {
    this.#messages = messagesOf(state);
  }

  /** `"InMemoryMemory"`. */
  getComponentName(): string {
    return "InMemoryMemory";
  }
}

/** Where states are kept: `keepsakeSession`, or one of the app's own. */
export interface StateSession {
  /** Keeps the states of a session, in place of those before. */
  save(sessionId: string, components: SavedComponents["components"]): Promise<void>;
  /** The states of a session; `null` if there are none. */
  load(sessionId: string): Promise<SavedComponents | null>;
}

/** States in a memory, under the session's id. */
export function keepsakeSession(memory: Pick<Memory, "session">): StateSession {
  return {
    save: (id, components) => memory.session(id).saveComponents(components),
    load: (id) => memory.session(id).loadComponents(),
  };
}

/**
 * Saves and loads the states of several components together.
 *
 * @example
 * const manager = SessionManager.forSessionId("user123")
 *   .withSession(keepsakeSession(memory))
 *   .addComponent(agent)
 *   .addComponent(messages);
 * await manager.loadIfExists();
 */
export class SessionManager {
  /** The session's id. */
  readonly sessionId: string;
  readonly #components = new Map<string, StateModule>();
  #session: StateSession | undefined;

  private constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** For the session of this id. */
  static forSessionId(sessionId: string): SessionManager {
    return new SessionManager(sessionId);
  }

  /** Says where states are kept. */
  withSession(session: StateSession): this {
    this.#session = session;
    return this;
  }

  /** Another component. Two of one name are refused: one would overwrite the other. */
  addComponent(component: StateModule): this {
    const name = component.getComponentName?.() ?? component.constructor.name;
    if (name === "" || name === "Object") {
      throw new MemoryError("invalid-input", "`component` must have a class, or getComponentName", {
        field: "component",
      });
    }
    if (this.#components.has(name)) {
      throw new MemoryError("already-exists", "there is another component of that name", {
        field: "component",
      });
    }
    this.#components.set(name, component);
    return this;
  }

  /** Loads what was saved. Answers whether there was anything; a component without a state stays as it is. */
  async loadIfExists(): Promise<boolean> {
    const saved = await this.#kept().load(this.sessionId);
    for (const [name, component] of this.#components) {
      const state = saved && Object.hasOwn(saved.components, name) ? saved.components[name] : undefined;
      if (state) await component.loadState(state);
    }
    return saved !== null;
  }

  /** Saves the states of all components together. */
  async saveSession(): Promise<void> {
    const states: [string, State][] = [];
    for (const [name, component] of this.#components) states.push([name, await component.saveState()]);
    await this.#kept().save(this.sessionId, Object.fromEntries(states));
  }

  #kept(): StateSession {
    if (this.#session) return this.#session;
    throw new MemoryError("invalid-input", "`session` must be given by withSession", { field: "session" });
  }
}

/** What was saved, as the documented JSON text. */
export function toJSON({ sessionId, components, timestamp }: SavedComponents): string {
  return JSON.stringify({ sessionId, components, timestamp }, null, 2);
}

/** What was saved, out of the documented JSON text. */
export function fromJSON(text: string): SavedComponents {
  const { sessionId, components, timestamp } = object(parsed(text), "json");
  if (typeof sessionId !== "string") throw refused("sessionId", "must be a string");
  const states = Object.entries(object(components, "components"));
  return {
    sessionId,
    components: Object.fromEntries(
      states.map(([name, state]) => [name, object(state, `components.${name}`)]),
    ),
    timestamp: typeof timestamp === "string" ? timestamp : "",
  };
}

/**
 * About how many tokens messages have, by the documented rule: a quarter of the characters of each text, rounded down.
 * Only text counts. `memory.countTokens` is closer.
 */
export function estimateTokens(messages: readonly Pick<MessageInput, "content">[]): number {
  return messages.reduce((sum, message) => sum + Math.floor(textOf(message).length / 4), 0);
}

/** The messages of a state, in its order. */
export function messagesOf({ messages }: State): StateMessage[] {
  if (!Array.isArray(messages)) throw refused("messages", "must be a list");
  return messages.map((message, at) => read(object(message, `messages[${at}]`) as unknown as MessageInput));
}

/** A message as it stands in a state. */
export function written(message: StateMessage): State {
  const { role, content, ...rest } = message;
  return { role: role.toUpperCase(), content: content as unknown as Json, ...(rest as Metadata) };
}

/** A message as it stands in a list: roles in lower case, and content in blocks. */
export function read({ role, content, ...rest }: MessageInput): StateMessage {
  const known = ["system", "user", "assistant", "tool"].includes(role?.toLowerCase?.());
  if (!known) throw refused("role", "must be system, user, assistant or tool");
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) throw refused("content", "must be a string or a list of blocks");
  return { ...rest, role: role.toLowerCase() as Role, content: structuredClone(blocks) } as StateMessage;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused("json", "must be JSON");
  }
}

function object(value: unknown, field: string): State {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as State;
  throw refused(field, "must be an object");
}

function refused(field: string, reason: string): MemoryError {
  return new MemoryError("invalid-input", `\`${field}\` ${reason}`, { field });
}

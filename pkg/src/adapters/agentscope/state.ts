// Component states in the documented JSON: a message list, and anything that can be saved and loaded.

import { MemoryError } from "../../base/errors.js";
import type { Memory } from "../../memory/memory.js";
import { type Message, type MessageInput, type Role, textOf } from "../../wire/messages.js";
import type { SavedComponents } from "../../wire/sessions.js";
import type { Json, Metadata } from "../../wire/types.js";

/** The state of a component: a JSON object. */
export type State = { [key: string]: Json };

/** A component whose state can be saved. Its methods may be async. */
export interface StateModule {
  /** Its state. */
  saveState(): State | Promise<State>;
  /** Restores a saved state. */
  loadState(state: State): void | Promise<void>;
  /** The name under which its state is saved. Default: the name of its class, which a minifier may change. */
  getComponentName?(): string;
}

/** A message with at least a role and content. */
export type StateMessage = Omit<Message, "id" | "at"> & Partial<Pick<Message, "id" | "at">>;

/** Short-term memory: a message list. All methods can be awaited. */
export interface MessageList extends StateModule {
  /** Appends a message. */
  addMessage(message: MessageInput): void | Promise<void>;
  /** All messages, read-only. */
  getMessages(): readonly StateMessage[] | Promise<readonly StateMessage[]>;
  /** Deletes the message at this index; does nothing if there is none. */
  deleteMessage(index: number): void | Promise<void>;
  /** Deletes all messages. */
  clear(): void | Promise<void>;
}

/** The simplest one: a list in memory, lost at the end of the program unless it is saved. */
export class InMemoryMemory implements MessageList {
  #messages: StateMessage[] = [];

  /** Appends a message. */
  addMessage(message: MessageInput): void {
    this.#messages.push(read(message));
  }

  /** The messages so far. The array is frozen. */
  getMessages(): readonly StateMessage[] {
    return Object.freeze([...this.#messages]);
  }

  /** Deletes the message at this index; does nothing if there is none. */
  deleteMessage(index: number): void {
    if (Number.isInteger(index) && index >= 0) this.#messages.splice(index, 1);
  }

  /** Deletes all messages. */
  clear(): void {
    this.#messages = [];
  }

  /** `{ messages }`, with roles in upper case; also if it is empty. */
  saveState(): State {
    return { messages: this.#messages.map(written) };
  }

  /** Replaces the messages by those of a state. */
  loadState(state: State): void {
    this.#messages = messagesOf(state);
  }

  /** `"InMemoryMemory"`. */
  getComponentName(): string {
    return "InMemoryMemory";
  }
}

/** A storage of states: `keepsakeSession`, or your own. */
export interface StateSession {
  /** Saves the states of a session, and replaces the previous ones. */
  save(sessionId: string, components: SavedComponents["components"]): Promise<void>;
  /** The states of a session; `null` if there are none. */
  load(sessionId: string): Promise<SavedComponents | null>;
}

/** States in a memory, by the session's id. */
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

  /** For the session with this id. */
  static forSessionId(sessionId: string): SessionManager {
    return new SessionManager(sessionId);
  }

  /** Sets the storage of states. */
  withSession(session: StateSession): this {
    this.#session = session;
    return this;
  }

  /** Adds a component. A duplicate name is refused: one state would overwrite the other. */
  addComponent(component: StateModule): this {
    const name = component.getComponentName?.() ?? component.constructor.name;
    if (name === "" || name === "Object") {
      throw new MemoryError("invalid-input", "`component` must have a class, or getComponentName", {
        field: "component",
      });
    }
    if (this.#components.has(name)) {
      throw new MemoryError("already-exists", "a component with this name already exists", {
        field: "component",
      });
    }
    this.#components.set(name, component);
    return this;
  }

  /** Loads saved states. Returns whether there were any; a component without a saved state is unchanged. */
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

/** Serialises states as the documented JSON. */
export function toJSON({ sessionId, components, timestamp }: SavedComponents): string {
  return JSON.stringify({ sessionId, components, timestamp }, null, 2);
}

/** Parses states from the documented JSON. */
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
 * An estimate of the tokens of messages, by the documented rule: a quarter of the characters of each text, rounded down.
 * Only text counts. `memory.countTokens` is more accurate.
 */
export function estimateTokens(messages: readonly Pick<MessageInput, "content">[]): number {
  return messages.reduce((sum, message) => sum + Math.floor(textOf(message).length / 4), 0);
}

/** The messages of a state, in order. */
export function messagesOf({ messages }: State): StateMessage[] {
  if (!Array.isArray(messages)) throw refused("messages", "must be an array");
  return messages.map((message, at) => read(object(message, `messages[${at}]`) as unknown as MessageInput));
}

/** A message in a state. */
export function written(message: StateMessage): State {
  const { role, content, ...rest } = message;
  return { role: role.toUpperCase(), content: content as unknown as Json, ...(rest as Metadata) };
}

/** A message in a list: roles in lower case, and content in blocks. */
export function read({ role, content, ...rest }: MessageInput): StateMessage {
  const known = ["system", "user", "assistant", "tool"].includes(role?.toLowerCase?.());
  if (!known) throw refused("role", "must be system, user, assistant or tool");
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) throw refused("content", "must be a string or an array of blocks");
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

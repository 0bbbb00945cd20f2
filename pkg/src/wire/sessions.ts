// Sessions: their pages, views and histories.

import type { Message, Role } from "./messages.js";
import type { Json, Trust } from "./types.js";

/** The properties of a session. */
export interface SessionInfo {
  /** The session's id. */
  id: string;
  /** The title. */
  title?: string;
  /** The agent that the session belongs to. */
  agent?: string;
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The time of the last write, in ISO 8601. */
  updatedAt: string;
  /** The number of messages. */
  messages: number;
  /** The number of tokens of all messages. */
  tokens: number;
  /** The number of histories. */
  histories: number;
  /** The session that this one was forked from, and the last message that both share. */
  forkedFrom?: { session: string; message: string };
}

/** A page of a session's messages. */
export interface MessagePage {
  /** The messages, oldest first. */
  messages: Message[];
  /** The number of messages in the session. */
  total: number;
  /** Whether there are older messages. */
  more: boolean;
}

/** A message, or its replacement after compression. */
export interface ViewItem {
  /** The kind of the item. A merge omits nothing; an offload shows the beginning of a large message. */
  kind: "message" | "offload" | "merge" | "summary" | "history";
  /** The id of a message, which `message` reads in full, or a name such as `"history-001"`. */
  ref: string;
  /** The role of the author. */
  role: Role;
  /** The number of tokens of the item. */
  tokens: number;
  /** The text, if the item replaces messages. */
  text?: string;
  /** The message, if the item is one. */
  message?: Message;
  /** The number of messages that the item replaces. */
  messages?: number;
}

/** A message of a view, ready to be sent to a model. A replacement of other messages has no time. */
export type ViewMessage = Omit<Message, "at"> & Partial<Pick<Message, "at">>;

/** A summary of older messages. */
export interface History {
  /** The name: `"history-001"`, and so on. */
  id: string;
  /** The text of the summary. */
  text: string;
  /** The number of tokens of the summary. */
  tokens: number;
  /** The number of summarised messages. */
  messages: number;
  /** The id of the first summarised message. */
  first: string;
  /** The id of the last summarised message. */
  last: string;
  /** The time of creation, in ISO 8601. */
  createdAt: string;
  /** The lowest trust of the summarised messages. */
  trust: Trust;
}

/** The states of an app's components, saved under a session's id. */
export interface SavedComponents {
  /** The session's id. */
  sessionId: string;
  /** The state of each component, by name. */
  components: { [name: string]: { [key: string]: Json } };
  /** The time of the save, in ISO 8601. */
  timestamp: string;
}

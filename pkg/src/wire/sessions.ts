// Sessions: their pages, views and histories.

import type { Message, Role } from "./messages.js";
import type { Json } from "./types.js";

/** A session at a glance. */
export interface SessionInfo {
  /** Its id. */
  id: string;
  /** What it is called. */
  title?: string;
  /** The agent whose conversation it is. */
  agent?: string;
  /** When it began, in ISO 8601. */
  createdAt: string;
  /** When something was last said. */
  updatedAt: string;
  /** How many messages it has. */
  messages: number;
  /** How many tokens they have. */
  tokens: number;
  /** How many histories were written. */
  histories: number;
  /** The session that it was forked from, and the last message that they share. */
  forkedFrom?: { session: string; message: string };
}

/** Some of a session's messages. */
export interface MessagePage {
  /** Oldest first. */
  messages: Message[];
  /** How many messages the session has. */
  total: number;
  /** Whether there are older ones. */
  more: boolean;
}

/** A message, or what stands for some of them after compression. */
export interface ViewItem {
  /** What it is. Nothing is left out of a merge; an offload shows the beginning of a large message. */
  kind: "message" | "offload" | "merge" | "summary" | "history";
  /** The id of a message, which `message` reads again whole, or a name such as `"history-001"`. */
  ref: string;
  /** Who says it. */
  role: Role;
  /** How many tokens it takes. */
  tokens: number;
  /** What it says, if it stands for messages. */
  text?: string;
  /** The message, if it is one. */
  message?: Message;
  /** How many messages it stands for. */
  messages?: number;
}

/** A message of a view, as it can be sent to a model. One that stands for others has no time of its own. */
export type ViewMessage = Omit<Message, "at"> & Partial<Pick<Message, "at">>;

/** A summary of older messages. */
export interface History {
  /** `"history-001"`, and so on. */
  id: string;
  /** What it says. */
  text: string;
  /** How many tokens it has. */
  tokens: number;
  /** How many messages it stands for. */
  messages: number;
  /** The id of the first of them. */
  first: string;
  /** The id of the last of them. */
  last: string;
  /** When it was written, in ISO 8601. */
  createdAt: string;
}

/** States of an app's components, as they were saved under a session's id. */
export interface SavedComponents {
  /** The session's id. */
  sessionId: string;
  /** What each component said, by its name. */
  components: { [name: string]: { [key: string]: Json } };
  /** When, in ISO 8601. */
  timestamp: string;
}

// The agent interface: one function per agent.

import type { Memory, Session } from "keepsake";
import type { Language } from "../text/language.js";

/** An item of the memory that a reply is based on. */
export interface Reference {
  /** Its id: of an entry, a message or a skill; a name in the graph; a field of the profile. */
  ref: string;
  /** Its kind. */
  kind: "entry" | "message" | "history" | "skill" | "entity" | "profile" | "document";
  /** Its text, shortened. */
  text: string;
  /** The session of a message or a summary, if it is known. */
  session?: string | undefined;
}

/** The turn to answer. The user's message is already in the session. */
export interface Turn {
  memory: Memory;
  session: Session;
  /** The user's text, and the id of the message. */
  text: string;
  message: string;
  /** The language of the page. */
  language: Language;
  /** Aborted when the user stops the reply. */
  signal: AbortSignal;
}

/** A piece of a streamed reply: text, or references. */
export type Piece = { text: string } | { references: Reference[] };

/** Answers a turn piece by piece. Throws an `AgentFailure` for problems that the user can fix. */
export type Agent = (turn: Turn) => AsyncGenerator<Piece, void, undefined>;

/** The reason why an agent could not answer; a key of the texts. */
export type FailureReason =
  | "bad-address"
  | "no-model"
  | "no-key"
  | "refused-key"
  | "not-found"
  | "too-many"
  | "too-long"
  | "server"
  | "unreachable"
  | "cut"
  | "not-understood"
  | "built-in-absent";

/** An agent could not answer, or not completely. */
export class AgentFailure extends Error {
  /** The reason. */
  readonly reason: FailureReason;
  /** The message of the server; shown as text. */
  readonly detail: string;

  constructor(reason: FailureReason, detail = "") {
    super(reason);
    this.name = "AgentFailure";
    this.reason = reason;
    this.detail = detail.slice(0, 300);
  }
}

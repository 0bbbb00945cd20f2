// Who answers: one function, whatever is behind it.

import type { Memory, Session } from "keepsake";
import type { Language } from "../text/language.js";

/** Something in the memory that a reply rests on. */
export interface Reference {
  /** Its id in the memory: of an entry, a message, a skill; a name of the graph; a field of the profile. */
  ref: string;
  /** What it is. */
  kind: "entry" | "message" | "history" | "skill" | "entity" | "profile" | "document";
  /** What it says, in short. */
  text: string;
}

/** What is to be answered. The user's message is in the session already. */
export interface Turn {
  memory: Memory;
  session: Session;
  /** What the user said, and the id of that message. */
  text: string;
  message: string;
  /** The language of the page. */
  language: Language;
  /** Aborted when the user stops the reply. */
  signal: AbortSignal;
}

/** A piece of a reply as it comes: more text, or what it rests on. */
export type Piece = { text: string } | { references: Reference[] };

/** Answers a turn piece by piece. Throws an `AgentFailure` for what the user can do something about. */
export type Agent = (turn: Turn) => AsyncGenerator<Piece, void, undefined>;

/** Why an agent could not answer, by the name that the text tables know. */
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

/** An agent could not answer, or not to the end. */
export class AgentFailure extends Error {
  /** Why. */
  readonly reason: FailureReason;
  /** What the other side said about it, in its words; shown as text. */
  readonly detail: string;

  constructor(reason: FailureReason, detail = "") {
    super(reason);
    this.name = "AgentFailure";
    this.reason = reason;
    this.detail = detail.slice(0, 300);
  }
}

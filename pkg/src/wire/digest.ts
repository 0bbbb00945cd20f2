// Overviews of conversations: what they were about, what was decided, and when.

import type { Recall } from "./recall.js";
import type { Time } from "./types.js";

/** Which conversations to tell of, and how much. */
export interface DigestOptions {
  /** Only the sessions of these ids; rejects with `not-found` if there is no such session. Default: all of them. */
  sessions?: readonly string[] | undefined;
  /** Only what was said at this time or later. Default: any time. */
  since?: Time | undefined;
  /** Only what was said before this time. Default: any time. */
  until?: Time | undefined;
  /** Only what is about this: sentences that hold one of its words, in any form. Default: everything. */
  topic?: string | undefined;
  /** The most tokens of all that it tells. What does not fit is counted in `left`. Default: 1,000. */
  maxTokens?: number | undefined;
}

/** An overview of conversations in the order of time. */
export interface Digest {
  /** By their last message, the oldest first. */
  sessions: SessionDigest[];
  /** How many older sessions had no room. With `until: digest.sessions[0].from` they are next. */
  left: number;
  /** How many tokens it has as lines of a prompt. */
  tokens: number;
}

/** A digest of one conversation. */
export interface SessionDigest {
  /** The session's id. */
  session: string;
  /** Its title, if it has one. */
  title?: string;
  /** When the first message was said that this tells of, in ISO 8601. */
  from: string;
  /** When the last one was. */
  to: string;
  /** How many messages this tells of; tools' calls and results aside. */
  messages: number;
  /** Subjects that users brought up and no summary tells of yet: their own words, in order. */
  topics: string[];
  /** Decisions in order. Of a decision that was corrected later, only the correction is here. */
  decisions: Decision[];
  /** The stored summaries, or the most important part of them. */
  summary?: string;
}

/** Something that was decided. */
export interface Decision {
  /** The sentence that says so. */
  text: string;
  /** When it was said, in ISO 8601; for one of a summary, when the last message was that the summary stands for. */
  at: string;
  /** The id of the message; left out for one of a summary. */
  id?: string;
}

/** Results of `queryMemory`, best first. */
export interface Recalls extends Array<Recall> {
  /**
   * There if the question asks for an overview, for decisions or for an order ("What have we worked on?"): such a
   * question names nothing that could be searched for.
   */
  digest?: Digest;
}

/** The answer of the core: hits, or hits and a digest. */
export type RecallAnswer = Recall[] | { hits: Recall[]; digest: Digest };

/** Hits with the digest beside them. */
export function recalls(answer: RecallAnswer): Recalls {
  return Array.isArray(answer) ? answer : Object.assign(answer.hits, { digest: answer.digest });
}

// Digests of conversations: topics, decisions and dates.

import type { Recall } from "./recall.js";
import type { Time, Trust } from "./types.js";

/** Options of a digest. */
export interface DigestOptions {
  /** Only sessions with these ids; rejects with `not-found` if one does not exist. Default: all. */
  sessions?: readonly string[] | undefined;
  /** Only messages at or after this time. Default: no limit. */
  since?: Time | undefined;
  /** Only messages before this time. Default: no limit. */
  until?: Time | undefined;
  /** Only sentences that contain one of these words, in any inflection. Default: all. */
  topic?: string | undefined;
  /** The maximum number of tokens of the digest. Sessions that do not fit are counted in `left`. Default: 1,000. */
  maxTokens?: number | undefined;
}

/** A digest of conversations in chronological order. */
export interface Digest {
  /** The sessions, ordered by their last message, oldest first. */
  sessions: SessionDigest[];
  /** The number of older sessions that did not fit. `until: digest.sessions[0].from` requests them next. */
  left: number;
  /** The number of tokens of the digest as prompt lines. */
  tokens: number;
}

/** A digest of one conversation. */
export interface SessionDigest {
  /** The session's id. */
  session: string;
  /** The session's title, if set. */
  title?: string;
  /** The time of the first covered message, in ISO 8601. */
  from: string;
  /** The time of the last covered message, in ISO 8601. */
  to: string;
  /** The number of covered messages, without tool calls and results. */
  messages: number;
  /** Topics that users raised and that no summary covers yet, in the users' words and in order. */
  topics: string[];
  /** The decisions, in order. A decision that was corrected later is replaced by its correction. */
  decisions: Decision[];
  /** The stored summaries, or their most important part. */
  summary?: string;
  /** The lowest trust of the messages and summaries that it is made from. */
  trust: Trust;
}

/** A decision in a conversation. */
export interface Decision {
  /** The sentence that states the decision. */
  text: string;
  /** The time of the decision, in ISO 8601. For a decision from a summary: the time of the last summarised message. */
  at: string;
  /** The id of the message; omitted for a decision from a summary. */
  id?: string;
}

/** Results of `queryMemory`, best first. */
export interface Recalls extends Array<Recall> {
  /**
   * Set if the question asks for an overview, for decisions or for an order ("What have we worked on?"). Such a
   * question contains no search terms.
   */
  digest?: Digest;
}

/** The core's answer: hits, or hits and a digest. */
export type RecallAnswer = Recall[] | { hits: Recall[]; digest: Digest };

/** Converts the core's answer to an array of hits with an optional `digest` property. */
export function recalls(answer: RecallAnswer): Recalls {
  return Array.isArray(answer) ? answer : Object.assign(answer.hits, { digest: answer.digest });
}

/**
 * React: a memory, a conversation and a search that stay true while others write, in this tab and in others.
 *
 * @module keepsake/react
 */

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { type Answer, Live, type Question, UNANSWERED } from "../../memory/live.js";
import type { Memory } from "../../memory/memory.js";
import type { MessagesOptions, Session, SessionOptions } from "../../memory/session.js";
import type { Message } from "../../wire/messages.js";
import type { MemoryHit, SearchOptions } from "../../wire/search.js";
import type { MessagePage } from "../../wire/sessions.js";
import type { Metadata } from "../../wire/types.js";
import { keepOpen, keyOf, LOADING, type MemoryState, stateOf, type UseMemoryOptions } from "./shared.js";

export type { MemoryState, UseMemoryOptions } from "./shared.js";

/** How far an answer is: on its way, there, or refused. */
export type Status = "loading" | "ready" | "failed";

/** How a conversation is led and shown. */
export interface UseSessionOptions extends SessionOptions, Pick<MessagesOptions, "limit"> {}

/** A conversation as it is now. */
export interface SessionState {
  /** `"loading"` until its messages were first read; `"failed"` if they could not be, the last time. */
  status: Status;
  /** The conversation, to be appended to; not there as long as the memory is not. */
  session: Session | undefined;
  /** The last messages, oldest first. */
  messages: Message[];
  /** How many messages the session has. */
  total: number;
  /** Whether there are older ones. */
  more: boolean;
  /** Why they could not be read. */
  error: unknown;
}

/** What a search finds now. */
export interface SearchState<N extends string = never> {
  /** `"loading"` while the hits are those of the query before, or none; `"failed"` if the last search did. */
  status: Status;
  /** Best first. */
  hits: MemoryHit<N>[];
  /** Why nothing could be searched. */
  error: unknown;
}

/**
 * Opens a memory. Components with the same `name`, `user` and `storage` share one, which is opened with the options of
 * the first and closed a second after the last has gone. On a server it is always loading, and nothing is opened.
 */
export function useMemory<M extends Metadata = Metadata, N extends string = never>(
  options: UseMemoryOptions<N>,
): MemoryState<M, N> {
  const key = keyOf(options as UseMemoryOptions<string>);
  // Only what says which memory it is makes it another one: options are written anew with every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const subscribe = useCallback(
    (listener: () => void) => keepOpen(key, options as UseMemoryOptions<string>, listener),
    [key],
  );
  const state: unknown = useSyncExternalStore(subscribe, () => stateOf(key), loading);
  return state as MemoryState<M, N>;
}

/**
 * The last messages of a conversation, read again whenever something is said in it. `options` are those of the first
 * render with this memory and this id; only `limit` may change.
 */
export function useSession<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  id: string,
  options: UseSessionOptions = {},
): SessionState {
  const { limit, ...how } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a conversation is not another one because of its options
  const session = useMemo(() => memory?.session(id, how), [memory, id]);
  const name = JSON.stringify([id, limit]);
  const { question, value, error } = useAnswer<M, N, MessagePage>(memory, name, {
    ask: async () => session?.messages({ limit }) ?? NOTHING_SAID,
    concerns: (change) => change.session === undefined || change.session === id,
  });
  // Messages of another conversation are nobody's business here.
  const ours = question !== undefined && (JSON.parse(question) as [string])[0] === id;
  const { messages, total, more } = (ours && value) || NOTHING_SAID;
  const status = statusOf(question === name, error);
  return { status, session, messages, total, more, error: status === "failed" ? error : undefined };
}

/**
 * What a search finds, searched again whenever something is written. While another query is under way, the hits stay
 * those of the one before. A query without a word finds nothing, and asks nothing.
 */
export function useSearch<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  query: string,
  options: SearchOptions<N> = {},
): SearchState<N> {
  const name = JSON.stringify([query, options]);
  const { question, value, error } = useAnswer<M, N, MemoryHit<N>[]>(memory, name, {
    ask: async () => (query.trim() === "" || !memory ? [] : memory.search(query, options)),
    concerns: () => true,
  });
  const status = statusOf(question === name, error);
  return { status, hits: value ?? NO_HITS, error: status === "failed" ? error : undefined };
}

const NOTHING_SAID: MessagePage = { messages: [], total: 0, more: false };
const NO_HITS: never[] = [];

const loading = () => LOADING;
const unanswered = () => UNANSWERED;
const never = () => () => {};

/** The last answer to a question. It is another question only by its name: functions are written anew with every render. */
function useAnswer<M extends Metadata, N extends string, T>(
  memory: Memory<M, N> | undefined,
  name: string,
  question: Omit<Question<T>, "name">,
): Answer<T> {
  const live = useMemo(() => memory && new Live<M, N, T>(memory), [memory]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => live?.ask({ ...question, name }), [live, name]);
  return useSyncExternalStore<Answer<T>>(live?.subscribe ?? never, live?.answer ?? unanswered, unanswered);
}

function statusOf(answered: boolean, error: unknown): Status {
  if (!answered) return "loading";
  return error === undefined ? "ready" : "failed";
}

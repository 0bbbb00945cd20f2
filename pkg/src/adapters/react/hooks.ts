/**
 * React hooks for a memory, a session, a search and a list of entries. They update after writes in this tab and in others.
 *
 * @module keepsake/react
 */

import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { optionsIn, refused } from "../../base/errors.js";
import { known } from "../../base/options.js";
import { type Answer, Live, type Question, UNANSWERED } from "../../memory/live.js";
import type { Memory } from "../../memory/memory.js";
import type { MessagesOptions, Session, SessionOptions } from "../../memory/session.js";
import type { Message } from "../../wire/messages.js";
import type { MemoryHit, SearchOptions } from "../../wire/search.js";
import type { MessagePage } from "../../wire/sessions.js";
import type { ListOptions, MemoryEntry, Metadata } from "../../wire/types.js";
import { keepOpen, keyOf, LOADING, type MemoryState, stateOf, type UseMemoryOptions } from "./shared.js";

export type { MemoryState, UseMemoryOptions } from "./shared.js";

/** The status of a result: loading, ready, or failed. */
export type Status = "loading" | "ready" | "failed";

/** Options of `useSession`. */
export interface UseSessionOptions extends SessionOptions, Pick<MessagesOptions, "limit"> {}

/** The current state of a session. */
export interface SessionState {
  /** `"loading"` until the first read; `"failed"` if the last read failed. */
  status: Status;
  /** The session, for appending; `undefined` while the memory opens. */
  session: Session | undefined;
  /** The last messages, oldest first. */
  messages: Message[];
  /** The number of messages of the session. */
  total: number;
  /** Whether there are older messages. */
  more: boolean;
  /** The error of the last read. */
  error: unknown;
}

/** The current results of a search. */
export interface SearchState<N extends string = never> {
  /** `"loading"` while the hits are those of the previous query, or none; `"failed"` if the last search failed. */
  status: Status;
  /** The hits, best first. */
  hits: MemoryHit<N>[];
  /** The error of the last search. */
  error: unknown;
}

/** The current entries. */
export interface EntriesState<M extends Metadata = Metadata, N extends string = never> {
  /** `"loading"` while the entries are those of the previous options, or none; `"failed"` if the last read failed. */
  status: Status;
  /** The entries without their contents, newest first. */
  entries: MemoryEntry<M, N>[];
  /** The error of the last read. */
  error: unknown;
}

/**
 * Opens a memory. Components with the same `name`, `user` and `storage` share one, which is opened with the options of the
 * first and closed one second after the last has unmounted. On a server it is always loading, and nothing is opened.
 */
export function useMemory<M extends Metadata = Metadata, N extends string = never>(
  options: UseMemoryOptions<N>,
): MemoryState<M, N> {
  const key = keyOf(options as UseMemoryOptions<string>);
  // Only the identity of the memory counts: the options object is new on every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const subscribe = useCallback(
    (listener: () => void) => keepOpen(key, options as UseMemoryOptions<string>, listener),
    [key],
  );
  const state: unknown = useSyncExternalStore(subscribe, () => stateOf(key), loading);
  return state as MemoryState<M, N>;
}

/**
 * The last messages of a session, updated after every change of it. `options` are those of the first render with this memory
 * and id; only `limit` may change.
 */
export function useSession<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  id: string,
  options: UseSessionOptions = {},
): SessionState {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a conversation is not another one because of its options
  const { session, wrong } = useMemo(() => sessionOf(memory, id, options), [memory, id]);
  const limit = options?.limit;
  const name = JSON.stringify([id, limit]);
  const { question, value, error } = useAnswer<M, N, MessagePage>(session && memory, name, {
    ask: async () => session?.messages({ limit }) ?? NOTHING_SAID,
    concerns: (change) => change.session === undefined || change.session === id,
  });
  // Changes of other sessions do not matter here.
  const ours = question !== undefined && (JSON.parse(question) as [string])[0] === id;
  const { messages, total, more } = (ours && value) || NOTHING_SAID;
  if (wrong !== undefined) return { status: "failed", session, messages, total, more, error: wrong };
  const status = statusOf(question === name, error);
  return { status, session, messages, total, more, error: status === "failed" ? error : undefined };
}

/**
 * The results of a search, updated after every write. While a new query runs, the hits of the previous one stay. A blank
 * query returns no hits and does not search.
 */
export function useSearch<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  query: string,
  options: SearchOptions<NoInfer<N>> = {},
): SearchState<N> {
  const name = JSON.stringify([query, options]);
  const wrong = wrongMemory(memory);
  const isBlank = typeof query === "string" && query.trim() === "";
  const { question, value, error } = useAnswer<M, N, MemoryHit<N>[]>(wrong ? undefined : memory, name, {
    ask: async () => (isBlank || !memory ? [] : memory.search(query, options)),
    concerns: () => true,
  });
  if (wrong) return { status: "failed", hits: NONE, error: wrong };
  const status = statusOf(question === name, error);
  return { status, hits: value ?? NONE, error: status === "failed" ? error : undefined };
}

/**
 * Entries, updated after every write: for example what the memory knows of its user, with `namespace: "long-term"`. While
 * new options are read, the entries of the previous ones stay.
 */
export function useEntries<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  options: ListOptions<NoInfer<N>> = {},
): EntriesState<M, N> {
  const name = JSON.stringify(options);
  const wrong = wrongMemory(memory);
  const { question, value, error } = useAnswer<M, N, MemoryEntry<M, N>[]>(wrong ? undefined : memory, name, {
    ask: async () => memory?.list(options) ?? NONE,
    concerns: () => true,
  });
  if (wrong) return { status: "failed", entries: NONE, error: wrong };
  const status = statusOf(question === name, error);
  return { status, entries: value ?? NONE, error: status === "failed" ? error : undefined };
}

const NOTHING_SAID: MessagePage = { messages: [], total: 0, more: false };
const NONE: never[] = [];

/** The session, or the error that would be thrown while rendering: with it the app would unmount. */
function sessionOf<M extends Metadata, N extends string>(
  memory: Memory<M, N> | undefined,
  id: string,
  options: UseSessionOptions,
): { session?: Session | undefined; wrong?: unknown } {
  try {
    known(options, "agent compression contextTokens summarize summarizeTimeout onError limit");
    const { limit: _, ...how } = optionsIn(options);
    const wrong = wrongMemory(memory);
    return wrong ? { wrong } : { session: memory?.session(id, how) };
  } catch (wrong) {
    return { wrong };
  }
}

/** The error of an argument that is no memory, such as the whole result of `useMemory`. */
function wrongMemory(memory: unknown): unknown {
  if (!memory || typeof (memory as Partial<Memory>).session === "function") return undefined;
  return refused("memory", "must be the `memory` of `useMemory`");
}

const loading = () => LOADING;
const unanswered = () => UNANSWERED;
const never = () => () => {};

/** The last result of a query. Queries are compared by `name`: functions are new on every render. */
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
